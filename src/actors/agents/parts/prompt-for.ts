import { textBlock, type Message, type UserBlock } from '../../../core/messages.js';
import type { ModelRequest, ModelTool } from '../../../model/model.js';
import { TOOL_SEARCH } from '../../../tools/pool/deferral.js';
import {
  hasDeferred,
  toolsToSend,
  withoutDeferredNames,
  type PromptParts,
} from './deferred-tools.js';

type Prompt = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

/** The prompt of the next request: with all tools at once, if it may not have references to tools. */
export function promptFor(
  parts: PromptParts & { readonly system: readonly string[] },
  hasReferences: boolean,
): Prompt {
  const { system, modelTools, conversation } = parts;
  const messages = conversation.messages();
  if (!hasDeferred(modelTools)) return { system, tools: modelTools, messages };
  if (hasReferences) return { system, tools: toolsToSend(parts), messages };
  const { system: itsSystem, tools } = allAtOnce(system, modelTools);
  return {
    system: itsSystem,
    tools,
    messages:
      conversation.results.foundTools().length === 0 ? messages : withoutReferences(messages),
  };
}

type AllAtOnce = Pick<Prompt, 'system' | 'tools'> & { readonly of: readonly string[] };

/** One prompt for all requests of agents that share theirs. */
const whole = new WeakMap<readonly ModelTool[], AllAtOnce>();

function allAtOnce(system: readonly string[], modelTools: readonly ModelTool[]): AllAtOnce {
  const known = whole.get(modelTools);
  if (known?.of === system) return known;
  const made = {
    of: system,
    system: withoutDeferredNames(system, modelTools),
    tools: modelTools
      .filter(({ name }) => name !== TOOL_SEARCH)
      .map(({ defer_loading: _isDeferred, ...tool }) => tool),
  };
  whole.set(modelTools, made);
  return made;
}

/** Conversations without references, each as long as its original was at the newest request. */
const plain = new WeakMap<readonly Message[], Message[]>();

function withoutReferences(messages: readonly Message[]): readonly Message[] {
  const known = plain.get(messages) ?? [];
  plain.set(messages, known);
  for (const message of messages.slice(known.length)) known.push(toPlain(message));
  return known;
}

function toPlain(message: Message): Message {
  if (message.role === 'assistant') return message;
  return { role: 'user', content: message.content.map(toPlainBlock) };
}

function toPlainBlock(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  const content = block.content.map((part) =>
    part.type === 'tool_reference' ? textBlock(`Found: ${part.tool_name}`) : part,
  );
  return { ...block, content };
}
