import { join } from 'node:path';
import type { AnyActorLogic, AnyActorRef } from 'xstate';
import { CRON_EXAMPLE, findCronProblem } from '../../core/time/cron-expression.js';
import { afterTime, envelopeIdOf, type CronEntry } from '../../core/time/cron-entry.js';
import { createShortId, type AgentId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import { describeTime, timeZoneOf } from '../../core/time/zoned-time.js';
import { AgentEntry } from '../../journal/entries/agent-entries.js';
import { readJournal } from '../../journal/read-journal.js';
import { schedulerMachine } from '../../machines/schedule/scheduler.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import type { JournalLines, SessionFiles } from '../../journal/journal.js';
import type { MailSender } from '../mail/mailroom.js';
import type { Timers } from '../services/timers.js';
import { nextTime } from './next-time.js';
import { scheduledText } from './prompt-text.js';
import { ScheduleRefusedError } from './schedule-refused-error.js';
import type { Environment } from '../../files/folders.js';

const MOST_ENTRIES = 50;
const DAY_MS = 86_400_000;
/** A forgotten entry costs something each time, so entries expire. */
const EXPIRES_AFTER_MS = 7 * DAY_MS;
/** The longest time until a changed clock, or a sleep of the machine, is noticed. */
const LOOK_EVERY_MS = 60_000;

const FILE = 'schedule.jsonl';

/** The journal for entries, and the way to their agents. */
export type ScheduleOwners = {
  readonly journal: JournalLines & SessionFiles;
  readonly mail: MailSender;
};

/** The services for entries. */
export type CronServices = {
  readonly timers: Timers;
  /** `TZ` is the time zone of expressions, if it is valid. */
  readonly env: Environment;
  readonly agents: ReadonlyMap<AgentId, LiveCaller>;
  sessionOf(agent: LiveCaller): ScheduleOwners;
  root(): AnyActorRef;
};

/** The cron entries of a tree, beside their machine. */
export interface CronEntries {
  readonly logic: AnyActorLogic;
  list(agentId: AgentId): readonly CronEntry[];
  /** @throws ScheduleRefusedError */
  create(agentId: AgentId, wish: CronWish): Promise<CronEntry>;
  /** @throws ScheduleRefusedError */
  delete(agentId: AgentId, id: string): Promise<void>;
  /** Restore an agent's entries of an earlier process. */
  restore(agentId: AgentId, entries: readonly CronEntry[]): Promise<void>;
  /** @param isOver false if the session may be resumed */
  forget(session: Pick<ScheduleOwners, 'journal'>, agentId: AgentId, isOver: boolean): void;
}

export function createCronEntries(services: CronServices): CronEntries {
  const { timers, env, agents, sessionOf } = services;
  const timeZone = timeZoneOf(env);
  const scheduler = createSchedulerAccess(services);
  const { list, require } = scheduler;

  const record = (id: string, agentId: AgentId, next: CronEntry | undefined): void => {
    const agent = agents.get(agentId);
    if (agent === undefined) return;
    const { journal } = sessionOf(agent);
    if (next === undefined) journal.append(FILE, { type: 'cron.ended', id });
    else journal.append(FILE, { type: 'cron.came', id, nextAt: next.nextAt, lastAt: next.lastAt });
  };

  return {
    logic: provideScheduler(services, scheduler, record),
    list,
    async create(agentId, wish) {
      const createdAt = timers.now();
      checkCron(wish);
      const { actor, session } = require(agentId);
      if (list(agentId).length >= MOST_ENTRIES)
        throw new ScheduleRefusedError(
          `you have ${MOST_ENTRIES} scheduled prompts, which is the most: delete one with CronDelete`,
        );
      const entry = toEntry(wish, { agentId, timeZone, createdAt });
      session.journal.append(FILE, { type: 'cron.created', entry });
      actor.send({ type: 'cron.add', entry });
      await session.journal.sync(FILE);
      return entry;
    },
    async delete(agentId, id) {
      const own = list(agentId);
      if (!own.some((entry) => entry.id === id)) {
        const there =
          own.length === 0 ? 'You have none' : `Yours: ${own.map((one) => one.id).join(', ')}`;
        throw new ScheduleRefusedError(`no scheduled prompt of yours is called "${id}". ${there}`);
      }
      const { actor, session } = require(agentId);
      session.journal.append(FILE, { type: 'cron.ended', id });
      actor.send({ type: 'cron.remove', ids: [id] });
      await session.journal.sync(FILE);
    },
    async restore(agentId, entries) {
      const before = agents.get(agentId);
      if (before === undefined) return; // the agent has ended already
      const { journal } = sessionOf(before);
      const file = join(journal.directory, journal.agentFile(agentId));
      const lines = await readJournal(file, AgentEntry);
      const told = new Set(
        lines.flatMap((line) => (line.type === 'mail.accepted' ? [line.envelope.id] : [])),
      );
      if (agents.get(agentId) !== before) return;
      const now = timers.now();
      for (const entry of entries) {
        const wasSent = told.has(envelopeIdOf(entry.id, entry.nextAt)); // sent, but not recorded as sent
        const left = leftOf(entry, wasSent, now);
        if (left === undefined) record(entry.id, entry.agentId, undefined);
        else require(entry.agentId).actor.send({ type: 'cron.add', entry: left });
      }
    },
    forget({ journal }, agentId, isOver) {
      const ids = list(agentId).map(({ id }) => id);
      if (ids.length === 0) return;
      if (isOver) for (const id of ids) journal.append(FILE, { type: 'cron.ended', id });
      scheduler.actor()?.send({ type: 'cron.remove', ids });
    },
  };
}

/** The scheduler's actor and the entries in its snapshot. */
interface SchedulerAccess {
  /** Undefined before the scheduler is opened, and after the close. */
  actor(): AnyActorRef | undefined;
  all(): readonly CronEntry[];
  list(agentId: AgentId): readonly CronEntry[];
  /** Open the scheduler for an agent. @throws ScheduleRefusedError */
  require(agentId: AgentId): { readonly actor: AnyActorRef; readonly session: ScheduleOwners };
}

function createSchedulerAccess({ agents, sessionOf, root }: CronServices): SchedulerAccess {
  const actor = (): AnyActorRef | undefined => {
    const scheduler: AnyActorRef | undefined = root().system.get('scheduler');
    return scheduler?.getSnapshot().status === 'active' ? scheduler : undefined;
  };
  const all = (): readonly CronEntry[] =>
    Object.values<CronEntry>(actor()?.getSnapshot().context.entries ?? {});
  return {
    actor,
    all,
    list: (agentId) => all().filter((entry) => entry.agentId === agentId),
    require(agentId) {
      root().send({ type: 'scheduler.open' });
      const scheduler = actor();
      const agent = agents.get(agentId);
      if (scheduler === undefined || agent === undefined)
        throw new ScheduleRefusedError('this agent is being ended');
      return { actor: scheduler, session: sessionOf(agent) };
    },
  };
}

/** The scheduler's machine with its effects: a timer for the next entry, and the messages of due entries. */
function provideScheduler(
  { timers, agents, sessionOf }: CronServices,
  { actor, all }: SchedulerAccess,
  record: (id: string, agentId: AgentId, next: CronEntry | undefined) => void,
): AnyActorLogic {
  let disarm = (): void => {};

  const isUntaken = ({ id, agentId, lastAt }: CronEntry): boolean =>
    lastAt !== undefined && agents.get(agentId)?.parts.inbox.has(envelopeIdOf(id, lastAt)) === true;

  const look = (): void => {
    const scheduler = actor();
    if (scheduler === undefined) return;
    const at = timers.now();
    const due = all()
      .filter(({ nextAt }) => nextAt <= at)
      .map((entry) => ({ id: entry.id, ...dueOf(entry, at), isUntaken: isUntaken(entry) }));
    if (due.length > 0) scheduler.send({ type: 'cron.due', at, due });
    else arm(Math.min(...all().map(({ nextAt }) => nextAt)));
  };

  const arm = (at: number | undefined): void => {
    disarm();
    disarm = (): void => {};
    if (at === undefined) return;
    const delayMs = Math.max(0, Math.min(at - timers.now(), LOOK_EVERY_MS));
    disarm = timers.after(delayMs, look);
  };

  const fire = (entry: CronEntry, isLast: boolean): void => {
    const agent = agents.get(entry.agentId);
    if (agent === undefined) return;
    const { mail } = sessionOf(agent);
    const text = scheduledText(entry, { now: timers.now(), isLast });
    const envelope = mail.envelope('notification', entry.id, [textBlock(text)]);
    const id = envelopeIdOf(entry.id, entry.nextAt);
    mail.deliver(agent.parts, { ...envelope, id }).catch(() => {}); // a journal that cannot be written ends the session by itself
  };

  return schedulerMachine.provide({
    actions: {
      fire: (_, { entry, isLast }) => fire(entry, isLast),
      record: (_, { id, agentId, next }) => record(id, agentId, next),
      arm: (_, { at }) => arm(at),
    },
  });
}

function dueOf({ cron, timeZone }: CronEntry, at: number): { nextAt?: number } {
  const nextAt = nextTime(cron, timeZone, at);
  return nextAt === undefined ? {} : { nextAt };
}

type CronWish = Pick<CronEntry, 'cron' | 'prompt' | 'recurring'>;

/** @throws ScheduleRefusedError */
function checkCron({ cron }: CronWish): void {
  const problem = findCronProblem(cron);
  if (problem !== undefined)
    throw new ScheduleRefusedError(`cron "${cron}", ${problem}. For example, ${CRON_EXAMPLE}`);
}

/** @throws ScheduleRefusedError if the entry is never due */
function toEntry(
  { cron, prompt, recurring }: CronWish,
  { agentId, timeZone, createdAt }: Pick<CronEntry, 'agentId' | 'timeZone' | 'createdAt'>,
): CronEntry {
  const nextAt = nextTime(cron, timeZone, createdAt);
  if (nextAt === undefined)
    throw new ScheduleRefusedError(`cron "${cron}" names a day that never comes`);
  const expiresAt = createdAt + EXPIRES_AFTER_MS;
  if (recurring && nextAt > expiresAt)
    throw new ScheduleRefusedError(
      `cron "${cron}" comes first at ${describeTime(nextAt, timeZone)}, and what recurs expires after 7 days. With recurring: false it comes once then`,
    );
  return {
    id: createShortId('cron'),
    agentId,
    cron,
    timeZone,
    prompt,
    recurring,
    createdAt,
    ...(recurring ? { expiresAt } : {}),
    nextAt,
  };
}

/** The remaining entry after an earlier process; undefined if it is over. */
function leftOf(entry: CronEntry, wasSent: boolean, now: number): CronEntry | undefined {
  if (now > (entry.expiresAt ?? Infinity)) return undefined;
  return wasSent ? afterTime(entry, nextTime(entry.cron, entry.timeZone, now)) : entry;
}
