import { posix } from 'node:path';

/** Commands whose exit code 1 says "no", "different" or "nothing found". */
const ANSWER_WITH_ONE: ReadonlySet<string> = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'diff',
  'cmp',
  'test',
  '[',
]);

/**
 * Whether this exit code is an answer of the command and not an error: 1 of grep, diff, test and the like. Only for a
 * single simple command: in a pipeline or a list the code may be that of another command.
 */
export function isAnswer(command: string, exitCode: number): boolean {
  if (exitCode !== 1) return false;
  const name = nameOfSimpleCommand(command.trim());
  return name !== undefined && ANSWER_WITH_ONE.has(posix.basename(name));
}

/** The first word after assignments; undefined if an operator outside quotes makes it more than one command. */
function nameOfSimpleCommand(command: string): string | undefined {
  const bare = command
    .replace(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, 'q') // quoted text contains no operators
    .replace(/\d*>&\d+|&>>?/g, '>'); // `2>&1` and `&>` are redirections
  if (/[;&|()`\n'"]/.test(bare)) return undefined;
  return /^(?:[A-Za-z_]\w*=\S*\s+)*(?<name>[^\s=]+)(?:\s|$)/.exec(bare)?.groups?.['name'];
}
