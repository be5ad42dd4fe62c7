import { describe, expect, it } from 'vitest';
import type { CompactionOutcome } from '../../../../src/actors/agents/conversation/compaction-outcome.js';
import { rebuildAgent } from '../../../../src/actors/agents/conversation/rebuild.js';
import type { CompactionNews } from '../../../../src/actors/services/event-bus.js';
import type { SessionHandle } from '../../../../src/actors/contract/handles.js';
import { COMPACTED, toFirstMessage } from '../../../../src/core/agents/compaction.js';
import type { Message } from '../../../../src/core/messages.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { findRequestProblem } from '../../../../src/testing/check-request.js';
import { comparePrefix } from '../../../../src/testing/compare-prefix.js';
import { FEW_TOOLS } from '../../../support/few-tools.js';
import { agentEntries } from '../../../support/journals.js';
import { agentCall } from '../../../support/scripts.js';
import {
  createTroupe,
  createTroupeOverHttp,
  defineAgent,
  type TroupeOptions,
} from '../../../support/troupe.js';

const read = (file: string) => ({ name: 'Read', input: { file_path: file } });

/** A troupe whose requests are checked and kept: those of agents, and those for a summary. */
async function createCompacting(
  answer: (request: ModelRequest, said: number) => ScriptedReply,
  options: TroupeOptions = {},
  summary: (request: ModelRequest, count: number) => ScriptedReply = (_, count) => ({
    text: `Summary ${count}.`,
  }),
) {
  const requests: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  const made = await createTroupe(async (request) => {
    const copy = structuredClone(request);
    expect(findRequestProblem(JSON.parse(JSON.stringify(toRequestBody(request))))).toBe(undefined);
    if (request.tools.length === 0) {
      summaries.push(copy);
      return summary(request, summaries.length);
    }
    requests.push(copy);
    const own = requests.filter(({ origin }) => origin.agentId === request.origin.agentId);
    return answer(request, own.length);
  }, options);
  return { ...made, requests, summaries };
}

function newsOf(session: SessionHandle): CompactionNews[] {
  const news: CompactionNews[] = [];
  session.events.on('agent.compaction', (_, one) => news.push(one));
  return news;
}

async function untilIdle(session: SessionHandle): Promise<void> {
  await new Promise<void>((resolve) => session.events.once('agent.idle', () => resolve()));
}

function firstText([first]: readonly Message[]): string {
  const [block] = first?.content ?? [];
  return block?.type === 'text' ? block.text : '';
}

const LONG = 'word '.repeat(1_200); // 1,500 tokens, as the scripted model counts
/** A window that is short after three of them. */
const SHORT = { contextWindow: 8_000, maxTokens: 1_000, builtInTools: FEW_TOOLS };

const bodies = (requests: readonly ModelRequest[]) =>
  requests.map((request) => JSON.parse(JSON.stringify(toRequestBody(request))) as unknown);

/** The entries about compactions in the journal of an agent. */
async function outcomesOf(session: SessionHandle, agentId = session.agentId ?? '') {
  const entries = await agentEntries(session, agentId);
  return entries.flatMap((entry) =>
    entry.type === 'step.done' && entry.key.endsWith('/compact')
      ? [entry.result as CompactionOutcome]
      : [],
  );
}

const boundariesOf = (outcomes: readonly CompactionOutcome[]) =>
  outcomes.flatMap((outcome) => ('result' in outcome ? [toFirstMessage(outcome.result)] : []));

