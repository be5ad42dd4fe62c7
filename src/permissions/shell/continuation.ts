/** Index of the next character that counts: a shell takes line continuations out before it looks at anything else. */
export function skipContinuations(source: string, index: number): number {
  let at = index;
  while (source[at] === '\\' && source[at + 1] === '\n') at += 2;
  return at;
}

/** Text in which every line continuation counts: neither single quotes nor comments are in it. */
export function withoutContinuations(text: string): string {
  return text.replace(/\\(\n|[^])/g, (pair, next: string) => (next === '\n' ? '' : pair));
}
