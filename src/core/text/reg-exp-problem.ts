/** Why a text is no regular expression; undefined if it is one. */
export function regExpProblem(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
