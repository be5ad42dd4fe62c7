import type { AssistantBlock, ToolUseBlock } from '../../core/messages.js';
import { isRecord } from '../../core/json/is-record.js';
import { ModelBadAnswerError } from '../errors/broken-reply-errors.js';
import type { ModelEvent } from '../model.js';
import { checkObject, parseObject } from './parse-object.js';

/** Why a tool call cannot run: its input is not a JSON object. */
export type InvalidInput = {
  readonly kind: 'invalid_json';
  /** The text of the model. */
  readonly text: string;
  readonly error: string;
};

/**
 * A complete block. With `invalidInput`, `block` is a tool call with the input `{}`, so that the history can contain
 * it: the call must not run, and its result says what was wrong.
 */
export type AssembledBlock = {
  readonly block: AssistantBlock;
  readonly invalidInput?: InvalidInput;
  /** For a tool call: no input came after its name. If the reply was cut off, the input is missing. */
  readonly lacksInput?: true;
};

export interface BlockBuilder {
  append(event: ModelEvent): void;
  /** The text so far; empty for another block. */
  text(): string;
  /** Undefined for text without a visible character: the API would refuse it in later requests. */
  finish(): AssembledBlock | undefined;
}

type Start = { readonly type: string; readonly [key: string]: unknown };

/** The sum of a block's deltas. Strings grow by `+=`, which V8 keeps as a rope: linear. */
type Parts = {
  text: string;
  thinking: string;
  signature: string;
  json: string | undefined;
  citations: unknown[];
};

/** @throws ModelBadAnswerError if `content_block_start` lacks a required field */
export function createBlockBuilder(event: ModelEvent): BlockBuilder {
  const start = event['content_block'];
  if (!isStart(start))
    throw new ModelBadAnswerError(event.type, 'has no content_block with a type');
  if (start.type === 'tool_use')
    for (const key of ['id', 'name']) requireString(event.type, start, key);
  if (start.type === 'redacted_thinking') requireString(event.type, start, 'data');
  const parts: Parts = {
    text: stringOr(start['text'], ''),
    thinking: stringOr(start['thinking'], ''),
    signature: stringOr(start['signature'], ''),
    json: undefined,
    citations: [],
  };
  return {
    append: (delta) => appendDelta(parts, delta),
    text: () => (start.type === 'text' ? parts.text : ''),
    finish: () => finishBlock(start, parts),
  };
}

function isStart(value: unknown): value is Start {
  return isRecord(value) && typeof value['type'] === 'string';
}

function appendDelta(parts: Parts, event: ModelEvent): void {
  const { delta } = event;
  if (!isRecord(delta)) throw new ModelBadAnswerError(event.type, 'has no delta');
  switch (delta['type']) {
    case 'text_delta':
      parts.text += requireString(event.type, delta, 'text');
      return;
    case 'thinking_delta':
      parts.thinking += requireString(event.type, delta, 'thinking');
      return;
    case 'signature_delta':
      parts.signature += requireString(event.type, delta, 'signature');
      return;
    case 'input_json_delta':
      parts.json = (parts.json ?? '') + requireString(event.type, delta, 'partial_json');
      return;
    case 'citations_delta':
      parts.citations.push(delta['citation']);
      return;
    default: // a kind of delta that this program does not know yet
  }
}

function finishBlock(start: Start, parts: Parts): AssembledBlock | undefined {
  switch (start.type) {
    case 'text':
      return /\S/.test(parts.text) ? { block: { type: 'text', text: parts.text } } : undefined;
    case 'thinking': {
      const { thinking, signature } = parts;
      return { block: { type: 'thinking', thinking, signature } };
    }
    case 'redacted_thinking':
      return { block: { type: 'redacted_thinking', data: stringOr(start['data'], '') } };
    case 'tool_use':
      return finishToolUse(start, parts.json);
    default:
      return { block: { type: 'opaque', raw: mergeOpaque(start, parts) } };
  }
}

function finishToolUse(start: Start, json: string | undefined): AssembledBlock {
  const toBlock = (input: unknown): ToolUseBlock => ({
    type: 'tool_use',
    id: stringOr(start['id'], ''), // checked when the block started
    name: stringOr(start['name'], ''),
    input,
  });
  const isUntold = json === undefined || json === ''; // a tool without arguments has empty deltas
  const parsed = isUntold ? checkObject(start['input'] ?? {}) : parseObject(json);
  if ('error' in parsed) {
    const invalidInput: InvalidInput = {
      kind: 'invalid_json',
      text: json ?? '',
      error: parsed.error,
    };
    return { block: toBlock({}), invalidInput };
  }
  return { block: toBlock(parsed.value), ...(isUntold ? { lacksInput: true } : {}) };
}

/** The first state of the block with its deltas merged. Input that is not JSON does not change. */
function mergeOpaque(start: Start, parts: Parts): Readonly<Record<string, unknown>> {
  const raw: Record<string, unknown> = { ...start };
  if (parts.text !== '') raw['text'] = parts.text;
  if (parts.thinking !== '') raw['thinking'] = parts.thinking;
  if (parts.signature !== '') raw['signature'] = parts.signature;
  if (parts.citations.length > 0) {
    const before: unknown = start['citations'];
    raw['citations'] = [...(Array.isArray(before) ? before : []), ...parts.citations];
  }
  if (parts.json !== undefined) {
    const parsed = parseObject(parts.json);
    if ('value' in parsed) raw['input'] = parsed.value;
  }
  return raw;
}

function requireString(
  eventType: string,
  record: { readonly [key: string]: unknown },
  key: string,
): string {
  const value = record[key];
  if (typeof value === 'string') return value;
  throw new ModelBadAnswerError(eventType, `has a ${String(record['type'])} without "${key}"`);
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
