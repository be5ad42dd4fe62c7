import { ASSIGNED, J, PIECES, PREFIXES, SPELLINGS } from './deny-words.js';

/** A source of numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Context = (command: string) => string;
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
function listed(...contexts: readonly Context[]): readonly Context[] {
  return contexts;
}
const CONTEXTS: readonly Context[] = listed(
  (c) => `echo $(${c})`,
  (c) => `echo "$(${c})"`,
  (c) => `echo "a$(${c}\n)"`,
  (c) => `(${c})`,
  (c) => `{ ${c}\n}`,

  (c) => `: && ${c}`,
  (c) => `false || ${c}`,
  (c) => `echo a | ${c}`,
  (c) => `${c} | cat`,
  (c) => `${c} &\nwait`,
  (c) => `if ${c}; then :; fi`,

  (c) => `if :; then ${c}\nfi`,
  (c) => `while ${c}\nfalse; do :; done`,
  (c) => `for q in 1; do ${c}\ndone`,
  (c) => `until ${c}\n:; do :; done`,

  (c) => `case a in a) ${c}\n;; esac`,
  (c) => `case a in (b|a) ${c}\nesac`,
  (c) => `echo $(case a in a) ${c}\n;; esac)`,
  (c) => `echo "$(case a in a) ${c}\n;; esac)"`,

  (c) => `f() { ${c}\n}; f`,
  (c) => `function g { ${c}\n}; g`,
  (c) => `f() (${c}\n); f`,
  (c) => `cat <(${c})`,
  (c) => `: >(${c})\nwait`,

  (c) => `cat <<E\n$(${c})\nE`,
  (c) => `cat <<E\n$${J}(${c})\nE`,
  (c) => `cat <<E\nE${J}\nx\nE\n${c}`,
  (c) => `cat <<E\n${J}E\n${c}\nE`,
  (c) => `cat <<-"E"\n\tE\n${c}`,

  (c) => `: \${z:-$(${c})}`,
  (c) => `: "\${z:=$(${c})}"`,
  (c) => `: $((1+$(${c}\n)))`,
  (c) => `a=($(${c}))`,
  (c) => `a[$(${c})0]=1`,
  (c) => `x=$(${c})`,

  (c) => `echo a > "o$(${c})"`,
  (c) => `cat <<< "$(${c})"`,
  (c) => `[[ -n $(${c}) ]]`,
  (c) => `echo $(echo $(${c}))`,
  (c) => `"$${J}(${c})"`,

  (c) => `# it's ${J}\n${c}`,
  (c) => `echo a # b ${J}\n${c}`,
  (c) => `echo 'a ${J} b'; ${c}`,
  (c) => `echo \\\\\n${c}`,
  (c) => `echo "a # b"; ${c}`,

  (c) => `eval ${quote(c)}`,
  (c) => `bash -c ${quote(c)}`,
  (c) => `sh -ec ${quote(c)} a`,
  (c) => `trap ${quote(c)} EXIT`,
  (c) => `env -S ${quote('env a=1')} ${c}`,

  (c) => `x=${quote(`a[$(${c})]`)}; echo $((x))`,
  (c) => `let ${quote(`b[$(${c})]=1`)}`,
  (c) => `shopt -s expand_aliases; alias w=${quote(c)}\nw`,

  (c) => `find . -maxdepth 0 -exec ${c} ';'`,
  (c) => `select q in 1; do ${c}\nbreak; done <<< 1`,
  (c) => `coproc N { ${c}\n}\nwait`,
  (c) => `time ${c}`,

  (c) => `r() { "$@"; }; r ${c}`,
  (c) => `r() { eval "$*"; }; r ${quote(c)}`,
  (c) => `function r { env "$@"; }\nr ${c}`,
  (c) => `x=bash; $x -c ${quote(c)}`,
  (c) => `x=eval; "$x" ${quote(c)}`,
  (c) => `x="bash -c"; $x ${quote(`:; ${c}`)}`,

  (c) => `echo ${quote(c)} | bash`,
  (c) => `printf '%s\\n' : ${quote(c)} | env bash -s`,
  (c) => `bash <<< ${quote(c)}`,
  (c) => `sh <<'END'\n${c}\nEND`,
  (c) => `cat <<'END' | bash\n${c}\nEND`,
  (c) => `{ bash; } <<'END'\n${c}\nEND`,
  (c) => `cat > s <<'END'\n${c}\nEND\n. ./s`,
  (c) => `echo ${quote(c)} | xargs -I{} -d '\\n' sh -c {}`,

  (c) => `echo "\`${c.replace(/[\\`$]/g, String.raw`\$&`)}\``,
  (c) => `echo \`${c.replace(/[\\`$]/g, String.raw`\$&`)}\``,
  (c) => `: $(# )\n${c}\n)`,
);
/** Command lines that run `curl` in many ways, and some that are damaged. */
export function* denyLines(seed: number): Generator<string, never> {
  const random = randomOf(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T; // there are some
  const times = (most: number, chance: number): number => {
    let count = 0;
    while (count < most && random() < chance) count++;
    return count;
  };
  for (;;) {
    let line = random() < 0.06 ? pick(ASSIGNED) : `${pick(SPELLINGS)} a`;
    for (let left = times(3, 0.5); left > 0; left--) line = pick(PREFIXES) + line;
    for (let left = times(4, 0.55); left > 0; left--) line = pick(CONTEXTS)(line);
    for (let left = times(3, 0.25); left > 0; left--) {
      const at = Math.floor(random() * line.length);
      line =
        line.slice(0, at) + (random() < 0.8 ? pick(PIECES) : '') + line.slice(at + times(2, 0.3));
    }
    yield line;
  }
}
