/** The variable by which a process is known to belong to a task. */
export const MARK_VARIABLE = 'TROUPE_MARK';

/** Change what a checked command means, or how its text is read, before it runs. */
const CHANGES_THE_SHELL: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_COMPAT',
  'BASH_XTRACEFD',
  'BASH_LOADABLES_PATH',
  'POSIXLY_CORRECT',
  'CDPATH',
  'GLOBIGNORE',
  'EXECIGNORE',
  'PROMPT_COMMAND',
  'PS4',
]);

/** What Troupe itself pays with: no command needs it, and a command's output is sent to a model. */
export const SECRETS: ReadonlySet<string> = new Set(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']);

/**
 * The environment of a shell: the given one without start-up files, exported functions, shell options and Troupe's own
 * API credentials; with git kept from bare repositories that it comes across. A mark that was there stays in front of `mark`, so that a Troupe which runs in a shell of another is
 * still found by the outer one.
 */
export function shellEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { mark, cwd }: { readonly mark: string; readonly cwd: string },
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name.startsWith('BASH_FUNC_')) continue;
    if (CHANGES_THE_SHELL.has(name) || SECRETS.has(name)) continue;
    result[name] = value;
  }
  result[MARK_VARIABLE] = `${result[MARK_VARIABLE] ?? ''}${mark}`;
  result['PWD'] = cwd;
  delete result['OLDPWD'];
  return { ...result, ...gitConfigBehind(result) };
}

/**
 * A folder that merely looks like a bare repository could name programs for git to run. Git's own variables say so, so
 * that no file is touched; a count that git refuses is left for git to refuse.
 */
function gitConfigBehind(env: Readonly<Record<string, string>>): Record<string, string> {
  const written = env['GIT_CONFIG_COUNT'] ?? '';
  if (!/^\d{0,6}$/.test(written)) return {};
  const count = Number(written);
  const isThere =
    env[`GIT_CONFIG_KEY_${count - 1}`] === 'safe.bareRepository' &&
    env[`GIT_CONFIG_VALUE_${count - 1}`] === 'explicit';
  if (isThere) return {};
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}
