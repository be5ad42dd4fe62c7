import { isRecord } from '../../core/json/is-record.js';
import type { ModelEvent } from '../model.js';

/** IDs of tool calls that the API accepts in later requests. */
const USABLE_ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** Names of tools that the API accepts in later requests. */
const USABLE_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const LONGEST_NAME_CHARS = 128;

/**
 * Make the tool calls of one reply acceptable for later requests: the API refuses every later request with an ID that
 * is empty, has odd characters, or occurs twice in a conversation. Pass each event through the returned function. An
 * unusable ID is replaced by `toolu_<turn>_<number>`; odd characters in a name become `_`.
 *
 * @param isTaken whether an earlier reply of the conversation used an ID
 */
export function createToolUseRepair(
  turn: number,
  isTaken: (id: string) => boolean,
): (event: ModelEvent) => ModelEvent {
  const ids = new Set<string>();
  const isFree = (id: string): boolean => !ids.has(id) && !isTaken(id);
  let count = 0;

  const toFreeId = (): string => {
    let id: string;
    do id = `toolu_${turn}_${(count += 1)}`;
    while (!isFree(id));
    return id;
  };

  return (event) => {
    const block = event['content_block'];
    if (event.type !== 'content_block_start' || !isRecord(block) || block['type'] !== 'tool_use')
      return event;
    const { id: given, name: called } = block;
    const isUsable = typeof given === 'string' && USABLE_ID.test(given) && isFree(given);
    const id = isUsable ? given : toFreeId();
    const name = typeof called === 'string' ? toUsableName(called) : called;
    ids.add(id);
    if (id === given && name === called) return event;
    return { ...event, content_block: { ...block, id, name } };
  };
}

function toUsableName(name: string): string {
  if (USABLE_NAME.test(name)) return name;
  return name.slice(0, LONGEST_NAME_CHARS).replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}
