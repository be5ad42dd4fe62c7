import { cpSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resultText, type Message, type ToolResultBlock } from '../../../src/core/messages.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { resultsToReplace } from '../../../src/context/result-budget.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { createAnthropicModel } from '../../../src/model/anthropic/anthropic-model.js';
import { allLines, writeCut } from '../../support/cut-journal.js';
import { bashCall } from '../../support/scripts.js';
import { ALLOW_ALL, createTroupeOverHttp } from '../../support/troupe.js';

/** A window for results of 40,000 characters, less than four of these commands print. */
const CONTEXT_WINDOW = 20_000;
const printed = (line: string) => bashCall(`yes ${line} | head -c 12000`);

function resultsIn({ body }: FakeRequest): readonly string[] {
  return (body.messages as unknown as readonly Message[])
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .flatMap((block) => (block.type === 'tool_result' ? [resultText(block)] : []));
}

/** The results, each reference as the text of its file. */
function wholeTexts(results: readonly string[]): readonly string[] {
  return results.map((text) => {
    const path = /^\[Full output saved to (.+)\]\n<preview>\n/.exec(text)?.[1];
    return path === undefined ? text : readFileSync(path, 'utf8');
  });
}

async function run(replies: readonly FakeReply[]) {
  const turnOf = ({ body }: FakeRequest) =>
    body.messages.filter(({ role }) => role === 'assistant').length;
  const world = await createTroupeOverHttp(
    { handler: (request) => replies[turnOf(request)] ?? { status: 400 } },
    { contextWindow: CONTEXT_WINDOW, autoCompact: false },
  );
  const session = world.troupe.session({ prompt: 'Go.' });
  return { ...world, session, outcome: await session.outcome };
}

describe('results that are too much for the window', () => {
  it('become references to files, the oldest first, each once', async () => {
    const { api, outcome } = await run([
      ...['one', 'two', 'three', 'four'].map((word) => ({ tools: [printed(word)] })),
      { tools: [bashCall('echo five')] },
      { text: 'Done.' },
    ]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const lengths = api.requests.map((request) => resultsIn(request).map(({ length }) => length));
    expect(lengths.slice(0, 4)).toEqual(
      [[], [11_999], [11_999, 11_999], [11_999, 11_999, 11_999]].map((list) =>
        list.map(() => expect.any(Number)),
      ),
    );
    const [before, after, last] = api.requests.slice(3).map(resultsIn);
    expect(before!.every((text) => text.length > 11_000)).toBe(true);
    const [one, two, three, four] = after!;
    for (const [text, word] of [
      [one, 'one'],
      [two, 'two'],
      [three, 'three'],
    ] as const) {
      const path = /^\[Full output saved to (.+)\]\n<preview>\n/.exec(text!)?.[1] ?? '';
      expect(readFileSync(path, 'utf8')).toBe(before![['one', 'two', 'three'].indexOf(word)]);
      expect(text!.length).toBeLessThan(1_500);
    }
    expect(four!.startsWith('four\nfour\n')).toBe(true);
    expect(last!.slice(0, 4)).toEqual(after);
  });

  it('are the same references after a resume', async () => {
    const { api, troupe, session } = await run([
      ...['one', 'two', 'three', 'four'].map((word) => ({ tools: [printed(word)] })),
      { text: 'Done.' },
      { text: 'Again.' },
    ]);
    const again = troupe.session({ resume: session.sessionId, prompt: 'And now?' });
    expect((await again.outcome).status).toBe('completed');
    const [before, after] = api.requests.slice(-2).map(({ body }) => body.messages);
    const plain = (messages: unknown) =>
      JSON.stringify(messages, (key, value: unknown) =>
        key === 'cache_control' ? undefined : value,
      );
    expect(plain(after!.slice(0, before!.length))).toBe(plain(before));
  });

  it('are whole after a process died with the files and without the line of the references', async () => {
    const { api, cwd, home, troupe, session } = await run([
      ...['one', 'two', 'three', 'four'].map((word) => ({ tools: [printed(word)] })),
      { text: 'Done.' },
      { text: 'Again.' },
    ]);
    await troupe.close();
    const before = resultsIn(api.requests.at(-1)!);
    const whole = wholeTexts(before);
    const lines = allLines(session.directory);
    const replaced = lines.findIndex(({ fields }) => String(fields['key']).endsWith('/replace'));
    const copy = `${session.directory}.copy`;
    cpSync(session.directory, copy, { recursive: true });
    writeCut(copy, session.directory, lines.slice(0, replaced));
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test' });
    const options = { contextWindow: CONTEXT_WINDOW, autoCompact: false, permissions: ALLOW_ALL };
    const again = createOrchestrator({ ...options, model, cwd, home });
    onTestFinished(() => again.close());
    const resumed = again.session({ resume: session.sessionId, prompt: 'And now?' });
    expect(await resumed.outcome).toMatchObject({ status: 'completed' });
    expect(api.problems).toEqual([]);
    const after = resultsIn(api.requests.at(-1)!);
    expect(after).not.toEqual(before); // other files
    expect(wholeTexts(after)).toEqual(whole);
  });

  it('end the session with the reason if their files cannot be written', async () => {
    const { api, outcome } = await run([
      ...['one', 'two', 'three'].map((word) => ({ tools: [printed(word)] })),
      {
        tools: [
          bashCall(
            'cd ../*home/projects/*/* && rm -r output && touch output; yes four | head -c 12000',
          ),
        ],
      },
      { text: 'Never said.' },
    ]);
    expect(outcome).toEqual({
      status: 'killed',
      reason: expect.stringMatching(
        /^The journal cannot be written: a part of its path is a file, not a folder \(output\/s\w+-1\.txt\)$/,
      ),
    });
    expect(api.requests).toHaveLength(4);
  });
});

describe('the results to replace', () => {
  const result = (id: string, length: number): ToolResultBlock => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'x'.repeat(length),
  });
  const messages: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'x'.repeat(100_000) }] },
    { role: 'user', content: [result('a', 5_000), result('b', 100), result('c', 6_000)] },
    { role: 'user', content: [result('d', 50_000)] },
  ];
  const ids = (most: number) => resultsToReplace(messages, most).map((block) => block.tool_use_id);

  it('are as few of the oldest as are needed', () => {
    expect([ids(61_100), ids(61_000), ids(56_000), ids(0)]).toEqual([
      [],
      ['a'],
      ['a', 'c'],
      ['a', 'c'],
    ]);
  });
});
