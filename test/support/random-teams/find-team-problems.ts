import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedTask } from '../../../src/core/tasks/shared-task.js';
import { readWholeJournal } from '../../../src/journal/read-journal.js';
import { readMail } from '../../../src/journal/readers/read-mail.js';
import { TaskEntry } from '../../../src/journal/entries/task-entries.js';
import { TeamEntry } from '../../../src/journal/entries/team-entries.js';
import { readSoakJournal, type AgentLife } from '../../e2e/support/soak/soak-journal.js';
import { countProcesses } from '../../processes/processes.js';
import { resultText } from '../scripts.js';
import type { TeamRun } from './run-teams.js';

/** How much was checked. */
export type TeamCounts = {
  readonly agents: number;
  readonly tasks: number;
  readonly jobs: number;
  readonly completed: number;
  readonly takenOver: number;
  readonly messages: number;
  readonly dead: number;
  readonly uses: number;
  readonly kills: number;
};

type Ends = ReadonlyMap<string, { readonly status: string; readonly at: number }>;

/** The problems of a run that has ended, by its journal: in words, and how much there was. */
export function findTeamProblems(run: TeamRun) {
  const { directory, plan, ending, left, isDone, kills } = run;
  const { lives } = readSoakJournal(directory);
  const { problems: taskProblems, ends, tasks } = findTaskProblems(directory);
  const jobs = findJobProblems(run, lives, ends);
  const mail = findMailProblems(run, lives, ends);
  const processes = countProcesses(`${plan.seconds}`);
  const problems = [
    ...taskProblems,
    ...jobs.problems,
    ...mail.problems,
    ...lives.flatMap((life) => findResultProblems(life, ends)),
    ...left,
    ...(processes === 0 ? [] : [`${processes} processes are left`]),
    ...(isDone === (ending !== 'closed') || ending === 'closed' ? [] : ['it did not complete']),
  ];
  const counts: TeamCounts = {
    agents: lives.length,
    tasks,
    ...jobs.counts,
    ...mail.counts,
    uses: lives.reduce((sum, { uses }) => sum + uses.length, 0),
    kills,
  };
  return { problems, counts };
}

/** Each task has one end. @returns the newest end of each agent too */
function findTaskProblems(directory: string) {
  const entries = readWholeJournal(join(directory, 'tasks.jsonl'), TaskEntry);
  const agents = new Map<string, string>();
  const found = new Map<string, number>();
  const ends = new Map<string, { status: string; at: number }>();
  for (const entry of entries) {
    if (!('id' in entry)) continue;
    if (entry.type === 'task.status') {
      if (entry.agentId !== undefined) agents.set(entry.id, entry.agentId);
      if (!found.has(entry.id)) found.set(entry.id, 0);
    }
    const isEnd =
      entry.type === 'task.lost' || (entry.type === 'task.status' && entry.outcome !== undefined);
    const agent = agents.get(entry.id);
    if (agent !== undefined && !isEnd) ends.delete(agent);
    if (!isEnd) continue;
    found.set(entry.id, (found.get(entry.id) ?? 0) + 1);
    const status = entry.type === 'task.status' ? entry.status : 'lost';
    if (agent !== undefined) ends.set(agent, { status, at: entry.timestamp });
  }
  const problems = [...found].flatMap(([id, count]) =>
    // the session's own task continues under its old id
    count === 1 || (id.startsWith('s') && count > 1) ? [] : [`task ${id} has ${count} ends`],
  );
  return { problems, ends: ends as Ends, tasks: found.size };
}

