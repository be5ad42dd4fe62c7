/** The characters between two commands. */
const BETWEEN = /[;&|(){}\n`]/;

/** The word before a command, if it is not the first word. */
const BEFORE = /(?:^|\W)(?:sudo|env|xargs|exec|then|do|else|time|nohup)$/;

/** Programs whose effect cannot be undone. */
const PROGRAM =
  /^(?:rm|rmdir|shred|dd|mkfs(?:\.\w+)?|truncate|wipefs|unlink|fdisk|kill|killall|pkill|shutdown|reboot)$/;

/** The same for commands of git, with the argument that makes them so. */
const OF_GIT: ReadonlyMap<string, RegExp> = new Map([
  ['reset', /^--hard/],
  ['clean', /^/],
  ['push', /^(?:-f\b|--force|--delete|-d\b|\+)/],
  ['branch', /^-D\b/],
  ['checkout', /^(?:--$|\.)/],
  ['restore', /^/],
  ['stash', /^(?:drop|clear)/],
  ['filter-branch', /^/],
  ['worktree', /^remove/],
]);

/** Whether a command line seems to remove what cannot be restored. A hint for approvers: no decision depends on it. */
export function seemsDestructive(command: string): boolean {
  return command.split(BETWEEN).some(partDestroys);
}

function partDestroys(part: string): boolean {
  const words = part.split(/\s+/).filter((word) => word !== '');
  const starts = words.flatMap((word, index) =>
    index === 0 || BEFORE.test(words[index - 1] ?? '')
      ? [{ index, program: word.slice(word.lastIndexOf('/') + 1) }]
      : [],
  );
  if (starts.some(({ program }) => PROGRAM.test(program))) return true;
  const git = starts.find(({ program }) => program === 'git');
  return git !== undefined && gitDestroys(words.slice(git.index + 1));
}

function gitDestroys(words: readonly string[]): boolean {
  const at = words.findIndex(
    (word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(words[index - 1] ?? ''),
  );
  const argument = OF_GIT.get(words[at] ?? '');
  return argument !== undefined && ['', ...words.slice(at + 1)].some((word) => argument.test(word));
}
