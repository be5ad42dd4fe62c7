import { closeSync, existsSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolderName } from '../../files/project-folder-name.js';
import { openRegularFile } from '../../files/regular-file.js';
import { UsageError } from '../../core/errors.js';
import {
  TASK_ID_PREFIX,
  toAgentId,
  toSessionId,
  type AgentId,
  type SessionId,
} from '../../core/ids.js';
import { agentFileIn, listAgentFiles, namesIn } from '../storage/agent-files.js';
import { AgentEntry } from '../entries/agent-entries.js';
import { JournalDamagedError, readWholeJournal } from '../read-journal.js';
import { TaskEntry } from '../entries/task-entries.js';

/** A session with a journal. */
export type FoundSession = {
  /** UUID of the session, for `resume`. */
  readonly id: SessionId;
  /** Absolute path of the folder of its journal. */
  readonly directory: string;
};

/** The data of a session that is needed to resume it. */
export type SessionOrigin = FoundSession & {
  /** ID of the main agent. */
  readonly agentId: AgentId;
  /** The working folder. */
  readonly cwd: string;
  readonly tasks: readonly TaskEntry[];
  readonly entries: readonly AgentEntry[];
};

type AgentStart = Extract<AgentEntry, { readonly type: 'agent.started' }>;

/** Most sessions that a message names. */
const MOST_NAMED = 5;
/** Fewest letters of an abbreviated ID. */
const LEAST_BEGINNING = 4;

/** The folder of a project's sessions. Projects with similar paths share a folder. */
export function projectFolder(home: string, cwd: string): string {
  return join(home, 'projects', projectFolderName(cwd));
}

/** The same for sessions of earlier versions. */
function earlierProjectFolder(home: string, cwd: string): string {
  const name = cwd.replaceAll(/[^0-9A-Za-z]+/g, '-').replace(/^-|-$/g, '') || 'root';
  return join(home, 'projects', name);
}

/** The home of a session's folder. */
export function homeOf(directory: string): string {
  return join(directory, '../../..');
}

/**
 * Find a session by its ID, or by a beginning that no other session has.
 *
 * @throws UsageError names the newest sessions
 */
export function findSession(home: string, id: string): FoundSession {
  const known = toSessionId(id);
  const projects = join(home, 'projects');
  for (const project of known === null ? [] : namesIn(projects)) {
    const directory = join(projects, project, id);
    if (known !== null && existsSync(directory)) return { id: known, directory };
  }
  const all = allSessions(home);
  const begun = id.length < LEAST_BEGINNING ? [] : all.filter((one) => one.id.startsWith(id));
  const [only, another] = begun;
  if (only !== undefined && another === undefined) return only;
  if (only !== undefined)
    throw new UsageError(
      `${begun.length} sessions begin with "${id}": ${begun
        .map((one) => one.id)
        .slice(0, MOST_NAMED)
        .join(', ')}. Write more of the ID.`,
    );
  const newest = all.slice(0, MOST_NAMED).map((one) => one.id);
  const hint =
    newest.length === 0
      ? 'There is no session yet.'
      : `The newest: ${newest.join(', ')}. All of them: troupe sessions --all.`;
  throw new UsageError(`There is no session "${id}". ${hint}`);
}

/**
 * All sessions, the one that was opened last first.
 *
 * @param cwd only those in the project folder of this one, including projects with similar names
 */
export function allSessions(home: string, cwd?: string): readonly FoundSession[] {
  const projects = join(home, 'projects');
  const folders =
    cwd === undefined
      ? namesIn(projects).map((name) => join(projects, name))
      : [projectFolder(home, cwd), earlierProjectFolder(home, cwd)];
  return folders
    .flatMap(sessionsIn)
    .toSorted(byAge)
    .map(({ id, directory }) => ({ id, directory }));
}

/** The session of this folder that was opened last. @throws UsageError if there is none */
export function newestSession(home: string, cwd: string): FoundSession {
  for (const session of allSessions(home, cwd)) if (workFolder(session) === cwd) return session;
  throw new UsageError(
    `There is no session in ${cwd} yet. Start one with troupe -p, or name a session of another folder by its ID: troupe sessions --all lists them.`,
  );
}

