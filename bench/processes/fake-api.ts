/** The fake Messages API as a process: tells its address, then what it saw whenever it is asked. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createFakeMessagesApi,
  type FakeModelReply,
  type FakeReply,
  type FakeRequest,
  type FakeStream,
} from 'troupe/testing';
import { epochMs } from '../meter.js';
import { readScenario, type Scenario } from '../scenario.js';

/** Times in epoch ms. */
export type FakeReport = {
  /** When each request had arrived whole. */
  readonly arrivals: readonly number[];
  /** When the first block of a reply of waits was ended. */
  readonly firstBlockEndedAt: number | undefined;
};

const arrivals: number[] = [];
let firstBlockEndedAt: number | undefined;

const api = await createFakeMessagesApi({
  isStrict: false, // it is not what is measured
  handler(request) {
    arrivals.push(epochMs());
    const scenario = readScenario(firstTextOf(request));
    if (scenario === undefined) return { text: 'Hello.' };
    const replies = request.body.messages.filter(({ role }) => role === 'assistant').length;
    return replyTo(scenario, replies);
  },
});
process.on('message', () => {
  process.send?.({ arrivals, firstBlockEndedAt } satisfies FakeReport);
});
process.send?.({ url: api.url });

function replyTo(scenario: Scenario, replies: number): FakeReply {
  switch (scenario.kind) {
    case 'echoes':
      return {
        ...(replies < scenario.turns ? replyWithEchoes(scenario, replies) : { text: 'Done.' }),
        ...waitFirst(scenario.firstTokenMs),
      };
    case 'waits':
      return replies === 0 ? replyWithWaits(scenario) : { text: 'Done.' };
    case 'sub-agents':
      return {
        ...(replies === 0 ? replyWithAgents(scenario) : { text: 'Done.' }),
        ...waitFirst(scenario.firstTokenMs),
      };
    default:
      return scenario satisfies never;
  }
}

type Of<Kind extends Scenario['kind']> = Extract<Scenario, { readonly kind: Kind }>;

function replyWithEchoes({ uses = 1, resultChars }: Of<'echoes'>, replies: number): FakeModelReply {
  const tools = Array.from({ length: uses }, (_, use) => ({
    name: 'Echo',
    input: { text: `turn ${replies}, use ${use}`, ...(resultChars && { chars: resultChars }) },
  }));
  return { text: 'Next.', tools };
}

function replyWithAgents({ count, turns, firstTokenMs }: Of<'sub-agents'>): FakeModelReply {
  const scenario: Scenario = { kind: 'echoes', turns, firstTokenMs };
  const input = {
    subagent_type: 'measured',
    description: 'measured',
    prompt: JSON.stringify(scenario),
    run_in_background: false,
  };
  return { tools: Array.from({ length: count }, () => ({ name: 'Agent', input })) };
}

function waitFirst(ms = 0): FakeStream {
  return ms === 0 ? {} : { gate: (index) => (index === 0 ? delay(ms) : undefined) };
}

/** Block n ends `n * gapMs` after block 0. */
function replyWithWaits({ waitsMs, gapMs }: Of<'waits'>): FakeReply {
  let ended = 0;
  return {
    tools: waitsMs.map((ms) => ({ name: 'Wait', input: { ms } })),
    async gate(_index, { type }) {
      if (type !== 'content_block_stop') return;
      firstBlockEndedAt ??= epochMs();
      const leftMs = firstBlockEndedAt + ended * gapMs - epochMs();
      ended += 1;
      if (leftMs > 0) await delay(leftMs);
    },
  };
}

function firstTextOf({ body }: FakeRequest): string {
  const content = body.messages[0]?.content ?? '';
  if (typeof content === 'string') return content;
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.find((text) => readScenario(text) !== undefined) ?? texts[0] ?? ''; // reminders may come first
}
