import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { messageOf } from '../../core/errors.js';
import { toPlainJson } from '../../core/json/plain-json.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import {
  asyncStartOf,
  parseHookOutput,
  readCommandOutput,
} from '../../extensions/hooks/hook-output.js';
import type { CommandHook, SettingsHook } from '../../settings/schema/hooks-settings.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { SessionTelemetry } from '../telemetry/telemetry.js';
import type { AgentOrigin } from '../services/event-bus.js';
import { raceDeadline } from '../services/race-deadline.js';
import type { HookRun } from './hook-end.js';
import type { CallTool } from './run-mcp-hook.js';
import type { AskForHook } from './run-prompt-hook.js';
import type { Timers } from '../services/timers.js';
import type { HookInput } from '../../extensions/hooks/hook-inputs.js';
import { TOO_LATE, type AnyCallback, type PlacedHook } from './placed-hooks.js';
import type { Environment } from '../../files/folders.js';

export type HookWorld = {
  readonly processes: Pick<ProcessSupervisor, 'run'>;
  readonly timers: Timers;
  readonly journal: { pathOf(file: string): string };
  /** The present environment. */
  readonly env: () => Environment;
  /** The file for variables that the hook sets. */
  readonly envFile?: string | undefined;
  /** Called if the command prints that nobody should wait for it. */
  readonly onAsync?: (() => void) | undefined;
  /** The folder for its command. */
  readonly cwd: string;
  readonly ask: AskForHook;
  /** Gives a question to a sub-agent. */
  readonly verify: AskForHook;
  readonly callTool: CallTool;
  /** Absent if nobody collects spans. */
  readonly telemetry?: SessionTelemetry | undefined;
};

/** Run one hook. Never rejects: any error becomes a failure that is shown. */
export async function runHook(
  placed: PlacedHook,
  input: HookInput,
  origin: Pick<AgentOrigin, 'agentId' | 'taskId'>,
  world: HookWorld,
  signal: AbortSignal,
): Promise<HookRun> {
  const { hook, timeoutMs } = placed;
  try {
    if (typeof hook === 'function')
      return await runCallback(hook, timeoutMs, input, world.timers, signal);
    if (hook.type === 'command')
      return await runCommandHook(hook, timeoutMs, input, origin.taskId, world, signal);
    const late = { timeoutMs, tooLate: tooLate(timeoutMs) };
    const run = (either: AbortSignal): Promise<HookRun> =>
      runOther(hook, input, origin.agentId, world, either);
    return await raceDeadline(run, late, world.timers, signal);
  } catch (error) {
    return silent({ problem: messageOf(error) });
  }
}

/** Run a hook that is no command. Few sessions have one of a kind, so its code is loaded with the first. */
async function runOther(
  hook: Exclude<SettingsHook, CommandHook>,
  input: HookInput,
  agentId: AgentId,
  { env, ask, verify, callTool }: HookWorld,
  signal: AbortSignal,
): Promise<HookRun> {
  switch (hook.type) {
    case 'http': {
      const { runHttpHook } = await import('./run-http-hook.js');
      return runHttpHook(hook, input, env(), signal);
    }
    case 'prompt':
    case 'agent': {
      const { runPromptHook } = await import('./run-prompt-hook.js');
      return runPromptHook(hook, input, agentId, hook.type === 'prompt' ? ask : verify, signal);
    }
    case 'mcp_tool': {
      const { runMcpHook } = await import('./run-mcp-hook.js');
      return runMcpHook(hook, input, callTool, signal);
    }
    default:
      return hook satisfies never;
  }
}

async function runCallback(
  callback: AnyCallback,
  timeoutMs: number,
  input: HookInput,
  timers: Timers,
  signal: AbortSignal,
): Promise<HookRun> {
  const said = await raceDeadline(
    (either) => callback(structuredClone(input), toolUseIdOf(input), { signal: either }),
    { timeoutMs, tooLate: tooLate(timeoutMs) },
    timers,
    signal,
  );
  return silent(parseHookOutput(toPlainJson(said), input.hook_event_name));
}

function toolUseIdOf(input: HookInput): string | undefined {
  return 'tool_use_id' in input ? input.tool_use_id : undefined;
}

/**
 * Run a command hook. The command reads its event from a file on stdin, so no pipe of Troupe's keeps it waiting. Every
 * process that it starts ends with it, or with its agent's task.
 */
async function runCommandHook(
  hook: CommandHook,
  timeoutMs: number,
  input: HookInput,
  taskId: TaskId,
  { processes, timers, journal, env, envFile, onAsync, cwd, telemetry }: HookWorld,
  signal: AbortSignal,
): Promise<HookRun> {
  const limit = new AbortController();
  let cancelLimit = (): void => {};
  const either = AbortSignal.any([signal, limit.signal]);
  const becomeAsync = (limitMs: number | undefined): void => {
    if (limitMs !== undefined)
      cancelLimit = timers.after(limitMs, () => limit.abort(new Error(tooLate(limitMs))));
    onAsync?.();
  };
  const file = journal.pathOf(`hooks/${randomUUID()}`);
  const stdin = `${file}.json`;
  const outputFile = `${file}.txt`;
  try {
    await writeFile(stdin, JSON.stringify(input), { mode: 0o600 });
    const result = await processes.run({
      taskId,
      command: `exec <${quoted(stdin)}\n${lineOf(hook, cwd)}`,
      cwd,
      env: {
        ...env(),
        ...(await telemetry?.environment({ parentId: taskId, toolUseId: toolUseIdOf(input) })),
        ...hook.env,
        CLAUDE_PROJECT_DIR: cwd,
        TROUPE_PROJECT_DIR: cwd,
        CLAUDE_ENV_FILE: envFile,
        CLAUDE_EFFORT: input.effort?.level,
      },
      timeoutMs,
      signal: either,
      onOutput: () => {},
      onStdout: onAsync && callIfAsync(becomeAsync),
      outputFile,
      leavesSandbox: true, // the user has chosen the hook, like a server
    });
    either.throwIfAborted();
    const { stdout, stderr, exitCode } = result;
    const said = result.isTimedOut
      ? { problem: tooLate(timeoutMs) }
      : readCommandOutput(result, input.hook_event_name);
    return { said, stdout, stderr, ...(exitCode === null ? {} : { exitCode }) };
  } finally {
    cancelLimit();
    await Promise.all([stdin, outputFile].map((one) => rm(one, { force: true })));
  }
}

/** A receiver of stdout that looks at its first line. */
function callIfAsync(onAsync: (limitMs: number | undefined) => void): (chunk: string) => void {
  let line = '';
  let isRead = false;
  return (chunk) => {
    if (isRead) return;
    line += chunk;
    isRead = line.trimStart().includes('\n');
    const start = isRead ? asyncStartOf(line) : undefined;
    if (start !== undefined) onAsync(start.limitMs);
  };
}

/** With `args` no shell reads the words. */
function lineOf({ command, args, shell }: CommandHook, cwd: string): string {
  if (args === undefined)
    return shell === 'powershell'
      ? `exec pwsh -NoProfile -NonInteractive -Command ${quoted(command)}`
      : command;
  const words = [command, ...args].map((word) => word.replaceAll('${CLAUDE_PROJECT_DIR}', cwd));
  return `exec ${words.map(quoted).join(' ')}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function tooLate(timeoutMs: number): string {
  return `${TOO_LATE} ${timeoutMs / 1_000} s`;
}

/** Nothing was printed. */
function silent(said: HookRun['said']): HookRun {
  return { said, stdout: '', stderr: '' };
}
