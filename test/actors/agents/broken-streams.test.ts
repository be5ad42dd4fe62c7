import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type {
  FakeMessagesApiOptions,
  FakeRequestBody,
} from '../../../src/testing/fake-messages-api.js';
import { eventsOf, type FakeReply, type StreamFault } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { bashCall } from '../../support/scripts.js';
import { createSimulatedTime, skipRetryWaits } from '../../support/simulated-time.js';
import { createTroupeOverHttp } from '../../support/troupe.js';

/** Leaves a line in a file each time it runs. */
const MarkTool = buildTool({
  name: 'Mark',
  inputSchema: z.object({ file: z.string() }),
  isConcurrencySafe: () => true,
  async call({ file }, { files: { cwd } }) {
    await appendFile(join(cwd, file), 'x\n');
    return { data: `marked ${file}` };
  },
});

const mark = (file: string) => ({ name: 'Mark', input: { file } });
const REPLY = {
  thinking: 'Three at once.',
  text: 'Marking.',
  tools: [mark('a'), bashCall('echo x >> b'), mark('c')],
};
const EVENTS = eventsOf(REPLY);
/** Which blocks are whole once so many events have come. */
const wholeAfter = (count: number) =>
  EVENTS.slice(0, count).filter(({ type }) => type === 'content_block_stop').length;
const FIRST_TOOL = 2;

async function run(answers: FakeMessagesApiOptions) {
  const time = createSimulatedTime();
  const { troupe, api, cwd } = await createTroupeOverHttp(answers, {
    tools: [MarkTool],
    clock: time.clock,
    now: time.now,
  });
  const session = troupe.session({ prompt: 'Go.' });
  const retries = skipRetryWaits(session, time);
  const outcome = await session.outcome;
  const runs = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      readFile(join(cwd, name), 'utf8').then(
        (text) => text.length / 2,
        () => 0,
      ),
    ),
  );
  await troupe.close();
  return { api, outcome, retries, runs };
}

describe('a stream that breaks', () => {
  /** Each place for one kind; without `TROUPE_DEEP` every fifth for the others: at a start, a block's start, its parts, its end. */
  const isDeep = process.env['TROUPE_DEEP'] !== undefined;
  const places = EVENTS.map(({ type }, afterEvents) => ({ afterEvents, next: type }));
  const faults = (['cut', 'error', 'end'] as const).flatMap((kind) =>
    places
      .filter(({ afterEvents }) => isDeep || kind === 'cut' || afterEvents % 5 === 0)
      .map((place) => ({ kind, ...place })),
  );

  it.each(faults)(
    'never runs a tool twice and keeps what was whole: $kind after $afterEvents events, before $next',
    async ({ kind, afterEvents }) => {
      const fault: StreamFault = { afterEvents, kind };
      const { api, outcome, retries, runs } = await run({
        handler({ index, body }) {
          if (index === 0) return { ...REPLY, fault };
          return body.messages.length === 1 ? REPLY : { text: 'Done.' };
        },
      });
      expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
      expect(api.problems).toEqual([]);
      const whole = wholeAfter(afterEvents);
      const isKept = whole > FIRST_TOOL; // a tool may have run: what there is stands
      expect(retries.length).toBe(isKept ? 0 : 1);
      const count = isKept ? whole : wholeAfter(EVENTS.length);
      expect(runs).toEqual([0, 1, 2].map((tool) => (tool + FIRST_TOOL < count ? 1 : 0)));

      const [, reply, results, ...more] = api.requests.at(-1)?.body.messages ?? [];
      expect(more).toEqual([]);
      expect(blocksOf(reply).map(({ type }) => type)).toEqual(
        ['thinking', 'text', 'tool_use', 'tool_use', 'tool_use'].slice(0, count),
      );
      const asked = blocksOf(reply).slice(FIRST_TOOL);
      expect(blocksOf(results).map(({ tool_use_id }) => tool_use_id)).toEqual(
        asked.map(({ id }) => id),
      );
    },
  );

  it('is tried again, and says so, whatever the failure was', async () => {
    const failures: readonly (readonly [FakeReply, status: number | undefined])[] = [
      [{ connection: 'reset' }, undefined], // first: the client itself repeats a request on a connection that was used
      ...[408, 409, 500, 502, 503, 529].map((status) => [{ status }, status] as const),
      [{ status: 429, headers: { 'retry-after': '7' } }, 429],
    ];
    const files = ['a', 'b', 'c'];
    const { api, outcome, retries, runs } = await run({
      handler({ index }) {
        const [failure] = failures[index / 2] ?? []; // each second request
        if (failure !== undefined) return failure;
        return index < 2 * failures.length
          ? { tools: [mark(files[((index - 1) / 2) % 3] ?? '')] }
          : { text: 'Done.' };
      },
    });
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.requests).toHaveLength(2 * failures.length + 1);
    expect(runs).toEqual([3, 3, 2]);
    expect(retries.map(({ status, attempt }) => [status, attempt])).toEqual(
      failures.map(([, status]) => [status, 1]),
    );
    for (const { status, delayMs } of retries) {
      const [shortest, longest] = status === 429 ? [7_000, 8_750] : [375, 500];
      expect(delayMs).toBeGreaterThanOrEqual(shortest);
      expect(delayMs).toBeLessThanOrEqual(longest);
    }
  });

  it('fails the agent when eight in a row have broken behind a tool use', async () => {
    const afterEvents = EVENTS.findLastIndex(({ type }) => type === 'content_block_start');
    const { api, outcome, retries } = await run({
      handler: () => ({ ...REPLY, fault: { afterEvents, kind: 'cut' } }),
    });
    expect(api.problems).toEqual([]);
    expect(api.requests).toHaveLength(8);
    expect(retries).toEqual([]);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'MODEL_STREAM_CUT' } });
  });

  it('counts broken replies afresh once one was whole', async () => {
    const afterEvents = EVENTS.findLastIndex(({ type }) => type === 'content_block_start');
    const { api, outcome } = await run({
      handler({ index }) {
        if (index === 14) return { text: 'Done.' };
        return index === 7 ? REPLY : { ...REPLY, fault: { afterEvents, kind: 'cut' } };
      },
    });
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.requests).toHaveLength(15);
  });

  it('is given up after eight tries, and the agent fails with the reason', async () => {
    const { api, outcome, retries } = await run({ handler: () => ({ status: 529 }) });
    expect(api.requests).toHaveLength(8);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'MODEL_OVERLOADED', details: { status: 529 } },
    });
  });

  it.each([
    [400, 'MODEL_BAD_REQUEST', 'prompt is too odd'],
    [401, 'MODEL_AUTH_REFUSED', 'check ANTHROPIC_API_KEY'],
  ] as const)(
    'fails the agent at once if another try is useless: %i',
    async (status, code, says) => {
      const error = { type: 'some_error', message: 'prompt is too odd' };
      const { api, outcome, retries } = await run({ handler: () => ({ status, error }) });
      expect(api.requests).toHaveLength(1);
      expect(retries).toEqual([]);
      expect(outcome).toMatchObject({
        status: 'failed',
        failure: { code, message: expect.stringContaining(says) as string },
      });
    },
  );
});

type SentMessage = FakeRequestBody['messages'][number];

function blocksOf(message: SentMessage | undefined): Exclude<SentMessage['content'], string> {
  const content = message?.content ?? [];
  return typeof content === 'string' ? [] : content;
}
