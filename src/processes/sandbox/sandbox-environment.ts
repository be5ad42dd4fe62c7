import type { Environment } from '../../files/folders.js';

/** Variables that commands need. All others may be secrets. */
const KEPT: readonly string[] = [
  'PATH HOME USER LOGNAME SHELL TERM COLORTERM TZ LANG LANGUAGE LC_* NO_COLOR FORCE_COLOR CLICOLOR CI',
  'COLUMNS LINES EDITOR VISUAL PAGER GIT_PAGER GIT_EDITOR GIT_AUTHOR_* GIT_COMMITTER_* DEBIAN_FRONTEND',
  'NODE_ENV NODE_PATH NVM_DIR VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYENV_ROOT JAVA_HOME GOPATH GOROOT',
  'CARGO_HOME RUSTUP_HOME GEM_HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME SOURCE_DATE_EPOCH',
  'SSL_CERT_FILE SSL_CERT_DIR TROUPE_MARK',
].flatMap((line) => line.split(' '));

/** Keep the listed variables of an environment, and those that `further` names; a name may end in `*`. */
export function sandboxEnvironment(
  env: Environment,
  further: readonly string[] = [],
): Record<string, string> {
  const names = [...KEPT, ...further];
  const isKept = (name: string): boolean =>
    names.some((kept) => (kept.endsWith('*') ? name.startsWith(kept.slice(0, -1)) : name === kept));
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isKept(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(entries), TMPDIR: '/tmp' };
}
