import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { listAgentFiles } from '../storage/agent-files.js';
import { damagedEntry, readAgentLog, type AgentLog } from './agent-log.js';
import type { FoundSession } from '../sessions/find-session.js';
import type { LogDecision, LogEntry } from '../entries/log-entry.js';
import { JournalDamagedError, readAnyLines } from '../read-journal.js';
import { TaskEntry } from '../entries/task-entries.js';
import { requireTexts } from '../../core/text/require-text.js';

const Decision = z.lazy(() =>
  z.object({
    type: z.enum(['permission.judged', 'permission.answered', 'permission.cancelled']),
    agentId: z.string(),
    toolUseId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    behavior: z.string().optional(),
    by: z.string().optional(),
    reason: z.union([z.looseObject({ type: z.string() }), z.string()]).optional(),
    waitedMs: z.number().optional(),
    timestamp: z.number(),
  }),
);
const AuditLine = z.lazy(() =>
  z.union([
    Decision,
    z.object({ type: z.string().regex(/^(?!permission\.(?:judged|answered|cancelled)$)/) }),
  ]),
);

/** Options of `readLog`. */
export type ReadLogOptions = {
  /** ID, name or type of agents; all agents if absent. */
  readonly agent?: string | undefined;
};

/**
 * Read the log of a session, of all its agents in the order of time: messages, tool calls with their results, and the
 * decisions on them. The journal is not changed, and a line that cannot be read is an entry that says so.
 *
 * @throws UsageError if no agent has that ID, name or type
 */
export function readLog(
  session: Pick<FoundSession, 'directory'>,
  { agent }: ReadLogOptions = {},
): readonly LogEntry[] {
  const { directory } = requireTexts('readLog', session, ['directory']);
  const all = listAgentFiles(directory)
    .map(({ agentId, path }) => readAgentLog(path, agentId))
    .toSorted((a, b) => (a.entries[0]?.at ?? 0) - (b.entries[0]?.at ?? 0));
  const chosen = agent === undefined ? all : choose(all, agent);
  const { decisions, damaged } = readDecisions(join(directory, 'audit.jsonl'));
  const logs = chosen.map((log) => putIn(log.entries, decisions.get(log.agentId) ?? [], log));
  const others =
    agent === undefined ? [...damaged, ...readLost(join(directory, 'tasks.jsonl'))] : [];
  return inOrder([...logs.flat(), ...others].toSorted((a, b) => a.at - b.at));
}

/** Within one millisecond a result comes after the entries of other agents: it may be about them. */
function inOrder(entries: readonly LogEntry[]): readonly LogEntry[] {
  const ordered: LogEntry[] = [];
  for (let start = 0; start < entries.length;) {
    let end = start + 1;
    while (entries[end]?.at === entries[start]?.at) end += 1;
    ordered.push(...resultsLast(entries.slice(start, end)));
    start = end;
  }
  return ordered;
}

/** The entries of one agent keep their order. */
function resultsLast(entries: readonly LogEntry[]): readonly LogEntry[] {
  const byAgent = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const agentId = 'agentId' in entry ? entry.agentId : '';
    const own = byAgent.get(agentId);
    if (own === undefined) byAgent.set(agentId, [entry]);
    else own.push(entry);
  }
  const queues = [...byAgent.values()];
  if (queues.length === 1) return entries;
  const ordered: LogEntry[] = [];
  while (ordered.length < entries.length) {
    const live = queues.filter((queue) => queue.length > 0);
    const chosen = live.find(([first]) => first?.type !== 'tool_result') ?? live[0];
    ordered.push(...(chosen?.splice(0, 1) ?? []));
  }
  return ordered;
}

function choose(all: readonly AgentLog[], wanted: string): readonly AgentLog[] {
  const exact = all.filter(({ agentId, agent }) => agentId === wanted || agent === wanted);
  const chosen = exact.length > 0 ? exact : all.filter((log) => typeOf(log) === wanted);
  if (chosen.length > 0) return chosen;
  const names = [...new Set(all.map(({ agent }) => agent))].join(', ');
  throw new UsageError(
    `--agent: no agent of this session has the name "${wanted}". It has: ${names || 'none'}.`,
  );
}

function typeOf({ entries }: AgentLog): string | undefined {
  const started = entries.find((entry) => entry.type === 'started');
  return started?.agentType;
}

type Decided = Omit<LogDecision, 'type'> & { readonly at: number };

function readDecisions(file: string): {
  readonly decisions: ReadonlyMap<string, readonly Decided[]>;
  readonly damaged: readonly LogEntry[];
} {
  const decisions = new Map<string, Decided[]>();
  const damaged: LogEntry[] = [];
  let at = 0;
  for (const line of existsSync(file) ? readAnyLines(file, AuditLine) : []) {
    if (line instanceof JournalDamagedError) damaged.push(damagedEntry(line, at));
    if (!('toolUseId' in line)) continue;
    at = line.timestamp;
    const { type, agentId, toolUseId, toolName: tool, input, waitedMs } = line;
    const behavior = type === 'permission.cancelled' ? 'withdrawn' : (line.behavior ?? '');
    const by = type === 'permission.judged' ? judgeOf(line) : (line.by ?? 'asker');
    const waited = waitedMs === undefined ? {} : { waitedMs };
    const unanswered = hadNobodyToAsk(line) ? { isUnanswered: true as const } : {};
    const decided: Decided = { at, toolUseId, tool, behavior, by, input, ...waited, ...unanswered };
    const ofAgent = decisions.get(agentId);
    if (ofAgent === undefined) decisions.set(agentId, [decided]);
    else ofAgent.push(decided);
  }
  return { decisions, damaged };
}

/** The rules, or the hook that denied or asked. */
function judgeOf({ behavior, reason }: z.infer<typeof Decision>): string {
  const isHooks = behavior !== 'allow' && typeof reason === 'object' && reason.type === 'hook';
  return isHooks ? `the hook ${String(reason['hookName'])}` : 'rules';
}

/** Whether the request was denied because no approver was attached. */
function hadNobodyToAsk({ behavior, reason }: z.infer<typeof Decision>): boolean {
  return behavior === 'deny' && typeof reason === 'object' && reason.type === 'asyncAgent';
}

/** A decision comes before its result, also within one millisecond. */
function putIn(
  entries: readonly LogEntry[],
  decisions: readonly Decided[],
  { agentId, agent }: AgentLog,
): readonly LogEntry[] {
  const toEntry = (decided: Decided): LogEntry => ({
    type: 'decision',
    ...decided,
    agentId,
    agent,
  });
  const merged: LogEntry[] = [];
  let next = 0;
  const tellUntil = (isBefore: (one: Decided) => boolean): void => {
    for (let one = decisions[next]; one !== undefined && isBefore(one); one = decisions[next]) {
      merged.push(toEntry(one));
      next += 1;
    }
  };
  for (const entry of entries) {
    tellUntil(({ at }) => at < entry.at);
    if (entry.type === 'tool_result') tellUntil(({ at }) => at === entry.at);
    merged.push(entry);
  }
  tellUntil(() => true);
  return merged;
}

function readLost(file: string): readonly LogEntry[] {
  let at = 0;
  return (existsSync(file) ? readAnyLines(file, TaskEntry) : []).flatMap(
    (line): readonly LogEntry[] => {
      if (line instanceof JournalDamagedError) return [damagedEntry(line, at)];
      at = line.timestamp;
      if (line.type !== 'task.lost' || !('failure' in line)) return [];
      return [{ type: 'lost', at, taskId: line.id, message: line.failure.message }];
    },
  );
}
