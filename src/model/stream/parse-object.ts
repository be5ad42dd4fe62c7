import { isRecord } from '../../core/json/is-record.js';
import { DEEPEST_JSON, isTooDeep } from './json-depth.js';

/** The object of a JSON text, or why there is none; `error` completes "it cannot be used: …". */
export type ParsedObject =
  { readonly value: Readonly<Record<string, unknown>> } | { readonly error: string };

/** Parse the text of a JSON object as a model writes it. Never throws. */
export function parseObject(json: string): ParsedObject {
  try {
    return checkObject(JSON.parse(json));
  } catch (error) {
    const why = json.trim() === '' ? 'it is empty' : String(error);
    return { error: why };
  }
}

/** Check that a value is an object that is not nested too deep. */
export function checkObject(value: unknown): ParsedObject {
  if (!isRecord(value)) return { error: 'it is another kind of JSON value' };
  if (isTooDeep(value)) return { error: `it is nested more than ${DEEPEST_JSON} deep` };
  return { value };
}
