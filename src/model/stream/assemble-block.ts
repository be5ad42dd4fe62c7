import type { AssistantBlock, ToolUseBlock } from '../../core/messages.js';
import { isRecord } from '../../core/json/is-record.js';
import { DEEPEST_JSON, isTooDeep } from './json-depth.js';
import { ModelBadAnswerError } from '../errors/model-bad-answer-error.js';
import type { ModelEvent } from '../model.js';

/** Why a tool use cannot run: what the model wrote as its input is no JSON object. */
export type InvalidInput = {
  readonly kind: 'invalid_json';
  /** As the model wrote it. */
  readonly text: string;
  readonly error: string;
};

/**
 * A block that is complete. Where `invalidInput` is there, `block` is a tool use whose `input` is `{}` so that it can
 * stand in the history: it must not run, and its result says what was wrong.
 */
export type AssembledBlock = {
  readonly block: AssistantBlock;
  readonly invalidInput?: InvalidInput;
  /** Of a tool use: nothing has come after its name. Where the reply was stopped short, its input was to come. */
  readonly lacksInput?: true;
};

export interface BlockBuilder {
  append(event: ModelEvent): void;
  /** Undefined for text without a visible character: the API refuses it when it is sent back. */
  finish(): AssembledBlock | undefined;
}

type Start = { readonly type: string; readonly [key: string]: unknown };

/** What the deltas of one block added up to. Strings grow by `+=`, which V8 keeps as a rope: linear. */
type Parts = {
  text: string;
  thinking: string;
  signature: string;
  json: string | undefined;
  citations: unknown[];
};

/** @throws ModelBadAnswerError where `content_block_start` lacks what its kind of block needs */
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
    default: // a kind of delta that is newer than this program
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

type ParsedObject = { readonly value: unknown } | { readonly error: string };

function parseObject(json: string): ParsedObject {
  try {
    return checkObject(JSON.parse(json));
  } catch (error) {
    const why = json.trim() === '' ? 'it is empty' : String(error);
    return { error: why };
  }
}

function checkObject(value: unknown): ParsedObject {
  if (!isRecord(value)) return { error: 'it is another kind of JSON value' };
  if (isTooDeep(value)) return { error: `it is nested more than ${DEEPEST_JSON} deep` };
  return { value };
}

/** The block as it started, with everything that its deltas added. Input that is no JSON stays as it started. */
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
