import type { Environment } from '../../files/folders.js';

/** The variable that marks a process with its task. */
export const MARK_VARIABLE = 'TROUPE_MARK';

/** These change the meaning of a checked command, or how its text is read, before it runs. */
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

/** Troupe's own credentials: no command needs them, and the output of commands is sent to a model. */
export const SECRETS: ReadonlySet<string> = new Set(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']);

/**
 * The environment of a shell: a copy without start-up files, exported functions, shell options and Troupe's API
 * credentials; git does not use bare repositories that it finds by itself. An earlier mark stays before `mark`, so that
 * an outer Troupe can still find a Troupe that runs in its shell.
 */
export function shellEnvironment(
  env: Environment,
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
 * Protect against a folder that looks like a bare repository and names programs for git to run. Git reads these
 * variables, so no file is changed. If the existing count is invalid, it stays for git to refuse.
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
