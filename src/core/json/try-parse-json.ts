/** The value of JSON text; undefined, which no JSON is and no schema of ours accepts, where it is none. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