describe('a conversation whose window is short', () => {
  it('begins anew with a summary, the prompt, files that were read, and the newest exchange', async () => {
    const { troupe, at, requests, summaries } = await createCompacting(
      (_, said) => (said < 6 ? { text: LONG, tools: [read(at('a.txt'))] } : { text: 'Done.' }),
      { files: { 'a.txt': 'content\n' }, ...SHORT },
    );
    const session = troupe.session({ prompt: 'Read it.' });
    const news = newsOf(session);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });

    const [outcome, ...others] = await outcomesOf(session);
    expect(others).toEqual([]);
    expect(news).toEqual([
      { status: 'started', trigger: 'auto' },
      {
        status: 'done',
        report: {
          trigger: 'auto',
          preTokens: expect.any(Number) as number,
          postTokens: expect.any(Number) as number,
          summary: 'Summary 1.',
        },
      },
    ]);
    const first = requests.findIndex(
      ({ messages }) =>
        messages[0] !== requests[0]?.messages[0] && firstText(messages).startsWith(COMPACTED),
    );
    expect(first).toBeGreaterThan(2);
    const before = requests[first - 1]?.messages ?? [];
    const [begin, ...kept] = requests[first]?.messages ?? [];
    expect(begin).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: `${COMPACTED}\n\n<summary>\nSummary 1.\n</summary>` },
        {
          type: 'text',
          text: `Files that were read most recently, with their present content:\n<file path="${at('a.txt')}">\ncontent\n\n</file>`,
        },
        {
          type: 'text',
          text: 'You are still working on this request, repeated word for word:',
        },
        { type: 'text', text: 'Read it.' },
      ],
    });
    expect(kept.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(kept[1]).toMatchObject({ content: [{ type: 'tool_result' }] });

    expect(summaries).toHaveLength(1);
    const material = firstText(summaries[0]?.messages ?? []);
    expect(material).toContain('<user>\nRead it.\n</user>');
    expect(material).toContain('Read {"file_path"');
    expect(before.length).toBeGreaterThan(4);
    expect(comparePrefix(bodies(requests))).toMatchObject({ request: first, part: 'messages[0]' });
    expect(outcome).toMatchObject({ result: { hookResults: [] } });
    expect(
      comparePrefix(bodies(requests), boundariesOf(outcome === undefined ? [] : [outcome])),
    ).toBe(undefined);
    expect(session.usage().total.calls).toBe(requests.length + 1);
  });

  it('is not compacted if that is switched off', async () => {
    const { troupe, at, requests, summaries } = await createCompacting(
      (_, said) => (said < 6 ? { text: LONG, tools: [read(at('a.txt'))] } : { text: 'Done.' }),
      { files: { 'a.txt': 'content\n' }, ...SHORT, autoCompact: false },
    );
    expect(await troupe.session({ prompt: 'Read it.' }).result).toBe('Done.');
    expect([summaries, comparePrefix(bodies(requests))]).toEqual([[], undefined]);
  });

  it('stays as it is if no summary is available, and is left alone until it has grown', async () => {
    const { troupe, at, requests, summaries } = await createCompacting(
      (_, said) => (said < 6 ? { text: LONG, tools: [read(at('a.txt'))] } : { text: 'Done.' }),
      { files: { 'a.txt': 'content\n' }, ...SHORT, contextWindow: 8_000 },
      () => ({ text: ' ' }),
    );
    const session = troupe.session({ prompt: 'Read it.' });
    const news = newsOf(session);
    expect(await session.result).toBe('Done.');
    expect(news[1]).toEqual({
      status: 'failed',
      trigger: 'auto',
      failure: {
        code: 'SUMMARY_EMPTY',
        message: 'The conversation was not compacted: the model’s summary is empty.',
      },
    });
    expect(summaries.length).toBe(news.length / 2);
    expect(comparePrefix(bodies(requests))).toBe(undefined);
  });

  it('is compacted in a sub-agent too, which keeps its prompt word for word', async () => {
    const { troupe, at, requests } = await createCompacting(
      ({ origin }, said) => {
        if (origin.agentType !== 'worker')
          return said === 1
            ? { tools: [agentCall('worker', { prompt: 'Part one.' })] }
            : { text: 'Done.' };
        return said < 9 ? { text: LONG, tools: [read(at('a.txt'))] } : { text: 'Worked.' };
      },
      { files: { 'a.txt': 'content\n' }, ...SHORT, agents: [defineAgent('worker')] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.result).toBe('Done.');
    const own = requests.filter(({ origin }) => origin.agentType === 'worker');
    const starts = new Set(own.map(({ messages }) => firstText(messages)));
    expect(starts.size).toBeGreaterThan(2); // compacted again and again
    for (const { messages } of own)
      expect(messages[0]?.content).toContainEqual({ type: 'text', text: 'Part one.' });
    const outcomes = await outcomesOf(session, own[0]?.origin.agentId);
    expect(comparePrefix(bodies(own), boundariesOf(outcomes))).toBe(undefined);
  });

  it('is rebuilt from its journal, without a model', async () => {
    const { troupe, at } = await createCompacting(
      (_, said) => (said < 6 ? { text: LONG, tools: [read(at('a.txt'))] } : { text: 'Done.' }),
      { files: { 'a.txt': 'content\n' }, ...SHORT },
    );
    const session = troupe.session({ prompt: 'Read it.', staysOpen: true });
    await untilIdle(session);
    await session.compact();
    session.end();
    await session.outcome;
    const entries = await agentEntries(session, session.agentId ?? '');
    const messages = rebuildAgent(session.agentId ?? '', entries).conversation.messages();
    expect(messages).toHaveLength(1);
    expect(firstText(messages)).toContain('Summary 2.');
  });
});

