import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTaskId, type TaskId } from '../../../src/core/ids.js';
import type { TaskOutcome } from '../../../src/core/task-types.js';
import { BashInput, BashTool } from '../../../src/tools/shell/bash.js';
import type { CommandResult } from '../../../src/processes/run/command-result.js';
import { activeSandbox } from '../../../src/processes/sandbox/sandbox.js';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../../src/processes/process-supervisor.js';
import type { ToolUseContext } from '../../../src/tools/tool.js';
import { createContext } from '../../support/tool-context.js';
import type {
  SpawnRequest,
  TaskCapabilities,
} from '../../../src/tools/capabilities/task-capabilities.js';
import { createGate } from '../../support/gate.js';
import { countProcesses, hidden, uniqueSeconds, until } from '../../processes/processes.js';

let projectRoot: string;
let processes: ProcessSupervisor;

beforeEach(() => {
  projectRoot = realpathSync(mkdtempSync(join(tmpdir(), 'bash-test-')));
  processes = createProcessSupervisor({ env: process.env, temporaryFolder: projectRoot });
});

afterEach(async () => {
  await processes.close();
  rmSync(projectRoot, { recursive: true });
});

/** Tasks that run their command with the supervisor; what was asked for is in `requests`. */
function createTasks() {
  const requests: SpawnRequest[] = [];
  const background = createGate<{ readonly status: 'backgrounded' }>();
  const tasks = new Map<TaskId, { end: AbortController; outcome: Promise<TaskOutcome> }>();
  const settle = (result: CommandResult, end: AbortController): TaskOutcome =>
    end.signal.aborted
      ? { status: 'killed', reason: String(end.signal.reason) }
      : { status: 'completed', result };
  const capabilities: TaskCapabilities = {
    async spawn(request) {
      if (request.kind !== 'local_bash') throw new Error('Bash starts shells only');
      requests.push(request);
      const id = createTaskId('local_bash');
      const outputFile = join(projectRoot, `${id}.output`);
      const end = new AbortController();
      const { command, cwd, timeoutMs } = request;
      const onOutput = (text: string) => request.onProgress?.(text);
      const shell = { taskId: id, command, cwd, timeoutMs, env: process.env, outputFile, onOutput };
      const outcome = processes
        .run({ ...shell, signal: end.signal })
        .then((result) => settle(result, end));
      tasks.set(id, { end, outcome });
      return { id, outputFile };
    },
    async waitFor(id, signal) {
      const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason));
      return Promise.race([tasks.get(id)!.outcome, aborted]);
    },
    waitInForeground: (id, signal) =>
      Promise.race([background.opened, capabilities.waitFor(id, signal)]),
    async kill(id, reason) {
      tasks.get(id)!.end.abort(reason);
      return tasks.get(id)!.outcome;
    },
    find: () => undefined,
    list: () => [],
    readOutput: () => Promise.reject(new Error('not asked for here')),
    takenOutput: () => 0,
    takeOutput: () => undefined,
    send: () => Promise.reject(new Error('not asked for here')),
  };
  return { capabilities, requests, background };
}

function inProject(tasks = createTasks().capabilities, cwd = projectRoot): ToolUseContext {
  return createContext(cwd, { files: { projectRoot }, tasks: { control: tasks } });
}

const allow = () => Promise.resolve({ behavior: 'allow' } as const);

async function call(input: Parameters<typeof BashInput.parse>[0], context = inProject()) {
  const result = await BashTool.call(BashInput.parse(input), context, allow, undefined);
  const block = BashTool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1');
  return { ...result, text: block.content, isError: block.is_error === true };
}

