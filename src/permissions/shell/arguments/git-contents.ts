import type { ShellWord } from '../words/shell-token.js';
import { baseName } from '../words/wrappers.js';

/** Options of `git log` and `git diff` that show no content of any file. */
const QUIET: ReadonlySet<string> = new Set(
  [
    '-n -i -E -F -s -q -z -M -C -B -D -R -g --oneline --graph --decorate --no-decorate --all --branches --tags',
    '--remotes --stat --shortstat --numstat --dirstat --compact-summary --summary --name-only --name-status --raw',
    '--no-patch --since --after --until --before --author --committer --grep --max-count --skip --format --pretty',
    '--date --abbrev --abbrev-commit --no-abbrev-commit --merges --no-merges --first-parent --reverse --follow',
    '--date-order --topo-order --author-date-order --left-right --cherry-pick --cherry-mark --cherry --no-color',
    '--color --diff-filter --no-renames --find-renames --find-copies --full-history --simplify-by-decoration',
    '--ancestry-path --boundary --children --parents --relative-date --no-ext-diff --no-textconv --relative',
    '--cached --staged --merge-base --exit-code --quiet --invert-grep --regexp-ignore-case --no-notes --source',
  ].flatMap((line) => line.split(' ')),
);

/** With one of these `git diff` lists files and does not show their content. */
const SUMMARIES: ReadonlySet<string> = new Set(
  '--stat --shortstat --numstat --dirstat --compact-summary --summary --name-only --name-status --raw --no-patch -s --quiet'.split(
    ' ',
  ),
);

/**
 * Whether a git command shows the content of files that it does not name: a difference, a commit. Unknown options count
 * as showing it.
 */
export function showsContents(words: readonly ShellWord[], from = 0): boolean {
  if (baseName(words[from]?.text ?? '') !== 'git') return false;
  const all = words.slice(from + 1).map(({ text }) => text);
  const start = all.findIndex((word, index) => {
    return !word.startsWith('-') && !/^-[cC]$/.test(all[index - 1] ?? '');
  });
  const rest = all.slice(start + 1);
  const end = rest.indexOf('--');
  const options = (end < 0 ? rest : rest.slice(0, end))
    .filter((word) => word.startsWith('-'))
    .map((word) => word.replace(/=.*$/s, ''));
  const isQuiet = options.every((option) => QUIET.has(option) || /^-n?\d+$/.test(option));
  switch (all[start]) {
    case 'show':
      // a commit shows only a summary, but a file named by its hash is shown whole
      return !(
        isQuiet &&
        options.some((option) => SUMMARIES.has(option)) &&
        rest.every((word) => word.startsWith('-') || /^(?:HEAD|@)(?:[~^]\d*)*$/.test(word))
      );
    case 'log':
      return !isQuiet;
    case 'diff':
      return !isQuiet || !options.some((option) => SUMMARIES.has(option));
    case 'status':
      return options.some((option) => /^-[a-z]*v|^--v/.test(option));
    default:
      return false;
  }
}

/** The word behind the options of `git`. */
export function gitCommand(words: readonly ShellWord[], start: number): ShellWord | undefined {
  return words.find(
    ({ text }, index) =>
      index > start && !text.startsWith('-') && !WITH_VALUE.test(words[index - 1]?.text ?? ''),
  );
}

const WITH_VALUE = /^-[cC]$|^--(?:git-dir|work-tree|namespace)$/;

/** `HEAD:src/a.ts` names a file behind its colon. */
export function withBehindColon(word: ShellWord): readonly ShellWord[] {
  const colon = word.text.indexOf(':');
  const behind = { ...word, text: word.text.slice(colon + 1), isTilde: false };
  return colon < 0 ? [word] : [word, behind];
}
