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
import { isFeedback } from './end-hooks.js';
import type { TurnHooks } from './turn-hooks.js';
import { tell } from '../parts/effects.js';
import type { ToolWithInput } from '../calls/call.js';
import type { Conversation } from '../conversation/conversation.js';

/** Reminders about a missing or wrong structured output. */
const MAX_OUTPUT_RETRIES = 5;

const REMINDER = `Your answer is still missing. Call the tool ${STRUCTURED_OUTPUT} now: its input is your answer, and what you write beside it is not read.`;

/** The journaled result of the stop check: `rest` is the turn outcome, absent after a reminder. */
type StopCheck = { readonly rest?: WorkOutcome };

/** The end of a turn, to be checked. */
export type StopQuestion = {
  readonly turn: number;
  /** A refusal ended the turn: then no message is sent. */
  readonly isCut: boolean;
  /** The text of the newest reply. */
  readonly text: string;
};

/**
 * Decide once whether an agent is done: it is, once it has given its structured output and no hook keeps it working.
 * Otherwise it gets one more message, which is on disk before the decision is.
 */
export function createConclusion(
  parts: AgentParts,
  {
    accept,
    timers,
    turnHooks,
  }: {
    readonly accept: (mail: Envelope) => void;
    readonly timers: TimeSource;
    readonly turnHooks: Pick<TurnHooks, 'beforeEnd'>;
  },
) {
  return {
    async conclude(agent: AnyActorRef, { turn, isCut, text }: StopQuestion): Promise<void> {
      const continueWith = (message: string): StopCheck => {
        const id = `${parts.id}/reminder-${turn}`;
        const content = [textBlock(message)];
        if (!parts.inbox.has(id)) {
          accept({ id, seq: turn, kind: 'reminder', from: parts.id, content, at: timers.now() });
          tell(agent, { type: 'inbox.arrived', isPrompt: false });
        }
        return {};
      };
      const decide = async (): Promise<StopCheck> => {
        const outcome: WorkOutcome | undefined = givesOutput(parts)
          ? turnOutcomeOf(parts, isCut)
          : { status: 'completed', result: text };
        if (outcome === undefined) return continueWith(REMINDER);
        if (isCut || outcome.status === 'failed') return { rest: outcome };
        const { feedback, closes } = await turnHooks.beforeEnd({ turn, text });
        if (closes === true) tell(agent, { type: 'inbox.closed' });
        return feedback === undefined ? { rest: outcome } : continueWith(feedback);
      };
      const { rest: turnOutcome } = await parts.stepContext.step(stepKey.conclude(turn), decide, {
        isHarmless: true,
      });
      tell(agent, { type: 'concluded', turn, turnOutcome });
    },
  };
}

/** An agent with structured output. */
type Answering = {
  readonly conversation: Pick<Conversation, 'messages' | 'prompts' | 'result'>;
};

/** Whether one more invalid output is the last one. */
export function isLastTry(caller: Answering): boolean {
  return answerSoFar(caller).failures + 1 >= MAX_OUTPUT_RETRIES;
}

/** Undefined if the agent needs a reminder. */
function turnOutcomeOf(parts: AgentParts, isCut: boolean): WorkOutcome | undefined {
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

/** The newest output for the newest prompt, and the number of reminders so far. */
function answerSoFar({ conversation }: Answering): {
  readonly use: ToolUseBlock | undefined;
  readonly failures: number;
} {
  const results = new Map<string, ToolResultBlock>();
  const prompts: ReadonlySet<unknown> = new Set(conversation.prompts());
  let failures = 0;
  for (const message of conversation.messages().toReversed()) {
    if (message.role === 'user') {
      const answers = message.content.filter((block) => block.type === 'tool_result');
      const isReminder = textOf(message) === REMINDER;
      if (isFeedback(textOf(message))) continue;
      const isPrompt = message.content.some((block) => prompts.has(block)); // the message may also hold results
      if (isPrompt || (answers.length === 0 && !isReminder)) break; // the question
      for (const result of answers) results.set(result.tool_use_id, result);
      if (isReminder) failures += 1;
      continue;
    }
    for (const use of toolUsesOf(message).toReversed()) {
      if (use.name !== STRUCTURED_OUTPUT) continue;
      const result = results.get(use.id) ?? conversation.result(use.id);
      if (result === undefined) continue; // still running
      if (result.is_error !== true) return { use, failures };
      failures += 1;
    }
  }
  return { use: undefined, failures };
}

/** Whether the agent ends with a structured output. */
function givesOutput({ tools }: AgentParts): boolean {
  return tools.some(({ name }) => name === STRUCTURED_OUTPUT);
}

/** Whether the call gives the structured output. */
export function isAnswer({ tool }: ToolWithInput): boolean {
  return tool?.name === STRUCTURED_OUTPUT;
}

/** The first valid output ends the turn, also if it comes from the journal. */
export function endOf(
  call: ToolWithInput,
  { is_error: isError }: ToolResultBlock,
): TurnEnd | undefined {
  return isAnswer(call) && isError !== true ? 'answered' : undefined;
}
