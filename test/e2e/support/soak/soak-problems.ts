import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolResultBlock, ToolUseBlock } from '../../../../src/core/messages.js';
import { textOf } from '../answers.js';
import type { Place } from '../place.js';
import { findCostProblems } from './find-cost-problems.js';
import { findPrefixProblems, findRequestProblems } from './find-request-problems.js';
import type { Soak } from './run-soak.js';
import { readSoakJournal, type AgentLife, type TaskLine } from './soak-journal.js';
import { LEDGER, type Use } from './soak-plan.js';
import { hasStartedNone } from './soak-player.js';

export type SoakCounts = Readonly<Record<string, number>>;

/** The problems of a soak, in words; and how much was checked. */
export async function findSoakProblems(
  place: Place,
  soak: Soak,
): Promise<{ readonly problems: readonly string[]; readonly counts: SoakCounts }> {
  const { plan, api, session, killed } = soak;
  const { lives, tasks, lines } = readSoakJournal(session);
  const ledger = place.has(LEDGER) ? (await place.text(LEDGER)).split('\n') : [];
  const ends = plan.parts.flatMap((part) => {
    const life = lives.find((one) => one.mark === part.mark);
    if (life === undefined) return [];
    return part.steps.flat().map((use) => ({ use, ...endOf(use, life) }));
  });
  const isThere = (use: Use): number => countTraces(place, use, ledger, lives);
  const problems = [
    ...api.problems.map((problem) => `a request was refused: ${problem}`),
    ...(await findRewritten(soak)),
    ...findAgentProblems(soak, lives),
    ...lives.flatMap(findResultProblems),
    ...ends.flatMap((end) => findTraceProblems(end, isThere(end.use), tasks)),
    ...lives.flatMap(findMailProblems),
    ...lives.flatMap(findReportProblems),
    ...findPrefixProblems(soak, lives),
    ...findRequestProblems(soak, lives),
    ...findTaskProblems(tasks, lives),
    ...findCostProblems(soak, lives),
  ];
  const count = (is: (end: (typeof ends)[number]) => boolean): number => ends.filter(is).length;
  return {
    problems,
    counts: {
      turns: sum(lives.map(({ turns }) => turns)),
      coordinatorTurns: lives.find(({ mark }) => mark === plan.parts[0]?.mark)?.turns ?? 0,
      agents: lives.length,
      resumed: sum(
        lives.map(({ uses }) => uses.filter(({ input }) => 'resume' in (input as object)).length),
      ),
      uses: sum(lives.map(({ uses }) => uses.length)),
      unknown: count(({ how }) => how === 'unknown'),
      errors: count(({ how }) => how === 'error'),
      traces: sum(ends.map(({ use }) => isThere(use))),
      mails: sum(lives.map(({ taken }) => taken.length)),
      compactions: sum(lives.map(({ boundaries }) => boundaries.length)),
      kills: killed.length,
      requests: api.requests.length,
      lines,
    },
  };
}

type End = {
  readonly use: Use;
  readonly how: 'done' | 'unknown' | 'error' | 'never';
  readonly times: number;
  readonly text: string;
};

/** How a planned use went, by the journal of its agent. */
function endOf(use: Use, { uses, results }: AgentLife): Omit<End, 'use'> {
  const asked = uses
    .filter((one) => one.name === use.name && hasMark(one, use))
    .filter(({ id }) => !hasStartedNone(textOf(results.get(id)?.[0]?.content)));
  const [result] = asked.flatMap(({ id }) => results.get(id) ?? []);
  const text = textOf(result?.content);
  const how =
    result === undefined
      ? 'never'
      : isUnknown(result)
        ? 'unknown'
        : result.is_error === true
          ? 'error'
          : 'done';
  return { how, times: asked.length, text };
}

/** Parameters are compared, for the name of a file may be another's mark. */
function hasMark({ input }: ToolUseBlock, use: Use): boolean {
  return Object.entries(use.input).every(
    ([key, value]) => (input as Record<string, unknown>)[key] === value,
  ); // a tool's input is an object
}

function isUnknown(result: ToolResultBlock): boolean {
  return textOf(result.content).includes('its outcome is unknown');
}

function countTraces(
  place: Place,
  { mark, leaves }: Use,
  ledger: readonly string[],
  lives: readonly AgentLife[],
): number {
  switch (leaves?.kind) {
    case undefined:
      return 0;
    case 'line':
      return ledger.filter((line) => line === mark).length;
    case 'file':
      return existsSync(place.at(leaves.where))
        ? readFileSync(place.at(leaves.where), 'utf8').split(mark).length - 1
        : 0;
    case 'mail': {
      const recipient = lives.find((one) => one.mark === leaves.where);
      return (recipient?.taken ?? []).filter(({ content }) =>
        textOf(content).includes(`Note ${mark}.`),
      ).length;
    }
    default:
      throw new Error(`nobody can see what "${mark}" leaves`);
  }
}

/** A file has to be read again in each process, who has ended gets no mail, and a command of unknown outcome counts as failed. */
const EXPECTED_ERRORS =
  /you have not read it|The message was not sent|^Cancelled: parallel tool call Bash/;

