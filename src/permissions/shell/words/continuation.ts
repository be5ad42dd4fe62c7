/** Index of the next character that counts: a shell removes line continuations first. */
export function skipContinuations(source: string, index: number): number {
  let at = index;
  while (source[at] === '\\' && source[at + 1] === '\n') at += 2;
  return at;
}

/** Remove every line continuation of a text without single quotes and comments. */
export function withoutContinuations(text: string): string {
  return text.replace(/\\(\n|[^])/g, (pair, next: string) => (next === '\n' ? '' : pair));
}
