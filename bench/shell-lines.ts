/** Commands that agents run: pipelines, chains, quoted strings, paths, redirects, a loop, a subshell. `@` becomes a number. */
const COMMANDS = [
  'grep -rn "foo bar" src/part@ 2>/dev/null | head -n 20',
  'git log --oneline -5 -- src/a@.ts',
  'git diff HEAD~@ --stat',
  'npm run build -- --watch=false',
  'NODE_ENV=test npm test -- parser@',
  "sed -n '10,20p' src/permissions/decide@.ts",
  'ls -la "$HOME/.config" src/tools@',
  'cat package.json | grep \'"version"\' | sort -u',
  'mkdir -p build/out@ && cp -r src/assets build/out@',
  'find . -name "*.test.ts" -not -path "./node_modules/*" | wc -l',
  'echo "done with $NAME" >> build/log@.txt',
  'wc -l src/a@.ts src/b.ts 2>&1',
  'for f in a b c@; do echo "$f"; done',
  '(cd test@; ls)',
  'if [ -f part@ ]; then pwd; fi',
] as const;
const SEPARATORS = [' && ', '; ', '\n', ' || '] as const;

/** A line of such commands, the same for the same seed; at most one of them shorter than asked for. */
export function shellLine(length: number, seed: number): string {
  const random = randomNumbers(seed);
  const next = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[random(items.length)] ?? items[0];
  const command = (): string => next(COMMANDS).replaceAll('@', String(random(50)));
  let line = command();
  for (;;) {
    const longer = line + next(SEPARATORS) + command();
    if (longer.length > length) return line;
    line = longer;
  }
}

/** The lines of almost 10,000 characters that take longest for what they are. */
export const CHAINS: Readonly<Record<string, string>> = {
  '`true && true && …`': chain('true && ', 'true'),
  '`a;a;a;…`': chain('a;', 'a'),
  '`>a;>a;…`': chain('>a;', 'a'),
  '`(a);(a);…`': chain('(a);', 'a'),
  '`ls a|ls a|…`': chain('ls a|', 'ls'),
  '`env env … ls`': chain('env ', 'ls'),
  '`sudo env sudo env … ls $x`': chain('sudo env ', 'ls $x'),
  '`nice nice … ls $x`': chain('nice ', 'ls $x'),
  '`mv a b;mv a b;…`': chain('mv a b;', 'ls'),
  '`cat {61 choices}{2,001 choices}`': `cat {${'a,'.repeat(60)}a}{${'b,'.repeat(2_000)}b}`,
  '`cat a a a …`': `cat ${chain('a ', 'a').slice(4)}`,
  '`cat <<E …`, again and again': chain('cat <<E\nx\nE\n', 'ls'),
  'a `cd`, then many files': `cd a; cd b; ${chain('cat a b c;', 'ls').slice(100)}`,
};

function chain(piece: string, end: string): string {
  return piece.repeat(Math.floor((9_990 - end.length) / piece.length)) + end;
}

/** The same numbers for the same seed. @returns whole numbers below `limit` */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}
