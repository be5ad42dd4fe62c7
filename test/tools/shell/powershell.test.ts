import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { assembleToolPool } from '../../../src/tools/pool/pool.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { PowerShellTool } from '../../../src/tools/shell/powershell.js';
import { createContext } from '../../support/tool-context.js';
import { createWorkspace, run } from '../files/workspace.js';
import { createShellTasks } from './shell-tasks.js';

/** A program pwsh that prints its options and runs the command in bash: what the tool gives a shell can be seen. */
const FAKE_PWSH = `#!/bin/bash
printf '%s ' "\${@:1:3}" >&2
exec /bin/bash -c "$4"
`;

async function createPlace() {
  const { folder } = await createWorkspace();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'pwsh'), FAKE_PWSH);
  await chmod(join(bin, 'pwsh'), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const tasks = createShellTasks(folder, env);
  onTestFinished(tasks.close);
  return {
    env,
    folder,
    run: (input: object) =>
      run(
        PowerShellTool,
        input,
        createContext(folder, { session: { env }, tasks: { control: tasks.capabilities } }),
      ),
  };
}

describe('PowerShell', () => {
  it('runs one command without a profile and without questions', async () => {
    const place = await createPlace();
    expect(await place.run({ command: `echo "it's here" '$HOME'; pwd` })).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: `it's here $HOME\n${place.folder}\n-NoProfile -NonInteractive -Command `,
    });
  });

  it('reports a failure and the end of the time', async () => {
    const place = await createPlace();
    expect(await place.run({ command: 'exit 3' })).toMatchObject({
      is_error: true,
      content: '-NoProfile -NonInteractive -Command \nExit code 3',
    });
    expect(await place.run({ command: 'sleep 60', timeout: 100 })).toMatchObject({
      is_error: true,
      content: expect.stringContaining('The command timed out after 100 ms and was ended.'),
    });
  });

  it('is there only if pwsh is on the PATH', async () => {
    const { env, folder } = await createPlace();
    const namesWith = (PATH: string) =>
      assembleToolPool({
        builtIn: getAllBaseTools(),
        surroundings: { env: { PATH }, cwd: folder },
      }).map(({ name }) => name);
    expect(namesWith(env.PATH)).toContain('PowerShell');
    expect(namesWith(join(folder, 'empty'))).not.toContain('PowerShell');
  });

  it.each([
    [{}, 'command'],
    [{ command: ' ' }, 'the command is empty'],
    [{ command: 'a\0b' }, 'a command cannot contain a NUL character'],
    [{ command: 'a', timeout: 600_001 }, 'timeout'],
    [{ command: 'a', run_in_background: true }, 'run_in_background'],
  ])('refuses %j and names %s', async (input, named) => {
    expect(await parseInput(PowerShellTool, input)).toEqual({
      ok: false,
      message: expect.stringContaining(named),
    });
  });

  it('needs an orchestrator', async () => {
    await expect(run(PowerShellTool, { command: 'a' }, createContext('/'))).rejects.toThrow(
      'PowerShell needs a running orchestrator',
    );
  });

  it.skipIf(!hasPwsh())('runs in the real PowerShell', async () => {
    const { folder } = await createWorkspace();
    const tasks = createShellTasks(folder, process.env);
    onTestFinished(tasks.close);
    const context = createContext(folder, { tasks: { control: tasks.capabilities } });
    const { content } = await run(PowerShellTool, { command: 'Write-Output "$(1 + 1)"' }, context);
    expect(content).toBe('2');
  });
});

function hasPwsh(): boolean {
  try {
    execFileSync('pwsh', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