describe('a compaction that is asked for', () => {
  const talk = (_: ModelRequest, said: number): ScriptedReply => ({ text: `Answer ${said}.` });

  it('happens at once if the agent is idle, and the next prompt follows it', async () => {
    const { troupe, requests, summaries } = await createCompacting(talk);
    const session = troupe.session({ prompt: 'One?', staysOpen: true });
    await untilIdle(session);
    const results: unknown[] = [];
    session.events.on('agent.idle', (_, turnOutcome) => results.push(turnOutcome));
    const report = await session.compact('the names');
    expect(report).toEqual({
      trigger: 'manual',
      preTokens: expect.any(Number) as number,
      postTokens: expect.any(Number) as number,
      summary: 'Summary 1.',
    });
    expect(firstText(summaries[0]?.messages ?? [])).toMatch(/this: the names$/);
    const again = untilIdle(session);
    await session.prompt('Two?');
    await again;
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Answer 2.' });
    expect(results[0]).toEqual({
      status: 'completed',
      result: `Compacted the conversation, which had ${report.preTokens} tokens.`,
    });
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: `${COMPACTED}\n\n<summary>\nSummary 1.\n</summary>` }],
      [{ type: 'text', text: 'Two?' }],
    ]);
  });

  it('is refused if there is nothing to compact, and if the session has ended', async () => {
    const { troupe, summaries } = await createCompacting(talk);
    const session = troupe.session({ staysOpen: true });
    await expect(session.compact()).rejects.toMatchObject({ code: 'NOTHING_TO_COMPACT' });
    await session.kill();
    await expect(session.compact()).rejects.toMatchObject({ code: 'AGENT_ENDED' });
    expect(summaries).toEqual([]);
  });

  it('waits for the next request of an agent that is at work', async () => {
    let session: SessionHandle | undefined;
    let report: Promise<unknown> | undefined;
    const made = await createCompacting(
      (_, said) => {
        if (said === 3) report = session?.compact();
        return said < 4 ? { tools: [read(made.at('a.txt'))] } : { text: 'Done.' };
      },
      { files: { 'a.txt': 'content\n' } },
    );
    session = made.troupe.session({ prompt: 'Read it.' });
    expect(await session.result).toBe('Done.');
    expect(await report).toMatchObject({ trigger: 'manual', summary: 'Summary 1.' });
    expect(made.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 3]);
  });

  it('is given up when the agent is interrupted, and the conversation is as it was', async () => {
    let interrupt = (): void => {};
    const { troupe, requests } = await createCompacting(talk, {}, () => {
      interrupt();
      return { text: 'Too late.', delayMs: 10_000 };
    });
    const session = troupe.session({ prompt: 'One?', staysOpen: true });
    await untilIdle(session);
    interrupt = () => session.interrupt();
    await expect(session.compact()).rejects.toMatchObject({ code: 'INTERRUPTED' });
    const again = untilIdle(session);
    await session.prompt('Two?');
    await again;
    await session.kill();
    expect(comparePrefix(bodies(requests))).toBe(undefined);
  });

  it('is shown by `inspect()` during the summary, and ends with the session', async () => {
    let summaries = 0;
    const { troupe } = await createTroupeOverHttp({
      handler({ body }) {
        if (body['tools'] !== undefined) return { text: LONG };
        return (summaries += 1) === 1 ? { status: 529 } : { connection: 'silent' };
      },
    });
    const session = troupe.session({ prompt: 'One?', staysOpen: true });
    await untilIdle(session);
    const failed = session.compact().catch((error: unknown) => error);
    const compacting = () => {
      const agent = troupe.inspect().children[0]?.children[0];
      return agent?.state === 'compacting' ? agent.waitingFor : undefined;
    };
    await expect.poll(compacting).toEqual([expect.stringMatching(/^retry 1 of .+\(.*529.*\)$/)]);
    const asked = /^the summary: the first event of the model, requested at \S+Z$/;
    await expect.poll(compacting).toEqual([expect.stringMatching(asked)]);
    await session.kill();
    expect(await failed).toMatchObject({ name: 'CompactionFailedError' });
  });
});

describe('a request that is too long', () => {
  const tooLong = {
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 210000 tokens > 200000 maximum',
    },
  };

  /** Answers that it is too long until it was compacted, `times` times in all. */
  async function createOverflowing(times: number, options: TroupeOptions = {}) {
    let refusals = 0;
    let turn = 0;
    const made = await createTroupeOverHttp(
      {
        handler: ({ body }) => {
          if (body['tools'] === undefined) return { text: 'Summary.' };
          if (turn === 2 && refusals < times) {
            refusals += 1;
            return tooLong;
          }
          turn += 1;
          return turn <= 2 ? { tools: [read(made.at('a.txt'))] } : { text: 'Done.' };
        },
      },
      { files: { 'a.txt': 'content\n' }, ...options },
    );
    return made;
  }

  it('is made again, over the compacted conversation', async () => {
    const { troupe, api } = await createOverflowing(1);
    const session = troupe.session({ prompt: 'Read it.', maxTurns: 3 });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const sent = api.requests.map(({ body }) => body);
    expect(sent.map(({ messages, tools }) => [messages.length, tools !== undefined])).toEqual([
      [1, true],
      [3, true],
      [5, true],
      [1, false],
      [3, true],
    ]);
    const own = sent.filter(({ tools }) => tools !== undefined);
    expect(comparePrefix(own, boundariesOf(await outcomesOf(session)))).toBe(undefined);
  });

  it('fails if it is too long again', async () => {
    const { troupe, api } = await createOverflowing(2);
    expect(await troupe.session({ prompt: 'Read it.' }).outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'CONTEXT_WINDOW_EXCEEDED' },
    });
    expect(api.requests).toHaveLength(5);
  });

  it('fails at once if nothing may be compacted by itself', async () => {
    const { troupe, api } = await createOverflowing(1, { autoCompact: false });
    expect(await troupe.session({ prompt: 'Read it.' }).outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'CONTEXT_WINDOW_EXCEEDED' },
    });
    expect(api.requests).toHaveLength(3);
  });
});
