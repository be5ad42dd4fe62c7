/**
 * Whether `text` matches `pattern`, in which each `*` matches any characters, blanks and newlines included. The time is
 * in the order of the product of the two lengths, for every pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop() ?? '';
  const end = text.length - last.length;
  let position = first.length;
  if (position > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found < 0 || found + piece.length > end) return false;
    position = found + piece.length;
  }
  return true;
}

/** Whether some text is matched by both patterns. */
export function wildcardsMeet(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start] && a[start] !== '*') start++;
  return meet(a.slice(start), b.slice(start));
}

function meet(a: string, b: string): boolean {
  if (a[0] !== b[0] && a[0] !== '*' && b[0] !== '*') return false;
  /** `behind[j]`: whether the rest of `a` and `b.slice(j)` may still meet. Filled from the end of `a`. */
  let behind = new Uint8Array(b.length + 1);
  let now = new Uint8Array(b.length + 1);
  behind[b.length] = 1;
  for (let j = b.length - 1; j >= 0 && b[j] === '*'; j--) behind[j] = 1;
  for (let i = a.length - 1; i >= 0; i--) {
    now[b.length] = a[i] === '*' ? (behind[b.length] ?? 0) : 0;
    for (let j = b.length - 1; j >= 0; j--) {
      const isStar = a[i] === '*' || b[j] === '*';
      const rest = isStar ? (behind[j] ?? 0) | (now[j + 1] ?? 0) : (behind[j + 1] ?? 0);
      now[j] = isStar || a[i] === b[j] ? rest : 0;
    }
    [behind, now] = [now, behind];
  }
  return behind[0] === 1;
}
