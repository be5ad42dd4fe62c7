import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import { startProcess, type ProcessOptions, type StartedProcess } from '../start/start-process.js';
import { MOST_OUTPUT_BYTES, type CommandResult } from './command-result.js';
import { toArguments, type Launch } from '../start/containment.js';
import type { HoldFile, LastWords } from './hold-file.js';
import {
  openOutputCapture,
  type CapturedOutput,
  type OutputCapture,
} from '../output/output-capture.js';
import { childrenOf, type FoundProcess, type ProcessTable } from '../cleanup/process-table.js';
import { settlesWithin } from '../start/settles-within.js';
import { ShellStartError, toStartError } from '../start/shell-errors.js';
import { sendSignal, signalName } from '../start/signals.js';
import { pinStartFolder } from '../start/start-folder.js';
import { askToEnd, sweep } from '../cleanup/sweep.js';
import type { Environment } from '../../files/folders.js';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 300;
/** Wait for output that is still in the pipes when every process has ended: a process outside may hold them open. */
const DRAIN_MS = 1_000;

export type ShellCommand = {
  readonly taskId: string;
  /** The command line that was requested. */
  readonly command: string;
  /** The text that really runs: `bash --noprofile --norc -c <runsAs>`; the command if absent. */
  readonly runsAs?: string;
  readonly cwd: string;
  /** Copied without variables that change the shell and without Troupe's API credentials. */
  readonly env: Environment;
  readonly timeoutMs: number;
  /** After its abort the timeout does not apply. */
  readonly untimed?: AbortSignal;
  readonly signal: AbortSignal;
  /** Called at once, with whole characters. */
  readonly onOutput: (chunk: string) => void;
  /** Called with stdout alone, like `onOutput`. */
  readonly onStdout?: ((chunk: string) => void) | undefined;
  /** Stdout and stderr are appended to it as they arrive. */
  readonly outputFile: string;
  /** Size limit of the output file; 64 MiB if absent. */
  readonly maxOutputBytes?: number;
  /** Folders that the command may write to in a sandbox; its `cwd` if absent. */
  readonly workspace?: readonly string[];
  /** The command was allowed to run outside the sandbox. */
  readonly leavesSandbox?: boolean;
};

/** Parts that a run gets from its supervisor. */
export type RunParts = {
  readonly launch: Launch;
  /** Environment that is already prepared for a shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly hold: HoldFile;
  /** Key of the command's processes in the process table. */
  readonly key: string;
  /** Absent without `/proc`. */
  readonly table: ProcessTable | undefined;
  /** Ends the command, as its own signal does. */
  readonly ending: AbortSignal;
  readonly onStart: (pid: number) => void;
};

/**
 * Run one command and resolve when the shell and everything it started have ended. Processes that outlive the shell are
 * killed. Rejects if the shell could not be started or its output could not be written.
 */
export async function runCommand(command: ShellCommand, parts: RunParts): Promise<CommandResult> {
  const startedAt = Date.now();
  const begin = performance.now();
  const writing = new AbortController();
  const output = await openOutputCapture({
    file: command.outputFile,
    maxFileBytes: command.maxOutputBytes ?? MOST_OUTPUT_BYTES,
    onOutput: command.onOutput,
    onStdout: command.onStdout,
    onFileError: () => writing.abort(),
  }).catch((error: unknown) => {
    parts.hold.collect();
    throw toStartError(error);
  });
  const child = await startShell(command, parts, output);
  parts.onStart(child.pid);
  const closed = once(child, 'close');
  let ending: ShellEnd;
  let said: LastWords;
  let captured: CapturedOutput;
  try {
    ending = await waitForShell(child, command, parts, writing.signal);
    await settlesWithin(closed, DRAIN_MS);
  } finally {
    for (const stream of child.stdio) stream?.destroy();
    said = parts.hold.collect();
    captured = await output.finish();
  }
  const { code, signal, stopReason } = ending;
  const durationMs = Math.round(performance.now() - begin);
  if (parts.launch.containment === 'pid-namespace' && !said.hasStarted && !stopReason) {
    throw new ShellStartError(
      `${said.complaint || `the namespace ended with ${code ?? signal}`}. ${helpFor(parts.launch)}`,
    );
  }
  return {
    ...captured,
    ...howItEnded(code, signal, parts.launch, said),
    isTimedOut: stopReason === 'timeout',
    isAborted: stopReason === 'abort',
    durationMs,
    cwd: said.cwd || command.cwd,
    ...(said.cwd === '' && { isCwdGone: true as const }),
    startedAt,
    endedAt: startedAt + durationMs,
  };
}

type StopReason = 'timeout' | 'abort';
type ShellEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stopReason: StopReason | undefined;
};

/** Resolve when the shell has ended, by itself or on request, and all its processes have, too. */
async function waitForShell(
  child: StartedProcess,
  command: ShellCommand,
  parts: RunParts,
  lostOutput: AbortSignal,
): Promise<ShellEnd> {
  const { pid } = child;
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>; // its documented arguments
  const matches = (found: FoundProcess) =>
    found.keys.has(parts.key) || found.group === pid || found.session === pid;
  let stopReason: StopReason | undefined;
  let stopping: Promise<void> | undefined;
  const watch = watchForStop(command, [parts.ending, lostOutput], (reason) => {
    stopReason ??= reason;
    stopping ??= endShell(pid, exited, parts, matches);
  });
  const [code, signal] = await exited;
  watch.abort();
  await stopping;
  // The process above a namespace exits by itself only after the kernel has ended everything in it.
  const isProvenEmpty = parts.launch.containment === 'pid-namespace' && code !== null;
  if (!isProvenEmpty) await endLeftovers(pid, parts.table, matches);
  return { code, signal, stopReason };
}

