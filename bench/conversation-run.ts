import { startMeter, type Stretch } from './meter.js';
import { readInput, sendResult } from './processes.js';
import type { Scenario } from './scenario.js';

/** The input of a process that holds a conversation. */
export type ConversationInput = {
  readonly url: string;
  /** Conversations of 50 turns that are held first, unmeasured. */
  readonly warmUps: number;
  readonly scenario: Scenario;
  /** Conversations at the same time; one if absent. */
  readonly atOnce?: number;
  /** Turns in one stretch; all if absent. */
  readonly turnsInStretch?: number;
  /** Whether our agent has the default tools beside those of the scenario. */
  readonly hasDefaultTools?: boolean;
};

export type ConversationResult = {
  readonly stretches: readonly Stretch[];
  /** By how much the largest resident set has grown while it was measured. */
  readonly peakGrownMb: number;
};

/** Holds one conversation to its end; calls `onEcho` in every `Echo`. */
export type Converse = (prompt: string, onEcho: () => void) => Promise<void>;

const WARM_UP = JSON.stringify({ kind: 'echoes', turns: 50 } satisfies Scenario);

/** The work of both subjects around their loop: warm up, then measure. The last stretch ends with the conversation. */
export async function measureConversation(
  connect: (input: ConversationInput) => Promise<{ converse: Converse; close(): Promise<void> }>,
): Promise<void> {
  const input = readInput<ConversationInput>();
  const { converse, close } = await connect(input);
  for (let count = 0; count < input.warmUps; count += 1) await converse(WARM_UP, () => {});
  const { scenario, atOnce = 1, turnsInStretch = Infinity } = input;
  const turns = scenario.kind === 'echoes' ? scenario.turns : 1;
  const rssBefore = process.memoryUsage.rss();
  const meter = startMeter();
  let echoes = 0;
  const onEcho = (): void => {
    echoes += 1;
    if (echoes % turnsInStretch === 0 && echoes < turns) meter.cut();
  };
  const prompt = JSON.stringify(scenario);
  await Promise.all(Array.from({ length: atOnce }, () => converse(prompt, onEcho)));
  meter.cut();
  const peakGrownMb = process.resourceUsage().maxRSS / 1_024 - rssBefore / 2 ** 20; // KB, bytes
  await close();
  await sendResult<ConversationResult>({ stretches: meter.stretches, peakGrownMb });
}
