import type { AnyActorRef } from 'xstate';
import type { Envelope } from '../../../core/events.js';
import {
  textBlock,
  textOf,
  toolUsesOf,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../../core/messages.js';
import type { WorkOutcome } from '../../../core/task-types.js';
import { STRUCTURED_OUTPUT } from '../../../tools/dialogue/structured-output.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import type { TurnEnd } from '../../../machines/agent/tool-call.js';
import type { TimeSource } from '../../services/timers.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { tell } from '../parts/effects.js';
import type { Call } from '../calls/call.js';
import type { Conversation } from '../conversation/conversation.js';

/** How often an agent is told that its answer is missing or wrong. */
const MAX_OUTPUT_RETRIES = 5;

const REMINDER = `Your answer is still missing. Call the tool ${STRUCTURED_OUTPUT} now: its input is your answer, and what you write beside it is not read.`;

/** What is looked at when an agent has nothing more to do: how it rests, or nothing where a reminder was sent. */
type Verdict = { readonly rest?: WorkOutcome };

/**
 * Decides once whether an agent is done: it is when it has given its answer. Sent back, it has one more envelope in its
 * inbox, which is on disk before the decision is.
 */
export function createConclusion(
  parts: AgentParts,
  { accept, timers }: { readonly accept: (mail: Envelope) => void; readonly timers: TimeSource },
) {
  return {
    /** @param question.isCut the turn was ended by a refusal: the agent is not sent back */
    async conclude(
      agent: AnyActorRef,
      { turn, isCut }: { readonly turn: number; readonly isCut: boolean },
    ): Promise<void> {
      const decide = (): Promise<Verdict> => {
        const rest = restOf(parts, isCut);
        if (rest !== undefined) return Promise.resolve({ rest });
        const id = `${parts.id}/reminder-${turn}`;
        const content = [textBlock(REMINDER)];
        accept({ id, seq: turn, kind: 'reminder', from: parts.id, content, at: timers.now() });
        tell(agent, { type: 'inbox.arrived', isPrompt: false });
        return Promise.resolve({});
      };
      const { rest } = await parts.door.step(stepKey.conclude(turn), decide, { isHarmless: true });
      tell(agent, { type: 'concluded', turn, rest });
    },
  };
}

/** Whoever answers with a value of a schema. */
type Answering = {
  readonly conversation: Pick<Conversation, 'messages' | 'prompts' | 'result'>;
};

/** Whether one more answer that does not fit the schema is the last one. */
export function isLastTry(caller: Answering): boolean {
  return answerSoFar(caller).failures + 1 >= MAX_OUTPUT_RETRIES;
}

/** Undefined where the agent has to be reminded. */
function restOf(parts: AgentParts, isCut: boolean): WorkOutcome | undefined {
  const { use, failures } = answerSoFar(parts);
  if (use !== undefined) return { status: 'completed', result: use.input };
  if (!isCut && failures < MAX_OUTPUT_RETRIES) return undefined;
  const why =
    failures < MAX_OUTPUT_RETRIES
      ? 'its turn was ended by a refusal'
      : `it was asked ${MAX_OUTPUT_RETRIES} times`;
  return {
    status: 'failed',
    failure: {
      code: 'STRUCTURED_OUTPUT_MISSING',
      message: `The agent gave no answer that satisfies the schema: ${why}.`,
    },
  };
}

/** The newest answer to the newest prompt, and how often the agent was told that there was none. */
function answerSoFar({ conversation }: Answering): {
  readonly use: ToolUseBlock | undefined;
  readonly failures: number;
} {
  const results = new Map<string, ToolResultBlock>();
  const prompts: ReadonlySet<unknown> = new Set(conversation.prompts);
  let failures = 0;
  for (const message of conversation.messages.toReversed()) {
    if (message.role === 'user') {
      const answers = message.content.filter((block) => block.type === 'tool_result');
      const isReminder = textOf(message) === REMINDER;
      const isPrompt = message.content.some((block) => prompts.has(block)); // beside results, maybe
      if (isPrompt || (answers.length === 0 && !isReminder)) break; // what it was asked
      for (const result of answers) results.set(result.tool_use_id, result);
      if (isReminder) failures += 1;
      continue;
    }
    for (const use of toolUsesOf(message).toReversed()) {
      if (use.name !== STRUCTURED_OUTPUT) continue;
      const result = results.get(use.id) ?? conversation.result(use.id);
      if (result === undefined) continue; // it runs
      if (result.is_error !== true) return { use, failures };
      failures += 1;
    }
  }
  return { use: undefined, failures };
}

/** The call gives the answer of the session. */
export function isAnswer({ tool }: Call): boolean {
  return tool?.name === STRUCTURED_OUTPUT;
}

/** The first answer that fits is the last thing that a turn is asked for, also where it comes from the journal. */
export function endOf(call: Call, { is_error: isError }: ToolResultBlock): TurnEnd | undefined {
  return isAnswer(call) && isError !== true ? 'answered' : undefined;
}
