/** Parse JSON text. Returns undefined for invalid text; JSON has no undefined, and no schema of Troupe accepts it. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
