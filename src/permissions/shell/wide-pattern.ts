/** Run what the project itself calls so, whatever is handed to it. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);
/** Record work, and take nothing away. */
const GIT_COMMANDS: ReadonlySet<string> = new Set(['add', 'commit']);

const PLAIN_NAME = /^[\w.:-]+$/;

/**
 * The pattern for a command with any arguments, where that is what is meant by allowing it for good: a script of the
 * project by its name, recording a change. Undefined for all else: an interpreter, a wrapper or a program that fetches,
 * deletes or publishes is never opened with one yes.
 *
 * @example
 * wideCommandPattern('npm run test -- parser') // 'npm run test *'
 */
export function wideCommandPattern(command: string): string | undefined {
  const [program = '', verb = '', name = ''] = command.split(' ');
  if (SCRIPT_RUNNERS.has(program)) {
    if (verb === 'test') return `${program} test *`;
    const isScript = verb === 'run' && PLAIN_NAME.test(name) && !name.startsWith('-');
    return isScript ? `${program} run ${name} *` : undefined;
  }
  return program === 'git' && GIT_COMMANDS.has(verb) ? `git ${verb} *` : undefined;
}
