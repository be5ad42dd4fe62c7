import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentId } from '../../core/ids.js';
import {
  applySharedTasks,
  NO_SHARED_TASKS,
  type SharedTaskOutcome,
  type SharedTasks,
} from '../../core/tasks/shared-task.js';
import { newTeam, SESSION_LIST, type Team, type TeamRequest } from '../../core/tasks/team.js';
import type { JournalLines } from '../../journal/journal.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { changeTeam, TeamEntry, toTeam } from '../../journal/entries/team-entries.js';

/** The teams of a session and their members. */
export interface TeamList {
  /** The existing teams, oldest first. */
  teams(): readonly Team[];
  find(name: string): Team | undefined;
  create(name: string, description: string | undefined, lead: AgentId): void;
  delete(name: string): void;
  join(name: string, agentId: AgentId, member: string): void;
}

/** The requests to teams, and their answers. */
export interface TeamRequests {
  ask(name: string, request: TeamRequest): void;
  answer(name: string, requestId: string, approve: boolean): void;
}

/** The to-do lists of the teams, and of the session itself. */
export interface TeamToDos {
  /** The list of a team, or of the session itself. */
  listOf(name: string): SharedTasks;
  changeList(
    name: string,
    outcome: Extract<SharedTaskOutcome, { changed: unknown }>,
    by: string,
  ): void;
  /** Resolve when the changes of the team are on stable storage. */
  sync(name: string): Promise<void>;
}

/** The teams of a session and their to-do lists. A change is on disk before anybody sees it. */
export interface TeamStore extends TeamList, TeamRequests, TeamToDos {}

/** @throws JournalDamagedError if an earlier process has left an unreadable line */
export function createTeamStore(journal: JournalLines, isResumed: boolean): TeamStore {
  const teams = new Map<string, Team>();
  let own = NO_SHARED_TASKS;
  const folder = join(journal.directory, 'teams');
  if (isResumed && existsSync(folder))
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
      const { team, list } = toTeam(readWholeJournal(join(folder, file), TeamEntry));
      if (file === `${SESSION_LIST}.jsonl`) own = list;
      else if (team !== undefined) teams.set(team.name, team);
    }

  const fileOf = (name: string) => `teams/${name}.jsonl` as const;
  const change = (name: string, entry: Parameters<typeof changeTeam>[1]): void => {
    const team = teams.get(name);
    if (team === undefined) return;
    journal.append(fileOf(name), entry);
    teams.set(name, changeTeam(team, entry));
  };
  const listOf = (name: string): SharedTasks =>
    name === SESSION_LIST ? own : (teams.get(name)?.list ?? NO_SHARED_TASKS);

  return {
    teams: () => [...teams.values()],
    find: (name) => teams.get(name),
    create(name, description, lead) {
      journal.append(fileOf(name), { type: 'team.created', name, description, lead });
      teams.set(name, newTeam(name, description, lead));
    },
    delete(name) {
      journal.append(fileOf(name), { type: 'team.deleted' });
      teams.delete(name);
    },
    join: (name, agentId, member) => change(name, { type: 'team.joined', agentId, name: member }),
    ask: (name, request) => change(name, { type: 'request.asked', ...request }),
    answer: (name, id, approve) => change(name, { type: 'request.answered', id, approve }),
    listOf,
    changeList(name, { changed, deleted }, by) {
      const outcome = { changed: [...changed], deleted: [...deleted] };
      journal.append(fileOf(name), { type: 'tasks.changed', by, ...outcome });
      const list = applySharedTasks(listOf(name), outcome);
      if (name === SESSION_LIST) own = list;
      const team = teams.get(name);
      if (team !== undefined) teams.set(name, { ...team, list });
    },
    sync: (name) => journal.sync(fileOf(name)),
  };
}
