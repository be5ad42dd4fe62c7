/**
 * Whether `text` is matched by `pattern`, in which each `*` stands for any run of characters, blanks and newlines
 * included. Takes time in the order of the two lengths multiplied, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Whether some text is matched by both patterns. */
export function wildcardsMeet(a: string, b: string): boolean {
  /** `reachable[j]`: what is left of `a` and `b.slice(j)` may still meet. Filled from the end of `a`. */
  let reachable = row(b, (j) => /^\**$/.test(b.slice(j)));
  for (let i = a.length - 1; i >= 0; i--) {
    const behind = reachable;
    const now: boolean[] = row(b, () => false);
    for (let j = b.length; j >= 0; j--) {
      const isStar = a[i] === '*' || b[j] === '*';
      now[j] = isStar
        ? (behind[j] ?? false) || (now[j + 1] ?? false)
        : a[i] === b[j] && (behind[j + 1] ?? false);
    }
    reachable = now;
  }
  return reachable[0] ?? false;
}

function row(text: string, isSet: (index: number) => boolean): boolean[] {
  return Array.from({ length: text.length + 1 }, (_, index) => isSet(index));
}