/** The working folder of a session, from the first line of an agent; undefined if there is none. */
export function workFolder(session: FoundSession): string | undefined {
  return firstEntryOf(session)?.cwd;
}

/** The first model of a session, from the first line of an agent; undefined if there is none. */
export function modelOf(session: FoundSession): string | undefined {
  return firstEntryOf(session)?.model;
}

/** The script of a session's scripted model; undefined if the journal names none. */
export function scriptOf(session: FoundSession): string | undefined {
  return firstEntryOf(session)?.script;
}

function firstEntryOf({ directory }: FoundSession): AgentStart | undefined {
  for (const { path } of listAgentFiles(directory)) {
    const started = startOf(path);
    if (started !== undefined) return started;
  }
  return undefined;
}

/** The first line of an agent; undefined if it is torn, damaged or missing. */
export function startOf(path: string): AgentStart | undefined {
  const [line = ''] = readStart(path).split('\n', 1);
  try {
    const started = AgentEntry.safeParse(JSON.parse(line)).data;
    return started?.type === 'agent.started' ? started : undefined;
  } catch {
    return undefined; // the resume reports it
  }
}

/**
 * Read the data that is needed to resume a session.
 *
 * @throws UsageError if its process ended before the first prompt
 * @throws JournalDamagedError
 */
export function readSession(session: FoundSession): SessionOrigin {
  const { id, directory } = session;
  const tasksFile = join(directory, 'tasks.jsonl');
  const tasks = existsSync(tasksFile) ? readWholeJournal(tasksFile, TaskEntry) : [];
  const agentId = ownAgent(directory, tasks);
  const file = agentId === null ? undefined : agentFileIn(directory, agentId);
  const entries = file !== undefined && existsSync(file) ? readWholeJournal(file, AgentEntry) : [];
  const [first] = entries;
  if (agentId === null || first?.type !== 'agent.started') {
    const others = listAgentFiles(directory).filter(({ path }) => statSync(path).size > 0);
    if (tasks.length > 0 || others.length > 0)
      throw new JournalDamagedError(
        file ?? directory,
        1,
        'the beginning of the main agent is missing, though other files are there: a loss of power may have taken it',
      );
    throw new UsageError(
      `The session ${id} ended before its first prompt. Start a new one instead.`,
    );
  }
  return { ...session, agentId, cwd: first.cwd, tasks, entries };
}

/** The agent of the newest session task; before that is written, the agent that began as the main agent. */
function ownAgent(directory: string, tasks: readonly TaskEntry[]): AgentId | null {
  for (const entry of tasks.toReversed())
    if (entry.type === 'task.status' && 'kind' in entry && entry.kind === 'session')
      return entry.agentId ?? null;
  const all = listAgentFiles(directory);
  const [only, ...others] =
    all.length > 1 ? all.filter(({ path }) => isMainAgent(startOf(path))) : all;
  return only === undefined || others.length > 0 ? null : toAgentId(only.agentId);
}

/** Whether an agent began as the main agent of its session. */
export function isMainAgent(start: AgentStart | undefined): boolean {
  return start?.taskId.startsWith(TASK_ID_PREFIX.session) === true;
}

/** Longer than any first line. */
const START_BYTES = 65_536;

function readStart(file: string): string {
  const descriptor = openRegularFile(file);
  if (descriptor === undefined) return '';
  try {
    const buffer = Buffer.alloc(START_BYTES);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, START_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

function sessionsIn(project: string): readonly (FoundSession & { readonly openedAt: number })[] {
  return namesIn(project).flatMap((name) => {
    const id = toSessionId(name);
    const directory = join(project, name);
    const stats = id === null ? undefined : statSync(directory, { throwIfNoEntry: false });
    return id === null || stats?.isDirectory() !== true
      ? []
      : [{ id, directory, openedAt: stats.mtimeMs }];
  });
}

function byAge(a: { readonly openedAt: number }, b: { readonly openedAt: number }): number {
  return b.openedAt - a.openedAt;
}
