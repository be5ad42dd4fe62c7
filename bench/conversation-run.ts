import { startMeter, type Stretch } from './meter.js';
import { readInput, sendResult } from './processes.js';
import type { Scenario } from './scenario.js';

/** What a process that holds a conversation is told. */
export type ConversationInput = {
  readonly url: string;
  /** Conversations of 50 turns that are held first, unmeasured. */
  readonly warmUps: number;
  readonly scenario: Scenario;
  /** Turns in one stretch. */
  readonly turnsInStretch: number;
};

/** Holds one conversation to its end; calls `onEcho` in every `Echo`. */
export type Converse = (prompt: string, onEcho: () => void) => Promise<void>;

const WARM_UP = JSON.stringify({ kind: 'echoes', turns: 50 } satisfies Scenario);

/** What both subjects do around their loop: warm up, then measure. The last stretch goes on to the conversation's end. */
export async function measureConversation(
  connect: (input: ConversationInput) => Promise<{ converse: Converse; close(): Promise<void> }>,
): Promise<void> {
  const input = readInput<ConversationInput>();
  const { converse, close } = await connect(input);
  for (let count = 0; count < input.warmUps; count += 1) await converse(WARM_UP, () => {});
  const turns = input.scenario.kind === 'echoes' ? input.scenario.turns : 1;
  const meter = startMeter();
  let echoes = 0;
  await converse(JSON.stringify(input.scenario), () => {
    echoes += 1;
    if (echoes % input.turnsInStretch === 0 && echoes < turns) meter.cut();
  });
  meter.cut();
  await close();
  await sendResult<readonly Stretch[]>(meter.stretches);
}
