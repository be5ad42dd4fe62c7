import { isRecord } from '../../core/json/is-record.js';
import type { ModelEvent } from '../model.js';

/** What the API takes back as the id of a tool use. */
const USABLE_ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** What the API takes back as the name of a tool. */
const USABLE_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const LONGEST_NAME_CHARS = 128;

/**
 * Makes the tool uses of one reply fit to be sent back: the API refuses every later request with an id that is empty, has
 * odd characters, or occurs twice in a conversation. Pass each event through the returned function. An unusable id is
 * replaced by `toolu_<turn>_<number>`; of an unusable name, odd characters become `_`.
 *
 * @param isTaken whether an earlier reply of the conversation used an id
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
