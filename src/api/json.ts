/** JSON from a person or a program, for front ends. */
export { readLines } from '../core/json/read-lines.js';
export { tryParseJson } from '../core/json/try-parse-json.js';
export { parseJsonWithPositions } from '../settings/files/json-positions.js';
export { withoutByteOrderMark } from '../settings/files/parse-json.js';