describe('Bash', () => {
  it.each([
    ['echo out; echo error >&2', 'out\nerror', false],
    ['true', '(no output)', false],
    ['echo out; exit 3', 'out\nExit code 3', true],
    ['grep nothing /dev/null', 'Exit code 1', false],
    ['kill -TERM $$', 'The command was ended by SIGTERM.', true],
    ["printf '\\n  kept\\n\\n'", '\n  kept', false],
  ])('%s: the model reads %j', async (command, text, isError) => {
    const result = await call({ command });
    expect({ text: result.text, isError: result.isError }).toEqual({ text, isError });
  });

  it('returns what its schema says', async () => {
    const { data } = await call({ command: 'echo out' });
    expect(BashTool.outputSchema?.parse(data)).toEqual({
      stdout: 'out\n',
      stderr: '',
      exitCode: 0,
      duration: expect.any(Number),
      sandboxed: false,
      cwd: projectRoot,
      output_file: expect.stringContaining(projectRoot),
      isError: false,
    });
  });

  it.each([
    ['in the sandbox', {}, true],
    ['outside, if that was requested', { dangerouslyDisableSandbox: true }, false],
  ])('says that it ran %s', async (_, how, sandboxed) => {
    const context = inProject();
    const sandbox = activeSandbox({ mode: 'bwrap' });
    const inside = { ...context, session: { ...context.session, ...(sandbox && { sandbox }) } };
    const { data } = await call({ command: 'true', ...how }, inside);
    expect(data.sandboxed).toBe(sandboxed);
  });

  it('says that the time was over', async () => {
    const { text, isError } = await call({ command: 'echo begun; sleep 60', timeout: 1_000 });
    expect([text, isError]).toEqual([
      'begun\nThe command timed out after 1000 ms and was ended.',
      true,
    ]);
  });

  it('moves the working directory within the project', async () => {
    mkdirSync(join(projectRoot, 'sub'));
    const context = inProject();
    const { contextModifier } = await call({ command: 'cd sub; false' }, context);
    expect(contextModifier?.(context).files.cwd).toBe(join(projectRoot, 'sub'));
  });

  it('returns to the project when a command left it', async () => {
    const context = inProject();
    const { contextModifier, text } = await call({ command: 'cd /usr' }, context);
    expect([contextModifier?.(context).files.cwd, text]).toEqual([
      projectRoot,
      `(no output)\nThe working directory was reset to ${projectRoot}: /usr is outside the project.`,
    ]);
  });

  it('returns to the project when a command removed its folder', async () => {
    const cwd = join(projectRoot, 'sub');
    mkdirSync(cwd);
    const context = inProject(undefined, cwd);
    const { contextModifier } = await call({ command: `rmdir ${cwd}` }, context);
    expect(contextModifier?.(context).files.cwd).toBe(projectRoot);
  });

  it('stays in its first folder when the folder in which it ended is gone', async () => {
    const cwd = join(projectRoot, 'sub');
    mkdirSync(cwd);
    const context = inProject(undefined, cwd);
    const removing = 'mkdir t && cd t && rmdir ../t; echo fine';
    const { contextModifier, text } = await call({ command: removing }, context);
    expect([contextModifier?.(context).files.cwd, text]).toEqual([
      cwd,
      `fine\nThe working directory is still ${cwd}: the folder in which the command ended does not exist any more.`,
    ]);
  });

  it('answers when it is sent to the background, and an abort does not end it any more', async () => {
    const { capabilities, background } = createTasks();
    const context = inProject(capabilities);
    const answer = call({ command: 'sleep 60' }, context);
    background.open({ status: 'backgrounded' });
    const { data, text, isError, contextModifier } = await answer;
    expect(data).toEqual({
      bash_id: expect.stringMatching(/^b/),
      wasMoved: true,
      output_file: expect.stringContaining(projectRoot),
      isError: false,
    });
    expect(text).toContain(`moved to the background as ${data.bash_id}`);
    expect([isError, contextModifier]).toEqual([false, undefined]);
    context.call.abortController.abort();
    const id = data.bash_id as TaskId;
    const outcome = await capabilities.kill(id, 'by the test');
    expect(outcome).toEqual({ status: 'killed', reason: 'by the test' });
  });

  it('answers at once for the background', async () => {
    const { capabilities, requests } = createTasks();
    const { data, text, isError } = await call(
      { command: 'sleep 60', run_in_background: true, description: 'Wait a minute' },
      inProject(capabilities),
    );
    expect(data).toEqual({
      bash_id: expect.stringMatching(/^b/),
      output_file: expect.stringContaining(projectRoot),
      isError: false,
    });
    expect(text).toBe(
      `The command runs in the background as ${data.bash_id}. Its output is in ${data.output_file}.`,
    );
    expect(isError).toBe(false);
    expect(requests).toEqual([
      {
        kind: 'local_bash',
        command: 'sleep 60',
        description: 'Wait a minute',
        cwd: projectRoot,
        timeoutMs: 120_000,
        isBackgrounded: true,
        toolUseId: 'toolu_1',
        workspace: [projectRoot],
        leavesSandbox: false,
      },
    ]);
  });

  it('reports output while the command runs', async () => {
    const progress: unknown[] = [];
    await BashTool.call(
      BashInput.parse({ command: 'echo one' }),
      inProject(),
      allow,
      undefined,
      (each) => progress.push(each),
    );
    expect(progress).toEqual([{ type: 'bash_output', text: 'one\n' }]);
  });

  it('ends the command before it passes an abort on', async () => {
    const seconds = uniqueSeconds();
    const context = inProject();
    const result = call({ command: `${hidden(seconds)}; setsid sleep $m` }, context);
    await until('it runs', () => countProcesses(`${seconds}`) > 0);
    context.call.abortController.abort(new Error('the user pressed a key'));
    await expect(result).rejects.toThrow('the user pressed a key');
    expect(countProcesses(`${seconds}`)).toBe(0);
  });

  it('says who needs it when there is no orchestrator', async () => {
    const context = createContext(projectRoot);
    await expect(call({ command: 'true' }, context)).rejects.toMatchObject({
      code: 'SHELL_NEEDS_ORCHESTRATOR',
      message: expect.stringContaining('running orchestrator'),
    });
  });

  it('reports a task that somebody else killed', async () => {
    const { capabilities } = createTasks();
    const tasks: TaskCapabilities = {
      ...capabilities,
      waitInForeground: (id) => capabilities.kill(id, 'stopped by KillShell'),
    };
    await expect(call({ command: 'sleep 60' }, inProject(tasks))).rejects.toMatchObject({
      code: 'SHELL_KILLED',
      message: expect.stringContaining('stopped by KillShell'),
    });
  });

  it('reports a shell that could not be started', async () => {
    const tasks: TaskCapabilities = {
      ...createTasks().capabilities,
      waitInForeground: () =>
        Promise.resolve({
          status: 'failed',
          failure: { code: 'SHELL_NOT_STARTED', message: 'no such folder' },
        }),
    };
    await expect(call({ command: 'true' }, inProject(tasks))).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
      message: 'no such folder',
    });
  });

  it.each([
    [{ command: '' }, 'the command is empty'],
    [{ command: ' \n' }, 'the command is empty'],
    [{ command: 'a\0b' }, 'NUL'],
    [{ command: 'true', timeout: 600_001 }, '600000'],
    [{ command: 'true', timeout: 0 }, '>0'],
  ])('refuses %j', (input, message) => {
    expect(BashInput.safeParse(input).error?.message).toContain(message);
  });

  it('asks the permission for the very text', () => {
    const input = BashInput.parse({ command: 'ls  # all' });
    expect(BashTool.permissionTarget?.(input)).toEqual({ kind: 'shell', command: 'ls  # all' });
  });
});
