import { resultChars } from '../../../context/result-budget.js';
import type { Message } from '../../../core/messages.js';
import { createKnownInstructions, type KnownInstructions } from './known-instructions.js';

/** Facts about the tool results of a conversation, kept with every message. */
export interface ResultFacts {
  /** Names of the deferred tools that results refer to, in the order in which they were found. */
  foundTools(): readonly string[];
  /** Number of characters. */
  chars(): number;
  readonly instructions: KnownInstructions;
  add(message: Message): void;
  /** Count these messages instead of all before. */
  renew(messages: readonly Message[]): void;
}

export function createResultFacts(past: readonly Message[]): ResultFacts {
  let foundTools = addReferences([], past);
  let chars = resultChars(past);
  const instructions = createKnownInstructions(past);
  return {
    instructions,
    foundTools: () => foundTools,
    chars: () => chars,
    add(message) {
      foundTools = addReferences(foundTools, [message]);
      chars += resultChars([message]);
      if (message.role === 'user') instructions.add(message.content);
    },
    renew(messages) {
      foundTools = addReferences([], messages);
      chars = resultChars(messages);
      instructions.renew(messages);
    },
  };
}

/** The same list if the messages refer to no further tool. */
function addReferences(found: readonly string[], messages: readonly Message[]): readonly string[] {
  const names = messages
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .flatMap((block) =>
      block.type === 'tool_result' && typeof block.content !== 'string' ? block.content : [],
    )
    .flatMap((part) => (part.type === 'tool_reference' ? [part.tool_name] : []))
    .filter((name) => !found.includes(name));
  return names.length === 0 ? found : [...new Set([...found, ...names])];
}
