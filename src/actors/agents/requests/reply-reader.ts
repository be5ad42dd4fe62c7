import type { Assembler } from '../../../model/stream/assemble.js';
import type { AssembledBlock } from '../../../model/stream/assemble-block.js';
import type { ModelEvent } from '../../../model/model.js';
import { isStoppedShort } from '../../../model/stop-reasons.js';
import type { ReplyBlocks } from './reply-blocks.js';

/** @returns a promise if a tool call has to be taken first */
export type ReplyReader = (event: ModelEvent) => Promise<void> | undefined;

/**
 * Read the events of one reply. Text is published when it is final: with the tool call that follows it, or at the end.
 * A complete tool call is taken at once. An incomplete one waits for the next event: a reply that was cut off ends in
 * part of a tool call, which is not published and never runs.
 */
export function createReplyReader(
  assembler: Assembler,
  blocks: Pick<ReplyBlocks, 'hold' | 'publish' | 'dropThoughts'>,
  take: (use: AssembledBlock) => Promise<void> | undefined,
): ReplyReader {
  let doubtful: AssembledBlock | undefined;

  const readBlock = (event: ModelEvent): Promise<void> | undefined => {
    const assembled = assembler.push(event);
    if (assembled === undefined) return undefined;
    const { block, invalidInput, lacksInput } = assembled;
    if (block.type !== 'tool_use') return void blocks.hold(block);
    if (invalidInput === undefined && lacksInput !== true) return take(assembled);
    doubtful = assembled;
    return undefined;
  };

  /** The event after a doubtful tool call shows whether it was complete. */
  const settleDoubt = async (use: AssembledBlock, event: ModelEvent): Promise<void> => {
    const isOver = event.type === 'message_stop';
    if (!isOver && event.type !== 'content_block_start') return;
    doubtful = undefined;
    if (!(isOver && isStoppedShort(assembler.stopReason()))) await take(use);
  };

  const publishAtEnd = (): void => {
    if (!assembler.isComplete()) return;
    if (isStoppedShort(assembler.stopReason())) blocks.dropThoughts();
    blocks.publish();
  };

  return (event) => {
    if (event.type === 'content_block_stop') return readBlock(event);
    assembler.push(event);
    if (doubtful !== undefined) return settleDoubt(doubtful, event).then(publishAtEnd);
    publishAtEnd();
    return undefined;
  };
}
