import { neutralise } from '../core/text/frame.js';
import { findWorkTree, type Environment } from '../files/folders.js';
import { prepareGit, type GitAnswer } from './safe-git.js';

const MAX_CHARACTERS = 2_000;
const MAX_LINE = 200;
const MAX_COMMITS = 5;
const TIMEOUT_MS = 2_000;

/**
 * Branch, short status and the newest commits of the work tree of `cwd`, at most 2,000 characters. Outside of a work
 * tree nothing runs. Git runs no program of the repository's configuration: no hook, no monitor, no filter, no
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
  const prepared = await prepareGit({ cwd, env, signal });
  if ('failed' in prepared) return { warnings: warningsOf(prepared.failed, timeoutMs) };
  const [status, log] = await Promise.all([prepared.git(STATUS), prepared.git(LOG)]);
  const bad = [status, log].find(
    (answer) => answer.code !== 0 && answer.code !== (answer === log ? NO_COMMITS : 0),
  );
  if (bad !== undefined) return { warnings: warningsOf(bad, timeoutMs) };
  return { gitStatus: render(linesOf(status.stdout), linesOf(log.stdout)), warnings: [] };
}

const STATUS = [
  '--no-optional-locks',
  'status',
  '--short',
  '--branch',
  '--no-renames',
  '--ignore-submodules=all',
];
const LOG = ['log', `-${MAX_COMMITS}`, '--oneline', '--no-decorate', '--no-show-signature'];
/** Exit code of `log` before the first commit. */
const NO_COMMITS = 128;

function warningsOf({ code, stderr }: GitAnswer, timeoutMs: number): readonly string[] {
  if (code === 'ENOENT') return []; // git is not installed
  const why =
    code === 'ABORT_ERR'
      ? `git did not answer within ${timeoutMs} ms`
      : (linesOf(stderr)[0] ?? `git ended with ${code}`);
  return [`The model does not get the state of the repository: ${why}.`];
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line));
}

function render([branch = '', ...changes]: readonly string[], commits: readonly string[]): string {
  const head = [
    'Git, at the start of the session:',
    `Branch: ${branch.replace(/^## /, '')}`,
    'Status:',
  ];
  const tail = ['Recent commits:', ...(commits.length === 0 ? ['(none)'] : commits)];
  const shown: string[] = [];
  let room = MAX_CHARACTERS - [...head, ...tail].join('\n').length - 40; // 40: for the last line
  for (const change of changes) {
    room -= change.length + 1;
    if (room < 0) break;
    shown.push(change);
  }
  const left = changes.length - shown.length;
  if (left > 0) shown.push(`(and ${left} more)`);
  const lines = [...head, ...(changes.length === 0 ? ['(clean)'] : shown), ...tail];
  return neutralise(lines.join('\n')); // names of branches and files, subjects of commits
}
