import { describe, expect, it } from 'vitest';
import type { Classifier, ClassifierQuestion } from '../../../src/actors/options/classifier.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { createGate } from '../../support/gate.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const AUTO: ToolPermissionContext = { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true };
const CHANGE = { name: 'Change', input: { what: 'it' } };

/** A session in the mode `auto` whose agent uses Change once. `helper` answers the small model's requests. */
async function changeOnce({
  classifier,
  helper,
  permissions = AUTO,
  answer,
}: {
  readonly classifier?: Classifier;
  readonly helper?: ScriptedReply;
  readonly permissions?: ToolPermissionContext;
  readonly answer?: (request: PermissionRequest) => Promise<'allow' | undefined>;
}) {
  const { tool, ran } = createChangeTool();
  const results: ToolResultBlock[] = [];
  const models: string[] = [];
  const asked: PermissionRequest[] = [];
  const main = playParts({
    main: [
      { tools: [CHANGE] },
      ({ messages }) => {
        results.push(...newestResults(messages));
        return { text: 'Continued.' };
      },
    ],
  });
  const { troupe } = await createTroupe(
    (request) => {
      models.push(request.model);
      return request.model.includes('haiku') && helper !== undefined ? helper : main(request);
    },
    { tools: [tool], permissions, ...(classifier === undefined ? {} : { classifier }) },
  );
  if (answer !== undefined)
    troupe.approvals.onRequest(async (request) => {
      asked.push(request);
      const behavior = await answer(request);
      return behavior && { behavior };
    });
  const session = troupe.session({ prompt: 'Change it, please.' });
  const updated: PermissionRequest[] = [];
  session.events.on('permission.updated', (request) => updated.push(request));
  await session.outcome;
  return { ran, asked, updated, models, results: results.map(resultText), usage: session.usage() };
}

const never = (): Promise<undefined> => new Promise(() => {});