/** Every job is completed once, by its owner; nobody takes a job whose owner is there. */
function findJobProblems({ directory, ending }: TeamRun, lives: readonly AgentLife[], ends: Ends) {
  const problems: string[] = [];
  const counts = { jobs: 0, completed: 0, takenOver: 0 };
  const endOf = (name: string): number => {
    const id = lives.find((life) => life.name === name)?.id;
    return ends.get(id ?? '')?.at ?? Infinity;
  };
  const folder = join(directory, 'teams');
  for (const file of readdirSync(folder)) {
    const jobs = new Map<string, SharedTask>();
    const completions = new Map<string, number>();
    for (const entry of readWholeJournal(join(folder, file), TeamEntry)) {
      if (entry.type !== 'tasks.changed') continue;
      const { by, timestamp } = entry;
      if (entry.deleted.length > 0) problems.push(`${file}: ${entry.deleted.join()} were deleted`);
      for (const job of entry.changed) {
        const { id, owner, status, blockedBy } = job;
        const before = jobs.get(id);
        jobs.set(id, job);
        const what = `${file}: #${id}`;
        const isNews = status !== before?.status;
        if (before?.status === 'completed' && (isNews || owner !== before.owner))
          problems.push(`${what} was completed, and ${by} changed that`);
        const isBlocked = blockedBy.some((one) => jobs.get(one)?.status !== 'completed');
        if (isNews && status !== 'pending' && isBlocked) problems.push(`${what} began too early`);
        if (isNews && status === 'completed') {
          completions.set(id, (completions.get(id) ?? 0) + 1);
          if (owner !== by) problems.push(`${what} is ${String(owner)}'s; ${by} completed it`);
        }
        if (before?.owner === undefined || owner === before.owner) continue;
        counts.takenOver += 1;
        if (status === before.status && status === 'completed') problems.push(`${what} moved`);
        if (endOf(before.owner) > timestamp)
          problems.push(`${what} was taken from ${before.owner} by ${by}`);
      }
    }
    for (const [id, { status }] of jobs) {
      const times = completions.get(id) ?? 0;
      if (times > 1) problems.push(`${file}: #${id} was completed ${times} times`);
      if (times === 0 && ending !== 'closed') problems.push(`${file}: #${id} is still ${status}`);
    }
    if (jobs.size > 0 && !jobs.has(String(jobs.size))) problems.push(`${file} has holes`);
    counts.jobs += jobs.size;
    counts.completed += completions.size;
  }
  return { problems, counts };
}

/** Each message is accepted once by each recipient, taken once, and read or listed as dead. */
function findMailProblems(
  { directory, sent, ending }: TeamRun,
  lives: readonly AgentLife[],
  ends: Ends,
) {
  const problems: string[] = [];
  const accepted = lives.flatMap((life) => life.accepted.map((one) => ({ to: life.id, ...one })));
  const wordsOf = (content: unknown): string => JSON.stringify(content);
  const holders = (letter: string): readonly string[] =>
    accepted.filter(({ content }) => wordsOf(content).includes(letter)).map(({ to }) => to);

  for (const { id, accepted: all, taken } of lives) {
    const ids = all.map((one) => one.id);
    for (const one of repeated(ids)) problems.push(`${id} has accepted ${one} twice`);
    const wrong = taken.findIndex((envelope, index) => envelope.id !== ids[index]);
    if (wrong !== -1)
      problems.push(`${id} took ${String(taken[wrong]?.id)}, not ${String(ids[wrong])}`);
  }
  for (const { id, uses, results } of lives)
    for (const use of uses) {
      const letter = /letter \d+\./.exec(JSON.stringify(use.input))?.[0];
      if (use.name !== 'SendMessage' || letter === undefined) continue;
      const told = results.get(use.id)?.[0];
      const text = told === undefined ? '' : resultText(told);
      const got = holders(letter);
      for (const one of repeated(got)) problems.push(`${letter} was accepted twice by ${one}`);
      const names = /in the inbox(?:es)? of (\S+(?:, \S+)*)\. It is/.exec(text)?.[1];
      if (names !== undefined && names.split(', ').toSorted().join() !== got.toSorted().join())
        problems.push(`${letter} of ${id} was for ${names}, and came to ${got.join() || 'nobody'}`);
      if (/there is no|has ended|is being ended|in no team/.test(text) && got.length > 0)
        problems.push(`${letter} of ${id} was refused, and came to ${got.join()}`);
    }
  for (const letter of sent) {
    const { length } = holders(letter);
    if (length > 1 || (length === 0 && ending !== 'cut'))
      // a cut takes the end of the journal away
      problems.push(`${letter} of the program came ${length} times`);
  }

  const mail = readMail(directory);
  for (const { id, to, state, kind } of mail) {
    const end = ends.get(to);
    const isFine =
      state === 'read' || (state === 'dead' ? end !== undefined : end?.status !== 'completed');
    if (!isFine || (state === 'accepted' && kind === 'message'))
      problems.push(`${kind} ${id} to ${to}, which is ${end?.status ?? 'live'}, is ${state}`);
  }
  const messages = mail.filter(({ kind }) => kind === 'message');
  const dead = messages.filter(({ state }) => state === 'dead').length;
  return { problems, counts: { messages: messages.length, dead } };
}

/** One result a use; no result only if the agent was ended before the use could begin. */
function findResultProblems({ id, uses, results }: AgentLife, ends: Ends): readonly string[] {
  const ids = uses.map((use) => use.id);
  const isKilled = ends.get(id)?.status !== 'completed';
  return [
    ...repeated(ids).map((one) => `${id} used ${one} twice`),
    ...[...results.keys()].filter((one) => !ids.includes(one)).map((one) => `${one}: nobody asked`),
    ...ids.flatMap((one) => {
      const count = results.get(one)?.length ?? 0;
      return count === 1 || (count === 0 && isKilled) ? [] : [`${one} has ${count} results`];
    }),
  ];
}

function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}
