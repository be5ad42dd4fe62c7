/** Remove the line continuations of a command line outside single quotes, as a shell does before it reads words. */
export function joinLines(source: string): string {
  if (!source.includes('\\\n')) return source;
  let joined = '';
  let quote = '';
  for (let index = 0; index < source.length; index++) {
    const char = source[index] ?? '';
    if (char === '\\' && quote !== "'") {
      const next = source[++index] ?? '';
      if (next !== '\n') joined += char + next;
      continue;
    }
    if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    joined += char;
  }
  return joined;
}
