import { describe, expect, it } from 'vitest';
import type { Classifier, ClassifierVerdict } from '../../../src/actors/options/classifier.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { bashCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const AUTO: ToolPermissionContext = { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true };
const YES: ClassifierVerdict = { behavior: 'allow', reason: 'Fine.' };
const change = { tools: [{ name: 'Change', input: { what: 'it' } }] };

/** A classifier that allows whatever it is asked about, and remembers for what. */
function yesMan() {
  const asked: string[] = [];
  const classifier: Classifier = {
    name: 'yes-man',
    classify: ({ toolName, text }) => {
      asked.push(`${toolName} ${text}`);
      return Promise.resolve(YES);
    },
  };
  return { classifier, asked };
}

describe('a classifier that allows everything', () => {
  it.each([
    ['a command that a rule denies', bashCall('rm -r build'), 'denied by the rule'],
    ['a command that a rule asks for', bashCall('git push'), 'nobody is there'],
    ['the removal of what nothing brings back', bashCall('rm -rf /'), 'nobody is there'],
    ['a command that cannot be taken apart', bashCall('echo "$(id)'), 'nobody is there'],
    [
      'a protected file',
      { name: 'Write', input: { file_path: '.git/hooks/pre-commit', content: 'x' } },
      'nobody is there',
    ],
    [
      'a question',
      {
        name: 'AskUserQuestion',
        input: {
          questions: [
            {
              question: 'Which?',
              header: 'One',
              multiSelect: false,
              options: [
                { label: 'a', description: 'a' },
                { label: 'b', description: 'b' },
              ],
            },
          ],
        },
      },
      'Nobody is there who could answer',
    ],
  ])('is not asked about %s', async (_, use, told) => {
    const { classifier, asked } = yesMan();
    const results: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [use] },
          ({ messages }) => {
            results.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      }),
      {
        classifier,
        permissions: {
          ...AUTO,
          alwaysDenyRules: { session: ['Bash(rm -r *)'] },
          alwaysAskRules: { session: ['Bash(git push *)', 'Bash(git push)'] },
        },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(asked).toEqual([]);
    expect(results).toEqual([expect.stringContaining(told)]);
  });
});

describe('a classifier that is slow', () => {
  it('is waited for no longer than a minute, and a person is asked from the start', async () => {
    const time = createSimulatedTime();
    const { tool, ran } = createChangeTool();
    const began = createGate();
    const { troupe } = await createTroupe(playParts({ main: [change, { text: 'Done.' }] }), {
      tools: [tool],
      permissions: AUTO,
      clock: time.clock,
      now: time.now,
      classifier: {
        classify: () => {
          began.open();
          return new Promise(() => {}); // not even for its signal
        },
      },
    });
    const session = troupe.session({ prompt: 'Go.' });
    await began.opened;
    time.advance(60_001);
    await session.outcome;
    expect(ran).toEqual([]);
    const [line] = await linesOf(session, 'audit.jsonl', 'permission.classified');
    expect(line).toMatchObject({
      behavior: 'ask',
      reason: 'classifier could not say: it did not answer within 60 s',
    });
  });

  it('comes too late if a person has refused: nothing runs', async () => {
    const { tool, ran } = createChangeTool();
    const verdict = createGate<ClassifierVerdict>();
    const { troupe } = await createTroupe(
      playParts({
        main: [
          change,
          async () => {
            verdict.open(YES);
            await new Promise((done) => setImmediate(done));
            return { text: 'Done.' };
          },
        ],
      }),
      { tools: [tool], permissions: AUTO, classifier: { classify: () => verdict.opened } },
    );
    troupe.approvals.onRequest(() => Promise.resolve({ behavior: 'deny', message: 'No.' }));
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(ran).toEqual([]);
    const answered = await linesOf(session, 'audit.jsonl', 'permission.answered');
    expect(answered.map(({ behavior, by }) => [behavior, by])).toEqual([['deny', 'person']]);
  });

  it('does not count if the session left the mode or got a rule meanwhile', async () => {
    for (const update of [
      { type: 'setMode', mode: 'plan', destination: 'session' },
      {
        type: 'addRules',
        behavior: 'ask',
        rules: [{ toolName: 'Change' }],
        destination: 'session',
      },
    ] as const) {
      const { tool, ran } = createChangeTool();
      const { troupe } = await createTroupe(playParts({ main: [change, { text: 'Done.' }] }), {
        tools: [tool],
        permissions: AUTO,
        classifier: {
          classify: () => {
            session.updatePermissions([update]);
            return Promise.resolve(YES);
          },
        },
      });
      const session = troupe.session({ prompt: 'Go.' });
      await session.outcome;
      expect(ran).toEqual([]);
    }
  });
});

describe('rules that would let anything run', () => {
  it('are put aside while the mode is auto, and hold again after it', async () => {
    const { classifier, asked } = yesMan();
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [bashCall('node -e 1')] },
          () => {
            session.setPermissionMode('default');
            return { tools: [bashCall('node -e 2')] };
          },
          () => {
            session.setPermissionMode('auto');
            return { tools: [bashCall('node -e 3')] };
          },
          { text: 'Done.' },
        ],
      }),
      {
        classifier,
        permissions: {
          ...ASK_FIRST,
          isAutoModeAvailable: true,
          alwaysAllowRules: { session: ['Bash(node *)'] },
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.', permissionMode: 'auto' });
    await session.outcome;
    expect(asked).toEqual([
      expect.stringContaining('node -e 1'),
      expect.stringContaining('node -e 3'),
    ]);
    const judged = await linesOf(session, 'audit.jsonl', 'permission.judged');
    expect(judged.map(({ mode, behavior }) => [mode, behavior])).toEqual([
      ['auto', 'ask'],
      ['default', 'allow'],
      ['auto', 'ask'],
    ]);
  });
});

describe('what a small model uses to classify', () => {
  it('counts in the budget of the task', async () => {
    const { tool, ran } = createChangeTool();
    const main = playParts({ main: [change, { text: 'Never said.' }] });
    const { troupe } = await createTroupe(
      (request) =>
        request.model.includes('haiku')
          ? { text: '{"behavior":"allow","reason":"Fine."}' }
          : main(request),
      { tools: [tool], permissions: AUTO },
    );
    const session = troupe.session({ prompt: 'Go.', taskBudget: { turns: 2 } });
    expect(await session.outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'BUDGET_EXCEEDED' },
    });
    expect([ran, session.usage().total.calls]).toEqual([['it'], 2]);
  });
});
