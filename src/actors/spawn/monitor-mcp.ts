import { messageOf, TaskFailedError, toFailure } from '../../core/errors.js';
import type { TaskInput } from '../../core/events.js';
import { fromWork, type WorkLogic } from '../../machines/from-work.js';
import type { SessionFiles } from '../../journal/journal.js';
import type { MonitorMcpRequest } from '../../tools/capabilities/task-capabilities.js';
import type { ServerOfferings } from '../agents/session/server-offerings.js';
import type { Timers } from '../services/timers.js';
import { monitorLines, type MonitorOwners } from './monitor-lines.js';

/** The input of a `monitor_mcp` task. */
export type MonitorMcpSpec = Pick<
  MonitorMcpRequest,
  'server' | 'uri' | 'tool' | 'input' | 'intervalMs' | 'timeoutMs'
>;

/** The services that a monitor of a server works with. */
export type MonitorMcpOwners = MonitorOwners & {
  readonly options: { readonly mcp?: { readonly offerings: ServerOfferings } | undefined };
  readonly journal: SessionFiles;
  readonly shared: { readonly timers: Timers };
};

/**
 * The work of a `monitor_mcp` task: look at a resource or a tool of a server again and again, and notify the agent of
 * new lines. Resolves at its timeout with the number of changes; fails with its server.
 */
export function createMonitorMcpWork(
  sessionOf: (task: TaskInput) => MonitorMcpOwners,
): WorkLogic<TaskInput> {
  return fromWork(async ({ input: task, signal }) => {
    const session = sessionOf(task);
    const spec = task.spec as MonitorMcpSpec; // spawnTask has made it
    const { mcp } = session.options;
    if (mcp === undefined)
      throw new TaskFailedError({ code: 'MCP_NOT_CONNECTED', message: 'there are no MCP servers' });
    const over = new AbortController();
    const stop = AbortSignal.any([signal, over.signal]);
    const { timers } = session.shared;
    const disarm =
      spec.timeoutMs === undefined ? () => {} : timers.after(spec.timeoutMs, () => over.abort());
    const notices = monitorLines(session, task);
    const tell = (text: string): void => {
      session.journal.appendText(`output/${task.id}`, `${text}\n`);
      notices.write(`${text}\n`);
    };
    const watch = { ...spec, offerings: mcp.offerings, timers, tell };
    try {
      return await watchServer(watch, stop);
    } catch (error) {
      if (signal.aborted || !over.signal.aborted) throw error;
      return 'It was ended at its timeout.';
    } finally {
      disarm();
      notices.end();
    }
  }, toFailure);
}

/** A server that reports changes without end is not read without end. */
const LEAST_PAUSE_MS = 100;

type Watch = MonitorMcpSpec & {
  readonly offerings: ServerOfferings;
  readonly timers: Timers;
  readonly tell: (text: string) => void;
};

/** Look until the signal aborts or the server fails. */
async function watchServer(watch: Watch, signal: AbortSignal): Promise<never> {
  const { offerings, server, uri, timers, intervalMs, tell } = watch;
  let wake = (): void => {};
  const failed = new AbortController();
  const anyEnd = AbortSignal.any([signal, failed.signal]);
  if (uri !== undefined)
    void offerings
      .watchResource(server, uri, () => wake(), anyEnd)
      .catch((error: unknown) => failed.abort(error));
  let known: ReadonlySet<string> | undefined;
  let problem: string | undefined;
  for (;;) {
    let isChanged = false;
    const changed = new Promise<void>((resolve) => {
      wake = () => {
        isChanged = true;
        resolve();
      };
    });
    try {
      const lines = (await look(watch, anyEnd)).split('\n');
      const fresh = known === undefined ? [] : lines.filter((line) => known?.has(line) === false);
      const isShorter =
        known !== undefined && fresh.length === 0 && new Set(lines).size < known.size;
      if (fresh.length > 0) tell(fresh.join('\n'));
      else if (isShorter) tell(`(lines were removed: ${lines.length} are left)`);
      known = new Set(lines);
      problem = undefined;
    } catch (error) {
      anyEnd.throwIfAborted();
      if (isGone(error)) throw error;
      const message = messageOf(error);
      if (message !== problem) tell(`(it cannot be read: ${message})`);
      problem = message;
    }
    await timers.sleep(LEAST_PAUSE_MS, anyEnd);
    if (!isChanged) await pause({ timers, changed, intervalMs }, anyEnd);
  }
}

/** Whether the server itself has failed, so that no later look can succeed. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MCP_NOT_CONNECTED';
}

async function look(
  { offerings, server, uri, tool = '', input = {} }: Watch,
  signal: AbortSignal,
): Promise<string> {
  if (uri === undefined) return offerings.callTool(server, tool, input, signal);
  const contents = await offerings.readResource(server, uri, signal);
  return contents
    .map((one) => ('text' in one ? one.text : `[data ${one.uri}: ${one.blob.slice(-64)}]`))
    .join('\n');
}

/** Resolve at the next change, or after the interval. */
async function pause(
  {
    timers,
    changed,
    intervalMs,
  }: { readonly timers: Timers; readonly changed: Promise<void>; readonly intervalMs: number },
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  await Promise.race([timers.sleep(intervalMs, either), changed]).finally(() => over.abort());
}
