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
 * Whether this exit code is the command's answer and no error: 1 of grep, diff, test and their like. Only where that
 * one simple command is all of it: in a pipeline or a list the code may be another's.
 */
export function isAnswer(command: string, exitCode: number): boolean {
  if (exitCode !== 1) return false;
  const name = nameOfSimpleCommand(command.trim());
  return name !== undefined && ANSWER_WITH_ONE.has(posix.basename(name));
}

/** The first word after assignments; undefined where an operator outside quotes makes it more than one command. */
function nameOfSimpleCommand(command: string): string | undefined {
  const bare = command
    .replace(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, 'q') // quoted text holds no operators
    .replace(/\d*>&\d+|&>>?/g, '>'); // `2>&1` and `&>` are redirections
  if (/[;&|()`\n'"]/.test(bare)) return undefined;
  return /^(?:[A-Za-z_]\w*=\S*\s+)*(?<name>[^\s=]+)(?:\s|$)/.exec(bare)?.groups?.['name'];
}