describe('the mode auto', () => {
  it('lets the classifier decide, and tells it what the user wants', async () => {
    const questions: ClassifierQuestion[] = [];
    const classifier: Classifier = {
      classify: (question) => {
        questions.push(question);
        return Promise.resolve({ behavior: 'allow', reason: 'It was asked for.' });
      },
    };
    const { ran } = await changeOnce({ classifier });
    expect(ran).toEqual(['it']);
    expect(questions).toMatchObject([
      { toolName: 'Change', input: { what: 'it' }, agentType: 'main' },
    ]);
    expect(questions[0]?.transcript).toContain('User: Change it, please.');
  });

  it('tells the model of a refusal in the classifier’s name', async () => {
    const { ran, results } = await changeOnce({
      classifier: {
        name: 'guard',
        classify: () => Promise.resolve({ behavior: 'deny', reason: 'Too much.' }),
      },
    });
    expect(ran).toEqual([]);
    expect(results).toEqual([
      'Permission to use Change was denied by the classifier guard: Too much. The user was not asked.',
    ]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['answers nonsense', () => Promise.resolve({ behavior: 'yes' } as never)],
    ['leaves it open', () => Promise.resolve({ behavior: 'ask' as const, reason: 'Unsure.' })],
  ])(
    'asks a person if the classifier %s, and denies if no person can decide',
    async (_, classify) => {
      const alone = await changeOnce({ classifier: { classify } });
      expect(alone.ran).toEqual([]);
      expect(alone.results).toEqual([expect.stringContaining('nobody is there')]);
      const { ran, asked } = await changeOnce({
        classifier: { classify },
        answer: () => Promise.resolve('allow'),
      });
      expect([ran, asked.length]).toEqual([['it'], 1]);
    },
  );

  it('shows a waiting ask that the classifier is at work on it, and when it has ended', async () => {
    const gate = createGate();
    const classifier: Classifier = {
      name: 'guard',
      async classify() {
        await gate.opened;
        return { behavior: 'ask', reason: 'Unsure.' };
      },
    };
    const { asked, updated } = await changeOnce({
      classifier,
      answer: async () => {
        gate.open();
        await new Promise((done) => setImmediate(done));
        await new Promise((done) => setImmediate(done));
        return 'allow';
      },
    });
    expect(asked.map((one) => one.pendingClassifierCheck)).toEqual(['guard']);
    expect(updated.map((one) => one.pendingClassifierCheck)).toEqual([undefined]);
  });

  it('takes the first decision: it does not wait for a slow person', async () => {
    const { ran } = await changeOnce({
      classifier: { classify: () => Promise.resolve({ behavior: 'allow', reason: 'Fine.' }) },
      answer: never,
    });
    expect(ran).toEqual(['it']);
  });

  it('never asks the classifier about what a rule asks for', async () => {
    let questions = 0;
    const classifier: Classifier = {
      classify: () => {
        questions += 1;
        return Promise.resolve({ behavior: 'allow', reason: 'Fine.' });
      },
    };
    const { ran } = await changeOnce({
      classifier,
      permissions: { ...AUTO, alwaysAskRules: { session: ['Change'] } },
    });
    expect([ran, questions]).toEqual([[], 0]);
  });

  it.each([
    ['.npmrc', 1, 'shows in what the project says has changed'],
    ['.vscode/settings.json', 1, 'too'],
    ['.git/hooks/pre-commit', 0, 'shows nowhere'],
    ['.troupe/settings.json', 0, 'is Troupe’s own'],
    ['.mcp.json', 0, 'too'],
  ])('asks the classifier about a change of %s: %i times, it %s', async (name, times) => {
    let questions = 0;
    const classifier: Classifier = {
      classify: () => {
        questions += 1;
        return Promise.resolve({ behavior: 'allow', reason: 'It was asked for.' });
      },
    };
    const input = { file_path: name, content: 'x' };
    const script = playParts({ main: [{ tools: [{ name: 'Write', input }] }, { text: 'Done.' }] });
    const { troupe, text } = await createTroupe(script, { permissions: AUTO, classifier });
    await troupe.session({ prompt: 'Write it.' }).outcome;
    const written = await text(name).catch(() => 'nothing');
    expect({ questions, written }).toEqual({
      questions: times,
      written: times === 1 ? 'x' : 'nothing',
    });
  });

  it('shows nobody an ask that waits for the classifier first, if that is wanted', async () => {
    const order: string[] = [];
    const classifier = (behavior: 'allow' | 'ask'): Classifier => ({
      async classify() {
        await new Promise((done) => setImmediate(done));
        order.push('classified');
        return { behavior, reason: 'It says so.' };
      },
    });
    const permissions = { ...AUTO, awaitAutomatedChecksBeforeDialog: true };
    const answer = (): Promise<'allow'> => {
      order.push('shown');
      return Promise.resolve('allow');
    };
    const settled = await changeOnce({ classifier: classifier('allow'), permissions, answer });
    expect([settled.ran, order]).toEqual([['it'], ['classified']]);
    const open = await changeOnce({ classifier: classifier('ask'), permissions, answer });
    expect([open.ran, order]).toEqual([['it'], ['classified', 'classified', 'shown']]);
  });

  it('waits for the classifier first if a worker of the coordinator asks', async () => {
    const { tool, ran } = createChangeTool();
    const order: string[] = [];
    const script = playParts({
      coordinator: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
      worker: [{ tools: [CHANGE] }, { text: 'Changed.' }],
    });
    const { troupe } = await createTroupe(script, {
      tools: [tool],
      permissions: AUTO,
      classifier: {
        async classify() {
          await new Promise((done) => setImmediate(done));
          order.push('classified');
          return { behavior: 'ask', reason: 'Unsure.' };
        },
      },
    });
    troupe.approvals.onRequest(() => {
      order.push('shown');
      return Promise.resolve({ behavior: 'allow' });
    });
    const session = troupe.session({ agent: 'coordinator', prompt: 'Change it.' });
    await session.outcome;
    expect({ ran, order }).toEqual({ ran: ['it'], order: ['classified', 'shown'] });
  });

  it('asks a small model if nobody brings a classifier, and counts what it uses', async () => {
    const { ran, models, usage } = await changeOnce({
      helper: { text: '{"behavior":"allow","reason":"It was asked for."}' },
    });
    expect(ran).toEqual(['it']);
    expect(models.filter((model) => model.includes('haiku'))).toHaveLength(1);
    expect([...usage.byModel.values()].reduce((calls, total) => calls + total.calls, 0)).toBe(3);
  });

  it('takes nothing but one whole verdict from the small model', async () => {
    const { ran } = await changeOnce({
      helper: { text: 'Sure! {"behavior":"allow","reason":"It was asked for."}' },
    });
    expect(ran).toEqual([]);
  });

  it('is not entered if nothing classifies', async () => {
    const { troupe } = await createTroupe(() => ({ text: '' }), { permissions: ASK_FIRST });
    expect(() => troupe.session({ permissionMode: 'auto' })).toThrow(
      'The permission mode "auto" is not available',
    );
  });
});
