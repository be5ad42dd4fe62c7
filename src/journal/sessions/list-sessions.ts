import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_A_FILE } from '../../files/regular-file.js';
import { describeSystemError } from '../../core/system-error.js';
import type { SessionId } from '../../core/ids.js';
import { isTerminalTaskStatus } from '../../core/task-types.js';
import { listAgentFiles } from '../storage/agent-files.js';
import { AgentEntry } from '../entries/agent-entries.js';
import { contentText } from '../entries/content-text.js';
import { allSessions, type FoundSession } from './find-session.js';
import { readEnds, type FileEnds } from '../storage/read-ends.js';
import { JournalDamagedError, parseEnd, readWholeJournal } from '../read-journal.js';
import { readLock } from './session-lock.js';
import { readLabels, type SessionLabels } from './session-labels.js';
import { TaskEntry } from '../entries/task-entries.js';
import { requireTexts } from '../../core/text/require-text.js';
import { parseStepKey } from '../entries/step-key.js';

/**
 * Status of a session. `live`: a process writes it. `elsewhere`: a process of another machine does. `crashed`: it has
 * neither an end nor a process. `damaged`: its journal cannot be resumed.
 */
export type SessionStatus =
  'live' | 'elsewhere' | 'completed' | 'failed' | 'killed' | 'crashed' | 'damaged';

/** A session in a list. */
export type SessionSummary = SessionLabels & {
  /** ID of the session, for `resume`. */
  readonly id: SessionId;
  /** Folder of the journal. */
  readonly directory: string;
  /** The status of the session. */
  readonly status: SessionStatus;
  /** Folder that the session works in; absent if that cannot be read. */
  readonly cwd?: string;
  /** Epoch ms, as all times. */
  readonly startedAt?: number;
  /** When the journal was written last, epoch ms. */
  readonly writtenAt?: number;
  /** Answered requests of the main agent. */
  readonly turns?: number;
  /** Number of agents, the main agent included. */
  readonly agents?: number;
  /** The first prompt, whole. */
  readonly prompt?: string;
  /** ID of the process that writes the session; absent if none does. */
  readonly pid?: number;
  /** Damage of the journal, with file and line. */
  readonly problem?: string;
};

/** Options of `listSessions`. */
export type ListSessionsOptions = {
  /** Folder of journals, as in `createOrchestrator`: usually `~/.troupe`. */
  readonly home: string;
  /** Absolute path: only sessions that work there. All if absent. */
  readonly cwd?: string;
};

/**
 * List the sessions of a folder, or of all, the one that was opened last first. Only the ends of each file are read, so
 * that thousands are listed at once: damage further inside shows when the session is read.
 *
 * @throws UsageError if `home` is missing
 */
export function listSessions(options: ListSessionsOptions): readonly SessionSummary[] {
  const { home, cwd } = requireTexts('listSessions', options, ['home']);
  return allSessions(home, cwd)
    .map(summarise)
    .filter((one) => cwd === undefined || one.cwd === undefined || one.cwd === cwd);
}

/** The summary of one session. */
export function summarise({ id, directory }: FoundSession): SessionSummary {
  const lock = readLock(directory);
  const holder = lock?.state === 'stale' || lock?.pid === undefined ? {} : { pid: lock.pid };
  const base = { id, directory, ...holder };
  try {
    const files = readdirSync(directory);
    const agents = listAgentFiles(directory);
    const tasks = files.includes('tasks.jsonl')
      ? readTasks(join(directory, 'tasks.jsonl'))
      : undefined;
    const own =
      tasks?.agent === undefined
        ? agents[0]
        : agents.find(({ agentId }) => agentId === tasks.agent);
    const agent = own === undefined ? undefined : readAgent(own.path);
    const isHost = agent?.summary.turns === 0;
    const end = isHost && tasks?.isWorkflowFailed === true ? 'failed' : tasks?.end;
    const status =
      lock?.state === 'live'
        ? 'live'
        : lock?.state === 'unknown'
          ? 'elsewhere'
          : (end ?? 'crashed');
    const written = [tasks?.writtenAt, agent?.writtenAt].filter((at) => at !== undefined);
    return {
      ...base,
      status,
      agents: agents.length,
      ...readLabels({ directory }),
      ...(written.length === 0 ? {} : { writtenAt: Math.max(...written) }),
      ...agent?.summary,
    };
  } catch (error) {
    return { ...base, status: 'damaged', problem: describeSystemError(error) };
  }
}

type TasksSummary = {
  /** The end of the session's newest task. */
  readonly end: 'completed' | 'failed' | 'killed' | undefined;
  /** The newest workflow has failed: this is how a session ends that only hosts a workflow. */
  readonly isWorkflowFailed: boolean;
  /** The main agent. */
  readonly agent: string | undefined;
  readonly writtenAt: number;
};

function readTasks(file: string): TasksSummary {
  const ends = requireEnds(file);
  const last = parseEnd(file, ends.last, TaskEntry).filter(isStatus).toReversed();
  const first = ends.isWhole ? last : parseEnd(file, ends.first, TaskEntry).filter(isStatus);
  const newest = last.find(({ id }) => id.startsWith('s'));
  const end =
    newest !== undefined && isTerminalTaskStatus(newest.status) ? newest.status : undefined;
  const begun =
    last.find(({ kind }) => kind === 'session') ??
    first.find(({ kind, id }) => kind === 'session' && id === newest?.id) ??
    readWholeJournal(file, TaskEntry)
      .filter(isStatus)
      .findLast(({ kind }) => kind === 'session');
  const isWorkflowFailed = last.find(({ id }) => id.startsWith('w'))?.status === 'failed';
  return { end, isWorkflowFailed, agent: begun?.agentId, writtenAt: ends.writtenAt };
}

function requireEnds(file: string): FileEnds {
  const ends = readEnds(file);
  if (ends === undefined) throw new JournalDamagedError(file, 1, NOT_A_FILE);
  return ends;
}

type StatusEntry = Extract<TaskEntry, { readonly status: unknown }>;

function isStatus(entry: TaskEntry): entry is StatusEntry {
  return 'status' in entry;
}

type AgentSummary = {
  readonly summary: Pick<SessionSummary, 'cwd' | 'startedAt' | 'turns' | 'prompt'>;
  readonly writtenAt: number;
};

function readAgent(file: string): AgentSummary {
  const { first, last, isWhole, writtenAt } = requireEnds(file);
  const entries = parseEnd(file, first, AgentEntry);
  const [started] = entries;
  if (started?.type !== 'agent.started') {
    if (started === undefined) return { summary: {}, writtenAt };
    throw new JournalDamagedError(file, 1, 'an agent begins with agent.started');
  }
  const { cwd, timestamp: startedAt } = started;
  const prompt = entries
    .map((entry) => (entry.type === 'mail.accepted' ? entry.envelope : undefined))
    .find((envelope) => envelope?.kind === 'prompt');
  const newest = isWhole ? entries : parseEnd(file, last, AgentEntry);
  const turns = newest
    .map((entry) => ('key' in entry ? parseStepKey(entry.key)?.turn : undefined))
    .findLast((turn) => turn !== undefined);
  return {
    summary: {
      cwd,
      startedAt,
      turns: turns ?? 0,
      ...(prompt === undefined ? {} : { prompt: contentText(prompt.content) }),
    },
    writtenAt,
  };
}
