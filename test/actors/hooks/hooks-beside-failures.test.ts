import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import type { HookCallback } from '../../../src/extensions/hooks/hook-types.js';
import { resultText } from '../../../src/core/messages.js';
import { bashCall, newestResults } from '../../support/scripts.js';
import { ALLOW_ALL, createFolder, createTroupe } from '../../support/troupe.js';

/** Make these calls in one reply, with this hook after each. @returns what the model reads of each */
async function readBeside(
  commands: readonly string[],
  after: (pipe: string) => HookCallback,
): Promise<readonly string[]> {
  const read: string[] = [];
  const pipe = join(await createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const { troupe } = await createTroupe(
    (request: ModelRequest) => {
      read.push(...newestResults(request.messages).map((block) => resultText(block)));
      return Promise.resolve(
        request.messages.length === 1
          ? { tools: commands.map((one) => bashCall(one.replace('PIPE', pipe))) }
          : { text: 'Done.' },
      );
    },
    { permissions: ALLOW_ALL, hooks: { PostToolUse: [{ hooks: [after(pipe)] }] } },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  return read;
}

const replacing = (updatedToolOutput: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse' as const, updatedToolOutput },
});

describe('a hook that may replace a result', () => {
  it('hides it if the failure of a command beside it ends the hook', async () => {
    const untilAborted = (pipe: string): HookCallback => {
      return async (_input, _id, { signal }) => {
        const aborted = once(signal, 'abort');
        await writeFile(pipe, 'The hook runs.');
        await aborted;
        throw signal.reason;
      };
    };
    const [secret] = await readBeside(['echo secret', 'cat PIPE missing'], untilAborted);
    expect(secret).toBe(
      'Bash ran, and a hook that may replace its result was cut off, so the result is not shown.',
    );
  });

  it('ends no command beside it if its replacement cannot be used', async () => {
    const ended: string[] = [];
    const after: HookCallback = async (input) => {
      const command = 'tool_input' in input ? String(Object(input.tool_input).command) : '';
      ended.push(command);
      return Promise.resolve(replacing(command === 'echo one' ? { file: 'x' } : 'less'));
    };
    const [one, two] = await readBeside(['echo one', 'sleep 0.2; echo two'], () => after);
    expect({ one: one?.slice(0, 29), two, ended }).toEqual({
      one: 'Bash ran, and the hook after ',
      two: 'less',
      ended: ['echo one', 'sleep 0.2; echo two'],
    });
  });
});
