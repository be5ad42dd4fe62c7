/** Programs that run a script of the project by its name. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);
/** Commands that record work and remove nothing. */
const GIT_COMMANDS: ReadonlySet<string> = new Set(['add', 'commit']);

const PLAIN_NAME = /^[\w.:-]+$/;

/**
 * The pattern for a command with any arguments, if a person who permanently allows the command means that: a project
 * script by name, a commit. Undefined for all else: one yes never opens an interpreter, a wrapper or a program that
 * fetches, deletes or publishes.
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
