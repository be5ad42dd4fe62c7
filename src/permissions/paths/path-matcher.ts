/**
 * Whether a pattern matches a path relative to the start of the pattern. The time is at worst the product of the two
 * lengths.
 */
export type PathMatcher = {
  readonly matches: (path: string) => boolean;
  /** Whether the pattern matches a path in at least one of some folders. */
  readonly below: (folders: readonly string[]) => (path: string) => boolean;
};

type Reading = {
  /** `[ab]` is a set of characters; otherwise only itself. */
  readonly readsSets?: boolean;
  /** The pattern also matches everything below a match. */
  readonly coversBelow?: boolean;
};

/** One position in a pattern: the characters that lead on, and the position reached without one. */
type State = {
  readonly next: (char: string) => number | undefined;
  readonly skip?: number;
};

/**
 * Match `*` and `?` within a segment, `**` across segments; `**` with its slash also matches nothing. All possible positions advance
 * at once: a regular expression could take hours for a pattern with many wildcards.
 *
 * @returns undefined for an empty set (`[z-a]`)
 */
export function compileMatcher(
  pattern: string,
  { readsSets = false, coversBelow = false }: Reading = {},
): PathMatcher | undefined {
  const states: State[] = [];
  const add = (toState: (at: number) => State): void => void states.push(toState(states.length));
  const addTest = (takes: (char: string) => boolean): void =>
    add((at) => ({ next: (char) => (takes(char) ? at + 1 : undefined) }));
  const addRun = (takes: (char: string) => boolean): void =>
    add((at) => ({ next: (char) => (takes(char) ? at : undefined), skip: at + 1 }));
  const addBelow = (): void => {
    add((at) => ({ next: (char) => (isName(char) ? undefined : at + 1), skip: at + 2 }));
    addRun(isAny);
  };
  let rest = pattern;
  while (rest !== '') {
    const isAtStart = rest === pattern || pattern.at(-rest.length - 1) === '/';
    const set = readsSets ? /^\[[!^]?[^\]/]+\]/.exec(rest)?.[0] : undefined;
    let taken = 1;
    if (isAtStart && rest.startsWith('**/')) {
      add((at) => ({ next: (char) => (isName(char) ? at + 1 : undefined), skip: at + 2 }));
      add((at) => ({ next: (char) => (isName(char) ? at : at - 1) }));
      taken = 3;
    } else if (rest === '/**') {
      addBelow();
      taken = 3;
    } else if (rest.startsWith('**')) {
      addRun(isAny);
      taken = 2;
    } else if (rest.startsWith('*')) addRun(isName);
    else if (rest.startsWith('?')) addTest(isName);
    else if (set !== undefined) {
      const holds = compileSet(set);
      if (holds === undefined) return undefined;
      addTest((char) => isName(char) && holds(char));
      taken = set.length;
    } else {
      const [literal = ''] = rest;
      addTest((char) => char === literal);
      taken = literal.length;
    }
    rest = rest.slice(taken);
  }
  if (coversBelow) addBelow();
  // the beginning alone rules out most paths
  const beginning = /^(?:(?!\/\*\*$)[^*?[])*/.exec(pattern)?.[0] ?? '';
  const { matches, below } = createRun(states);
  return { matches: (path) => path.startsWith(beginning) && matches(path), below };
}

/** Positions that are reached together, and the positions that a character leads to, as far as it came before. */
type Reached = {
  readonly places: readonly number[];
  readonly isEnd: boolean;
  readonly next: Map<string, Reached>;
};

/** A search judges thousands of paths: few sets of positions are remembered, and only small ones. */
const MOST_REMEMBERED = 2_000;
const MOST_PLACES = 32;

function createRun(states: readonly State[]): PathMatcher {
  /** The step in which each position was last reached. */
  const reachedAt = new Float64Array(states.length + 1);
  let time = 0;
  const reachFrom = (firsts: readonly (number | undefined)[]): Reached => {
    time += 1;
    const places: number[] = [];
    for (const first of firsts) {
      for (let at = first; at !== undefined && reachedAt[at] !== time; at = states[at]?.skip) {
        reachedAt[at] = time;
        places.push(at);
      }
    }
    return { places, isEnd: reachedAt[states.length] === time, next: new Map() };
  };

  let start = reachFrom([0]);
  let known = new Map<string, Reached>();
  let remembered = 0;
  const advance = (from: Reached, char: string): Reached => {
    const reached = reachFrom(from.places.map((at) => states[at]?.next(char)));
    if (reached.places.length > MOST_PLACES || remembered === MOST_REMEMBERED) return reached;
    const key = reached.places.join();
    const same = known.get(key) ?? reached;
    known.set(key, same);
    from.next.set(char, same);
    remembered += 1;
    return same;
  };

  const follow = (from: Reached, path: string): Reached => {
    let reached = from;
    for (const char of path) {
      reached = reached.next.get(char) ?? advance(reached, char);
      if (reached.places.length === 0) return reached;
    }
    return reached;
  };
  const fromStart = (path: string): Reached => {
    if (remembered === MOST_REMEMBERED) {
      start = reachFrom([0]);
      known = new Map();
      remembered = 0;
    }
    return follow(start, path);
  };
  return {
    matches: (path) => fromStart(path).isEnd,
    below: (folders) => {
      const places = folders.flatMap((folder) => fromStart(folder && `${folder}/`).places);
      const from = reachFrom(places);
      return (path) => follow(from, path).isEnd;
    },
  };
}

function isName(char: string): boolean {
  return char !== '/';
}

function isAny(): boolean {
  return true;
}

function compileSet(set: string): ((char: string) => boolean) | undefined {
  const source = set.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  try {
    const expression = new RegExp(`^${source}$`, 'su');
    return (char) => expression.test(char);
  } catch {
    return undefined; // no character can match
  }
}
