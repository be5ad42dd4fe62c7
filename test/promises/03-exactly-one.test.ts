import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { isTerminalTaskStatus, type TaskStatus } from '../../src/core/task-types.js';
import type { PermissionRequest } from '../../src/core/events.js';
import type { AssistantMessage } from '../../src/core/messages.js';
import type { AgentEntry } from '../../src/journal/entries/agent-entries.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, bash, requestsOf, results, textOf, write } from '../e2e/support/answers.js';
import { agentJournals, journalLines } from '../e2e/support/journal-files.js';
import { createPlace } from '../e2e/support/place.js';
import { ASKS, isAskFor, isResult, reply, say } from '../e2e/support/stream-client.js';
import type { Line } from '../e2e/support/troupe-process.js';
import { createGate } from '../support/gate.js';
import { createChangeTool } from '../support/probe-tools.js';
import { playParts } from '../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../support/troupe.js';

const report: string[] = [];
afterAll(() => console.log(['exactly one', ...report].join('\n  ')));

const WORKERS = Array.from({ length: 10 }, (_, index) => `w${index}`);
const TURNS = 5;
const USES_A_TURN = 4;
/** Words that only a person's refusal has. */
const BY_A_PERSON = /denied by the user|the user (said|did not)/i;

describe('promise 3: exactly one', () => {
  it('has one decision an ask, one end a task and one result a use, over 200 uses that are answered twice', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'here.txt': 'here' });
    /** Two writes that are asked for, one that is allowed or fails, one that goes wrong in its own way. */
    const usesOf = (worker: string, turn: number) => {
      const odd = [
        { name: 'Read', input: { file_path: place.at('absent.txt') } },
        { name: 'Nothing', input: {} },
        { name: 'Read', input: { path: 1 } },
        { name: 'Read', input: { file_path: place.at('here.txt') } },
      ];
      return [
        write(place.at(`${worker}-${turn}-allow.txt`), worker),
        { name: 'Glob', input: { pattern: '*.txt' } },
        odd[turn % odd.length] as (typeof odd)[number],
        write(place.at(`${worker}-${turn}-deny.txt`), worker),
      ];
    };
    const doomedAsks = createGate();
    let doomed = '';
    const api = await place.api({
      handler: answer({
        go: [
          {
            tools: ['doomed', ...WORKERS].map((name) =>
              agent(name, { name, run_in_background: true }),
            ),
          },
          async (request) => {
            doomed = /Task: (\w{9})/.exec(textOf(results(request)[0]?.content))?.[1] ?? '';
            await doomedAsks.opened;
            return { tools: [{ name: 'TaskStop', input: { task_id: doomed } }] };
          },
          () => ({ tools: [agent('What happened?', { resume: doomed })] }),
          { text: 'Done.' },
        ],
        doomed: [
          { tools: [bash('touch doomed'), bash('touch behind')] },
          { tools: [bash('exit 3'), bash('touch after')] },
          { text: 'I know.' },
        ],
        ...Object.fromEntries(
          WORKERS.map((worker) => [
            worker,
            [
              ...Array.from({ length: TURNS }, (_, turn) => ({ tools: usesOf(worker, turn) })),
              { text: `${worker} is done.` },
            ],
          ]),
        ),
      }),
    });
    const troupe = place.start([...ASKS, '--allowedTools', 'Bash(exit *)'], { api, input: 'open' });
    troupe.send(say('go'));

    const asks = new Map<string, string>();
    const answerTwice = (line: Line): void => {
      const id = String(line['request_id']);
      const text = JSON.stringify(line['request']);
      if (asks.has(id) || line.type !== 'control_request') return;
      asks.set(id, text);
      if (text.includes('touch doomed')) return doomedAsks.open();
      const allow = { behavior: 'allow' };
      const deny = { behavior: 'deny', message: 'not this one' };
      const both = text.includes('-allow.txt') ? [allow, deny] : [deny, allow];
      for (const each of both) troupe.send(reply(line, each));
    };
    const isLast = (line: Line): boolean => {
      answerTwice(line);
      return isResult(line);
    };
    await troupe.line('the result', isLast);
    const late = troupe.lines.find(isAskFor('touch doomed')) as Line;
    troupe.send(reply(late, { behavior: 'allow' }));
    await troupe.line('the answer to the late one', (line) => line['status'] === 'cancelled');
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect([code, api.problems]).toEqual([0, []]);

    // one decision an ask
    const session = await place.session();
    const audit = await journalLines(session, 'audit.jsonl');
    const ofType = (type: string) => audit.filter((line) => line.type === type);
    const decided = [...ofType('permission.answered'), ...ofType('permission.cancelled')];
    expect(decided.map(({ requestId }) => requestId).toSorted()).toEqual(
      [...asks.keys()].toSorted(),
    );
    expect(ofType('permission.cancelled')).toHaveLength(1);
    const told = lines.filter((line) => line['subtype'] === 'already_decided');
    expect(
      countBy(told.map((line) => `${String(line['status'])} ${String(line['decided_by'])}`)),
    ).toEqual({
      'already_decided stdio': asks.size - 1,
      'cancelled null': 1,
    });
    expect(told.map((line) => line['request_id']).toSorted()).toEqual([...asks.keys()].toSorted());
    const written = (await place.files()).filter((name) => name !== 'here.txt');
    const allowed = WORKERS.flatMap((worker) =>
      Array.from({ length: TURNS }, (_, turn) => `${worker}-${turn}-allow.txt`),
    );
    expect(written).toEqual(allowed.toSorted());

    // one end a task
    const tasks = await journalLines(session, 'tasks.jsonl');
    const begun = tasks.filter(({ status }) => status === 'pending').map(({ id }) => String(id));
    const ended = tasks.filter(({ status }) => isTerminalTaskStatus(status as TaskStatus));
    expect(ended.map(({ id }) => String(id)).toSorted()).toEqual(begun.toSorted());
    expect(ended.filter(({ status }) => status === 'killed').map(({ id }) => id)).toEqual([doomed]);

    // one result a use
    const journals = await agentJournals(session);
    const uses = [...journals.values()].flatMap(usesIn);
    const done = [...journals.values()].flatMap(resultsIn);
    expect(new Set(uses).size).toBe(uses.length);
    expect(done.toSorted()).toEqual(uses.toSorted());
    expect(uses.length).toBeGreaterThanOrEqual(WORKERS.length * TURNS * USES_A_TURN);
    for (const worker of WORKERS) {
      const [last] = requestsOf(api, worker).slice(-1);
      expect(countOf(last, 'tool_result')).toBe(TURNS * USES_A_TURN);
    }

    // what the system has ended is no refusal
    const aborted = requestsOf(api, 'doomed').flatMap((request) =>
      results(request).map(({ content }) => textOf(content)),
    );
    expect(aborted).toEqual([
      'Stopped by the system because its task was ended. Nobody refused it.',
      'Stopped by the system because its task was ended. Nobody refused it.',
      expect.stringContaining('3'),
      expect.stringMatching(/^Cancelled: parallel tool call /),
    ]);
    expect(aborted.filter((text) => BY_A_PERSON.test(text))).toEqual([]);
    const refused = WORKERS.flatMap((worker) => requestsOf(api, worker)).flatMap((request) =>
      results(request).filter(({ content }) => BY_A_PERSON.test(textOf(content))),
    );
    expect(refused).toHaveLength(WORKERS.length * TURNS);
    report.push(
      `${asks.size} asks, ${2 * asks.size - 1} answers: ${decided.length} decisions, ${told.length} came too late`,
      `${begun.length} tasks: ${ended.length} ends`,
      `${uses.length} uses: ${done.length} results, ${refused.length} refused by a person, ${aborted.length} of an agent that was killed: 0 told as refused`,
    );
  });

  it('tells the second of two approvers who was first', async () => {
    const { tool, ran } = createChangeTool();
    const names = Array.from({ length: 20 }, (_, index) => `change ${index}`);
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: names.map((what) => ({ name: 'Change', input: { what } })) },
          { text: 'Done.' },
        ],
      }),
      { tools: [tool], permissions: ASK_FIRST },
    );
    const wrong: unknown[] = [];
    let answers = 0;
    const firsts = new Map<string, string>();
    const race = async ({ requestId, input }: PermissionRequest): Promise<void> => {
      const [first, second] =
        firsts.size % 2 === 0 ? (['ann', 'ben'] as const) : (['ben', 'ann'] as const);
      firsts.set(String(input['what']), first);
      const says = {
        ann: { behavior: 'allow' },
        ben: { behavior: 'deny', message: 'not this one' },
      } as const;
      const receipts = await Promise.all(
        [first, second, first].map((by) => troupe.approvals.decide(requestId, says[by], by)),
      );
      answers += receipts.length;
      const late = { status: 'already_decided', by: first };
      if (!isDeepStrictEqual(receipts, [{ status: 'accepted' }, late, late])) wrong.push(receipts);
    };
    troupe.approvals.onRequest(async (request) => {
      await race(request);
      return undefined;
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(wrong).toEqual([]);
    expect(ran.toSorted()).toEqual(names.filter((name) => firsts.get(name) === 'ann').toSorted());
    report.push(
      `in process: ${firsts.size} asks, ${answers} answers of 2 people: ${ran.length} allowed, by who was first`,
    );
  });

  it('is not a person who refuses if nobody is attached any more', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [write(place.at('a.txt'), 'a')] }, { text: 'Well.' }],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    await troupe.line('the ask', isAskFor('a.txt'));
    troupe.endInput();
    expect((await troupe.ended).code).toBe(0);
    const [result] = results(api.requests[1]);
    expect(textOf(result?.content)).toMatch(/nobody is there/);
    expect(textOf(result?.content)).not.toMatch(BY_A_PERSON);
    expect(await place.files()).toEqual([]);
  });
});

/** Ids of the uses that the model has asked for. */
function usesIn(entries: readonly AgentEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'step.done' || !entry.key.endsWith('/model')) return [];
    const { message } = entry.result as { message: AssistantMessage }; // a model step's result
    return message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  });
}

/** Ids of the uses that have a result. */
function resultsIn(entries: readonly AgentEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.type === 'step.done' ? (/\/tool:(\w+)$/.exec(entry.key)?.slice(1) ?? []) : [],
  );
}

function countOf(request: FakeRequest | undefined, type: string): number {
  const blocks = request?.body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  return blocks?.filter((block) => block.type === type).length ?? 0;
}

function countBy(keys: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
