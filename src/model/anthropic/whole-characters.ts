/** Half of a character, as JSON has it. Behind another backslash it is text. */
const HALF = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * The JSON text of a value for the API, which refuses a request with half of a character: U+FFFD replaces it. Tools and
 * servers send such texts, and whatever cuts a text may cut an emoji.
 */
export function toWholeJson(value: object): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? text.replace(HALF, '$1\ufffd') : text;
}

/** The same for a body that the SDK makes JSON. */
export function withWholeCharacters<T extends object>(body: T): T {
  const text = JSON.stringify(body);
  return text.includes('\\ud') ? (JSON.parse(toWholeJson(body)) as T) : body; // only texts have changed
}