function helpFor({ sandbox }: Launch): string {
  return sandbox === undefined
    ? 'To run commands without the namespace, set TROUPE_CONTAINMENT=marker.'
    : 'The sandbox could not be set up, and no command runs without it. Run "troupe doctor" to find out why.';
}

/** Call `stop` when the time is over or a signal aborts, until the returned controller is aborted. */
function watchForStop(
  { timeoutMs, untimed, signal }: ShellCommand,
  endings: readonly AbortSignal[],
  stop: (reason: StopReason) => void,
): AbortController {
  const watch = new AbortController();
  // Node cannot wait longer: such a timeout is no limit.
  if (timeoutMs <= LONGEST_TIMER_MS) {
    const timer = setTimeout(stop, timeoutMs, 'timeout');
    watch.signal.addEventListener('abort', () => clearTimeout(timer));
    if (untimed?.aborted === true) clearTimeout(timer);
    untimed?.addEventListener('abort', () => clearTimeout(timer), { signal: watch.signal });
  }
  for (const each of [signal, ...endings]) {
    if (each.aborted) stop('abort');
    each.addEventListener('abort', () => stop('abort'), { once: true, signal: watch.signal });
  }
  return watch;
}

async function startShell(
  { command, runsAs = command, cwd, workspace }: ShellCommand,
  { launch, env, hold }: RunParts,
  output: OutputCapture,
): Promise<StartedProcess> {
  try {
    const [file = '', ...args] = toArguments(launch, runsAs);
    const held = hold.descriptor;
    const stdio: ProcessOptions['stdio'] =
      launch.containment === 'pid-namespace'
        ? ['ignore', 'pipe', held, held, 'pipe']
        : ['ignore', 'pipe', 'pipe', held];
    const start = await pinStartFolder(cwd, workspace);
    const starting = startProcess(file, args, {
      env,
      stdio,
      detached: true,
      cwd: start.at('.'),
    });
    void start.close(); // not awaited, or the child's first events would be missed
    const child = await starting;
    const [, stdout, stderr, , innerStderr] = child.stdio;
    if (stdout instanceof Readable) output.stdout(stdout);
    for (const each of [stderr, innerStderr]) if (each instanceof Readable) output.stderr(each);
    return child;
  } catch (error) {
    hold.collect();
    await output.finish();
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) throw toStartError(error);
    const why = `${cwd} is not a directory. Start the command in a directory that exists.`;
    throw new ShellStartError(why, { cause: error });
  }
}

/**
 * SIGTERM, the grace time, SIGKILL. Resolves when the shell has ended and its remaining processes have had the grace
 * time. Never rejects: processes that a failed look did not show are swept after the end of the shell.
 */
async function endShell(
  pid: number,
  exited: Promise<unknown>,
  { launch, table }: RunParts,
  matches: (found: FoundProcess) => boolean,
): Promise<void> {
  if (launch.sandbox === 'bwrap') {
    // the namespace has its own session, and its first process ignores all signals except SIGKILL
    for (const child of visibleChildren(pid)) sendSignal(-child, 'SIGTERM');
  } else sendSignal(-pid, 'SIGTERM');
  if (launch.containment === 'marker' && table !== undefined) {
    const asking = { graceMs: GRACE_MS, isAsked: ({ group }: FoundProcess) => group === pid };
    await askToEnd(table, matches, asking).catch(() => {});
    sendSignal(-pid, 'SIGKILL');
    return;
  }
  if (await settlesWithin(exited, GRACE_MS)) return;
  // If the first process of a namespace ends, all others in it end, too; only then the process above it exits.
  const inner = launch.containment === 'pid-namespace' ? visibleChildren(pid) : [];
  for (const child of inner) sendSignal(child, 'SIGKILL');
  // A stopped process never notices that its child has ended: only SIGKILL reaches it.
  if (inner.length > 0 && (await settlesWithin(exited, GRACE_MS))) return;
  sendSignal(-pid, 'SIGKILL');
}

function visibleChildren(pid: number): readonly number[] {
  try {
    return childrenOf(pid);
  } catch {
    return []; // too many open files: the process above them is ended, and they end with it
  }
}

async function endLeftovers(
  pid: number,
  table: ProcessTable | undefined,
  matches: (found: FoundProcess) => boolean,
): Promise<void> {
  if (table !== undefined) {
    await sweep(table, matches);
    return;
  }
  while (sendSignal(-pid, 'SIGKILL')) await delay(1);
}

/**
 * In a namespace, a signal comes out as an exit code above 128. Such a code is a real exit code if the shell itself
 * wrote it to the hold file. `unshare` prints an error if the first process of the namespace was killed.
 */
function howItEnded(
  code: number | null,
  signal: NodeJS.Signals | null,
  { containment }: Launch,
  { exitCode, complaint }: LastWords,
): Pick<CommandResult, 'exitCode' | 'signal'> {
  if (code === null || containment !== 'pid-namespace' || code === exitCode) {
    return { exitCode: code, signal };
  }
  if (complaint !== '') return { exitCode: null, signal: 'SIGKILL' };
  const name = code > 128 ? signalName(code - 128) : undefined;
  return name === undefined ? { exitCode: code, signal } : { exitCode: null, signal: name };
}
