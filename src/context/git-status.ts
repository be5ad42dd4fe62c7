import { execFile } from 'node:child_process';
import { findWorkTree } from './folders.js';

const MAX_CHARACTERS = 2_000;
const MAX_LINE = 200;
const MAX_COMMITS = 5;
const MAX_BUFFER_BYTES = 1_000_000;
const TIMEOUT_MS = 2_000;

type Environment = Readonly<Record<string, string | undefined>>;
type Answer = { readonly code: number | string; readonly stdout: string; readonly stderr: string };

/**
 * Branch, short status and the newest commits of the work tree that `cwd` is in, at most 2,000 characters. Outside of one
 * nothing is run. Nothing that the repository's own configuration names is run either: no hook, no monitor, no filter, no
 * signature check, no fetch.
 */
export async function readGitStatus({
  cwd,
  env,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly cwd: string;
  readonly env: Environment;
  readonly timeoutMs?: number;
}): Promise<{ readonly gitStatus?: string; readonly warnings: readonly string[] }> {
  if (findWorkTree(cwd) === undefined) return { warnings: [] };
  const signal = AbortSignal.timeout(timeoutMs);
  const run = (args: readonly string[], settings: readonly Setting[]): Promise<Answer> =>
    runGit(args, { cwd, env: withSettings(env, settings), signal });

  const filters = await run(LIST_FILTERS, SAFE);
  const settings = [...SAFE, ...filtersOff(filters.stdout)];
  const failed = (answer: Answer, harmless: number): boolean =>
    answer.code !== 0 && answer.code !== harmless;
  if (failed(filters, NOTHING_FOUND)) return { warnings: warningsOf(filters, timeoutMs) };
  const [status, log] = await Promise.all([run(STATUS, settings), run(LOG, settings)]);
  const bad = [status, log].find((answer) => failed(answer, answer === log ? NO_COMMITS : 0));
  if (bad !== undefined) return { warnings: warningsOf(bad, timeoutMs) };
  return { gitStatus: render(linesOf(status.stdout), linesOf(log.stdout)), warnings: [] };
}

const LIST_FILTERS = ['config', '--show-scope', '-z', '--name-only', '--get-regexp', '^filter\\.'];
const STATUS = [
  '--no-optional-locks',
  'status',
  '--short',
  '--branch',
  '--no-renames',
  '--ignore-submodules=all',
];
const LOG = ['log', `-${MAX_COMMITS}`, '--oneline', '--no-decorate', '--no-show-signature'];
/** Exit codes: of `config` without a match, of `log` before the first commit. */
const NOTHING_FOUND = 1;
const NO_COMMITS = 128;

type Setting = readonly [key: string, value: string];

const SAFE: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
];

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
      [`${filter}.process`, ''],
      [`${filter}.required`, 'false'],
    ];
  });
}

/** By the environment, where a key may hold any character. What the user passes in this way is kept. */
function withSettings(env: Environment, settings: readonly Setting[]): NodeJS.ProcessEnv {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    ...env,
    ...(Object.fromEntries(entries) as Record<string, string>), // pairs of strings
    GIT_CONFIG_COUNT: String(first + settings.length),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** Never rejects: `code` is the exit code, or the name of what went wrong. */
function runGit(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      'git',
      args,
      { ...options, killSignal: 'SIGKILL', maxBuffer: MAX_BUFFER_BYTES },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : (error.code ?? error.name);
        // a listing that is too long is cut anyway
        const isCut = code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        resolve({ code: isCut ? 0 : code, stdout, stderr });
      },
    );
  });
}

function warningsOf({ code, stderr }: Answer, timeoutMs: number): readonly string[] {
  if (code === 'ENOENT') return []; // there is no git
  const why =
    code === 'ABORT_ERR'
      ? `git did not answer within ${timeoutMs} ms`
      : (linesOf(stderr)[0] ?? `git ended with ${code}`);
  return [`The state of the repository is not told to the model: ${why}.`];
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line));
}

function render([branch = '', ...changes]: readonly string[], commits: readonly string[]): string {
  const head = [
    'Git, as it was when the session began:',
    `Branch: ${branch.replace(/^## /, '')}`,
    'Status:',
  ];
  const tail = ['Recent commits:', ...(commits.length === 0 ? ['(none)'] : commits)];
  const shown: string[] = [];
  let room = MAX_CHARACTERS - [...head, ...tail].join('\n').length - 40; // 40: for what stands below
  for (const change of changes) {
    room -= change.length + 1;
    if (room < 0) break;
    shown.push(change);
  }
  const left = changes.length - shown.length;
  if (left > 0) shown.push(`(and ${left} more)`);
  return [...head, ...(changes.length === 0 ? ['(clean)'] : shown), ...tail].join('\n');
}
