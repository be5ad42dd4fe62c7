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

/** What one request came to, as it is journaled. A broken or aborted one keeps the blocks that were whole. */
export type Reply = {
  readonly message: AssistantMessage;
  /** Null where the end was never seen. */
  readonly stopReason: string | null;
  /** Who answered, as the endpoint names it. */
  readonly model?: string | undefined;
  readonly failure?: Failure | undefined;
  /** All that was used for it: tries that failed, too. */
  readonly calls?: readonly ModelCall[];
};

export const NO_REPLY: Reply = { message: { role: 'assistant', content: [] }, stopReason: null };

/** A tool use that may begin before its reply is whole, with the blocks before it: the use is the last one. */
export type Said = {
  readonly blocks: readonly AssistantBlock[];
  readonly invalidInput?: InvalidInput | undefined;
  /** What had been used by then. */
  readonly call?: ModelCall;
};

/** Where an agent stands whose newest reply is not at its end: what its machine goes on from. */
export type Continued = {
  readonly continues?: Continuation | undefined;
  readonly cuts?: number;
  readonly text?: string;
};

/** The same after one more reply, as the machine counts it. */
export function continueWith(before: Continued, { message, stopReason }: Reply): Continued {
  const continues = continuationOf(stopReason);
  if (continues === undefined) return {};
  const isAlone = toolUsesOf(message).length === 0; // what follows a result is another reply
  return {
    continues,
    cuts: continues === 'cut' ? (before.cuts ?? 0) + 1 : 0,
    text: isAlone ? (before.text ?? '') + textOf(message) : '',
  };
}

/** What is left of a reply whose end was never seen. */
export function brokenReply(said: readonly Said[]): Reply {
  const content = said.flatMap(({ blocks }) => blocks);
  const call = said.at(-1)?.call;
  return {
    message: { role: 'assistant', content },
    stopReason: null,
    ...(call === undefined ? {} : { calls: [call] }),
  };
}

/** The tool uses of a journaled reply, with what was wrong with their inputs as the model wrote them. */
export function withProblems({ message }: Reply, said: readonly Said[]): readonly AssembledBlock[] {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  return uses.map((block, index) => {
    const invalidInput = said[index]?.invalidInput;
    return invalidInput === undefined ? { block } : { block, invalidInput };
  });
}
