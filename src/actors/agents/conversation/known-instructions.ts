import { remindsOf } from '../../../context/memory/render-memory.js';
import type { Message, UserBlock } from '../../../core/messages.js';

/** The files of instructions and of skills that a conversation has behind results. */
export interface KnownInstructions {
  /** The paths of all of them. */
  list(): readonly string[];
  /** Return true for a file that the conversation does not have, the first time. */
  claim(path: string): boolean;
  add(blocks: readonly UserBlock[]): void;
  /** The conversation has only these messages. */
  renew(messages: readonly Message[]): void;
}

export function createKnownInstructions(past: readonly Message[]): KnownInstructions {
  const files = new Set<string>();
  const known: KnownInstructions = {
    list: () => [...files],
    claim(path) {
      const isNew = !files.has(path);
      files.add(path);
      return isNew;
    },
    add(blocks) {
      for (const block of blocks) {
        const path = block.type === 'text' ? remindsOf(block.text) : undefined;
        if (path !== undefined) files.add(path);
      }
    },
    renew(messages) {
      files.clear();
      for (const { role, content } of messages) if (role === 'user') known.add(content);
    },
  };
  known.renew(past);
  return known;
}
