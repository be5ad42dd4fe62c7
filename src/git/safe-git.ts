import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { onAbort } from '../core/on-abort.js';
import { findExecutable } from '../processes/start/containment.js';
import { startProcess } from '../processes/start/start-process.js';
import type { Environment } from '../files/folders.js';

export type GitAnswer = {
  /** The exit code, or the name of the error. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** The output was too long: this is its beginning. */
  readonly isCut: boolean;
};

/** Run git once, in the folder that it was prepared for unless another one is given. Never rejects. */
export type SafeGit = (args: readonly string[], cwd?: string) => Promise<GitAnswer>;

const MAX_BUFFER_BYTES = 1_000_000;
const LIST_FILTERS = ['config', '--show-scope', '-z', '--name-only', '--get-regexp', '^filter\\.'];
/** Exit code of `config` without a match. */
const NOTHING_FOUND = 1;

type Setting = readonly [key: string, value: string];

const SAFE: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
];

/**
 * Prepare git so that it runs no program of the repository's configuration: no hook, no monitor, no filter, no
 * signature check, no fetch. The user's own filters stay.
 *
 * @returns the error if the configuration cannot be read
 */
export async function prepareGit(options: {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly maxBufferBytes?: number;
  /** Protocols that git may use, with colons between them; none if absent. */
  readonly protocols?: string;
}): Promise<{ readonly git: SafeGit } | { readonly failed: GitAnswer }> {
  const { env, maxBufferBytes: maxBuffer = MAX_BUFFER_BYTES, signal, protocols } = options;
  const run = (
    args: readonly string[],
    settings: readonly Setting[],
    cwd = options.cwd,
  ): Promise<GitAnswer> =>
    runGit(args, { cwd, signal, maxBuffer, env: withSettings(env, settings, protocols) });
  const filters = await run(LIST_FILTERS, SAFE);
  if (filters.code !== 0 && filters.code !== NOTHING_FOUND) return { failed: filters };
  const settings = [...SAFE, ...filtersOff(filters.stdout)];
  return { git: (args, cwd) => run(args, settings, cwd) };
}

/** The user's own filters stay; those of the repository's configuration do nothing. */
function filtersOff(stdout: string): readonly Setting[] {
  const parts = stdout.split('\0');
  return parts.flatMap((scope, index): readonly Setting[] => {
    const key = parts[index + 1];
    if ((scope !== 'local' && scope !== 'worktree') || key === undefined) return [];
    if (index % 2 === 1) return []; // a name, not a scope
    const filter = key.slice(0, key.lastIndexOf('.'));
    return [
      [`${filter}.clean`, ''],
      [`${filter}.smudge`, ''],
      [`${filter}.process`, ''],
      [`${filter}.required`, 'false'],
    ];
  });
}

/** Pass settings by the environment, whose keys may have any character. The user's own settings of this kind stay. */
function withSettings(
  env: Environment,
  settings: readonly Setting[],
  protocols = 'none',
): NodeJS.ProcessEnv {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    ...env,
    ...(Object.fromEntries(entries) as Record<string, string>), // pairs of strings
    GIT_CONFIG_COUNT: String(first + settings.length),
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

async function runGit(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal; maxBuffer: number },
): Promise<GitAnswer> {
  const { cwd, env, signal, maxBuffer } = options;
  try {
    signal.throwIfAborted();
    const program = findExecutable('git', env); // never a file of the repository, as by an entry `.` of PATH
    if (program === undefined) return unrun('ENOENT');
    const child = await startProcess(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => void child.kill('SIGKILL');
    const stopListening = onAbort(signal, kill);
    const out = collect(child.stdout, maxBuffer, kill);
    const err = collect(child.stderr, maxBuffer, kill);
    const [code, killed] = (await once(child, 'close')) as [number | null, string | null]; // the arguments of the event
    stopListening();
    signal.throwIfAborted();
    const isCut = out.isCut() || err.isCut();
    return {
      code: isCut ? 0 : (code ?? killed ?? 'killed'),
      stdout: out.text(),
      stderr: err.text(),
      isCut,
    };
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException; // of a system call, or of the signal
    return unrun(signal.aborted ? 'ABORT_ERR' : code);
  }
}

const unrun = (code: string): GitAnswer => ({ code, stdout: '', stderr: '', isCut: false });

function collect(stream: Readable | null, maxBytes: number, onFull: () => void) {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  stream?.on('data', (chunk: Buffer) => {
    if (room < 0) return;
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room < 0) onFull();
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), isCut: () => room < 0 };
}
