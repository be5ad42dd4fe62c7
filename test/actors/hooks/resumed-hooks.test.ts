import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import type { Hooks } from '../../../src/extensions/hooks/hook-types.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { allLines, writeCut } from '../../support/cut-journal.js';
import { newestResults, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, createFolder } from '../../support/troupe.js';
import { createFiles } from '../../support/files.js';

const ID = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';

it.each([
  ['PreToolUse', { updatedInput: { pattern: '*.md' } }, 'b.md'],
  ['PostToolUse', { updatedToolOutput: 'Hidden.' }, 'Hidden.'],
] as const)(
  'a resume keeps the outcome of %s, and runs no hook again',
  async (event, own, read) => {
    const home = await createFolder();
    const cwd = await createFiles({ 'a.ts': '', 'b.md': '' });
    let clock = 1_000_000;
    let runs = 0;
    const results: string[] = [];
    const open = () => {
      const troupe = createOrchestrator({
        cwd,
        home,
        permissions: ALLOW_ALL,
        now: () => (clock += 1),
        model: createScriptedModel(({ messages }) => {
          if (messages.length === 1)
            return { tools: [{ name: 'Glob', input: { pattern: '*.ts' } }] };
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        }),
        hooks: {
          [event]: [
            {
              hooks: [
                (): Promise<HookOutput> => {
                  runs += 1;
                  const output = runs === 1 ? own : {};
                  return Promise.resolve({
                    hookSpecificOutput: { hookEventName: event, ...output },
                  });
                },
              ],
            },
          ],
        } as Hooks,
      });
      onTestFinished(() => troupe.close());
      return troupe;
    };
    const first = open();
    const session = first.session({ prompt: 'Go.' });
    await session.outcome;
    await first.close();
    const lines = allLines(session.directory);
    const heard = lines.findIndex(({ fields }) =>
      String(fields['key']).startsWith(`hook:${event}`),
    );
    writeCut(session.directory, join(dirname(session.directory), ID), lines.slice(0, heard + 1));
    await open().session({ resume: ID, staysOpen: false }).outcome;
    expect([runs, results.map((text) => text.includes(read))]).toEqual([1, [true, true]]);
  },
);
