import type { Failure } from '../../../core/failure.js';
import {
  textOf,
  toolUsesOf,
  type AssistantBlock,
  type AssistantMessage,
  type Continuation,
} from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import type { AssembledBlock, InvalidInput } from '../../../model/stream/assemble-block.js';
import { continuationOf } from '../../../model/stop-reasons.js';

/** The journaled outcome of one request. A broken or aborted reply keeps its complete blocks. */
export type Reply = {
  readonly message: AssistantMessage;
  /** Null if the end of the reply never came. */
  readonly stopReason: string | null;
  /** The name of the model, as the endpoint reports it. */
  readonly model?: string | undefined;
  readonly failure?: Failure | undefined;
  /** All model requests for this reply, failed tries included. */
  readonly calls?: readonly ModelCall[];
};

export const NO_REPLY: Reply = { message: { role: 'assistant', content: [] }, stopReason: null };

/** A tool call that may begin before its reply is complete, with the blocks before it. The call is the last block. */
export type Said = {
  readonly blocks: readonly AssistantBlock[];
  readonly invalidInput?: InvalidInput | undefined;
  /** The usage up to then. */
  readonly call?: ModelCall;
};

/** The state of an agent whose newest reply is unfinished: its machine continues from here. */
export type Continued = {
  readonly continues?: Continuation | undefined;
  readonly cuts?: number;
  readonly text?: string;
};

/** The state after one more reply, as the machine counts it. */
export function continueWith(before: Continued, { message, stopReason }: Reply): Continued {
  const continues = continuationOf(stopReason);
  if (continues === undefined) return {};
  const isAlone = toolUsesOf(message).length === 0; // another reply follows a result
  return {
    continues,
    cuts: continues === 'cut' ? (before.cuts ?? 0) + 1 : 0,
    text: isAlone ? (before.text ?? '') + textOf(message) : '',
  };
}

/** The part of a reply whose end never came. */
export function brokenReply(said: readonly Said[]): Reply {
  const content = said.flatMap(({ blocks }) => blocks);
  const call = said.at(-1)?.call;
  return {
    message: { role: 'assistant', content },
    stopReason: null,
    ...(call === undefined ? {} : { calls: [call] }),
  };
}

/** The tool calls of a journaled reply, with the problems of their inputs as the model wrote them. */
export function withProblems({ message }: Reply, said: readonly Said[]): readonly AssembledBlock[] {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  return uses.map((block, index) => {
    const invalidInput = said[index]?.invalidInput;
    return invalidInput === undefined ? { block } : { block, invalidInput };
  });
}