function findTraceProblems(
  { use, how, times, text }: End,
  traces: number,
  tasks: readonly TaskLine[],
): readonly string[] {
  const what = `${use.name} ${use.mark}`;
  if (times !== 1 || how === 'never') return [`${what} was asked for ${times} times; ${how}`];
  if (use.leaves === undefined) return [];
  if (how === 'error' && !EXPECTED_ERRORS.test(text)) return [`${what} failed: ${text}`];
  const [, task] = /in the background as (\w+)/.exec(text) ?? [];
  // with its process, or with the session
  const isLost = tasks.some(
    ({ type, id, status }) => id === task && (type === 'task.lost' || status === 'killed'),
  );
  const least = how === 'done' && !isLost ? 1 : 0;
  const most = how === 'error' ? 0 : 1;
  return traces < least || traces > most
    ? [`${what} (${how}: ${text.slice(0, 200)}) left ${traces} traces`]
    : [];
}

/** Lines that were there when a process died, and are not there now. */
async function findRewritten({ session, killed }: Soak): Promise<readonly string[]> {
  const found = killed.flatMap(({ files, step }) =>
    [...files].map(async ([name, before]) => {
      const whole = before.slice(0, before.lastIndexOf('\n') + 1);
      const now = await readFile(join(session, name), 'utf8');
      return now.startsWith(whole) ? [] : [`${name} was rewritten after the kill at step ${step}`];
    }),
  );
  return (await Promise.all(found)).flat();
}

function findAgentProblems({ plan }: Soak, lives: readonly AgentLife[]): readonly string[] {
  return plan.parts.flatMap(({ mark }) => {
    const found = lives.filter((life) => life.mark === mark);
    return found.length === 1 ? [] : [`there are ${found.length} agents ${mark}`];
  });
}

function findResultProblems({ mark, uses, results }: AgentLife): readonly string[] {
  const ids = uses.map(({ id }) => id);
  return [
    ...ids.flatMap((id) => {
      const count = results.get(id)?.length ?? 0;
      return count === 1 ? [] : [`${mark}: ${id} has ${count} results`];
    }),
    ...findRepeated(ids).map((id) => `${mark}: ${id} was said twice`),
    ...[...results.keys()]
      .filter((id) => !ids.includes(id))
      .map((id) => `${mark}: the result of ${id}, which nobody asked for`),
  ];
}

function findMailProblems({ mark, accepted, taken }: AgentLife): readonly string[] {
  const ids = taken.map(({ id }) => id);
  return [
    ...findRepeated(accepted.map(({ id }) => id)).map(
      (id) => `${mark}: mail ${id} was accepted twice`,
    ),
    ...findRepeated(ids).map((id) => `${mark}: mail ${id} was taken twice`),
    ...accepted
      .filter(({ id }) => !ids.includes(id))
      .map(
        ({ id, content }) => `${mark}: mail ${id} was never taken: ${textOf(content).slice(0, 80)}`,
      ),
  ];
}

/** Each agent that it has started is done, and it was notified of that once. */
function findReportProblems({ mark, uses, results, taken }: AgentLife): readonly string[] {
  const told = [...[...results.values()].flat(), ...taken].map(({ content }) => textOf(content));
  const isOpen = told.some((text) => text.includes('which had completed by then'));
  return uses.flatMap(({ name, input }) => {
    const started = name === 'Agent' ? /\[\[\w+\]\]/.exec(JSON.stringify(input))?.[0] : undefined;
    if (started === undefined) return [];
    const times = told.filter((text) => text.includes(`${started} is done.`)).length;
    return times === 1 || (times === 0 && isOpen)
      ? []
      : [`${mark} was notified ${times} times that ${started} is done`];
  });
}

/** The parent of each task in the background learns its end once, unless the task ends with the session. */
function findTaskProblems(
  tasks: readonly TaskLine[],
  lives: readonly AgentLife[],
): readonly string[] {
  const ids = [
    ...new Set(
      tasks
        .filter(({ type, status }) => type === 'task.status' && status === 'pending')
        .map(({ id }) => String(id)),
    ),
  ];
  const notified = lives.flatMap(({ accepted }) =>
    accepted.filter(({ kind }) => kind === 'notification').map(({ id }) => id),
  );
  return ids.flatMap((id) => {
    const lines = tasks.filter((line) => line['id'] === id);
    const ends = lines.filter(
      ({ type, status }) =>
        type === 'task.lost' || ['completed', 'failed', 'killed'].includes(String(status)),
    );
    const isBackground = lines.some(
      ({ isBackgrounded, type }) => isBackgrounded === true || type === 'task.backgrounded',
    );
    const isSwept = ends.some(
      ({ outcome }) => (outcome as { reason?: string } | undefined)?.reason === 'owner ended',
    );
    const times = notified.filter((one) => one === id).length;
    const right = isBackground && !isSwept ? 1 : 0;
    return [
      ...(ends.length === 1 || id.startsWith('s') ? [] : [`task ${id} has ${ends.length} ends`]),
      ...(times === right ? [] : [`the end of task ${id} was notified ${times} times`]),
    ];
  });
}

function findRepeated(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
