import { join } from 'node:path';
import type { ScriptFunction } from '../../src/model/scripted/scripted-model.js';
import type { ModelRequest } from '../../src/model/model.js';
import type { SessionHandle } from '../../src/actors/contract/handles.js';
import type { InspectedActor } from '../../src/actors/contract/inspected-actor.js';
import { readWholeJournal } from '../../src/journal/read-journal.js';
import { ScheduleEntry } from '../../src/journal/entries/schedule-entries.js';
import { createSimulatedTime } from './simulated-time.js';
import { newestTold } from './team-script.js';
import { createTroupe, type TroupeOptions } from './troupe.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A call of CronCreate. */
export function cronCall(cron: string, { prompt = 'Look.', recurring = true } = {}) {
  return { name: 'CronCreate', input: { cron, prompt, recurring } };
}

/** A troupe with its own time, in a zone; it begins at midnight UTC of the first of January 2030. */
export async function createScheduleWorld(
  script: ScriptFunction,
  { timeZone = 'UTC', start = Date.UTC(2030, 0, 1), ...options }: WorldOptions = {},
) {
  const time = createSimulatedTime(start);
  const armed = new Set<unknown>();
  const clock = {
    setTimeout(callback: () => void, delayMs: number): unknown {
      const handle: unknown = time.clock.setTimeout(() => {
        armed.delete(handle);
        callback();
      }, delayMs);
      armed.add(handle);
      return handle;
    },
    clearTimeout(handle: unknown): void {
      armed.delete(handle);
      time.clock.clearTimeout(handle as number); // what it was given
    },
  };
  const world = { clock, now: time.now, env: { ...process.env, TZ: timeZone } };
  return { ...(await createTroupe(script, { ...options, ...world })), ...time, ...world, armed };
}

type WorldOptions = Omit<TroupeOptions, 'clock' | 'now' | 'env'> & {
  readonly timeZone?: string;
  readonly start?: number;
};

/** Resolves when the session's own agent has nothing to do, the next time after this call. */
export function nextIdle({ events, agentId }: SessionHandle): Promise<void> {
  return new Promise((resolve) => {
    const look = (origin: { readonly agentId: string }): void => {
      if (origin.agentId !== agentId) return;
      events.off('agent.idle', look);
      resolve();
    };
    events.on('agent.idle', look);
  });
}

/** Keeps the newest text of each request, and answers all alike. */
export function createListener(text = 'Seen.') {
  const told: string[] = [];
  return {
    told,
    hear(request: ModelRequest) {
      told.push(newestTold(request));
      return { text };
    },
  };
}

/** The part of `inspect()` of one kind, at any depth. */
export function findKind(
  tree: InspectedActor,
  kind: InspectedActor['kind'],
): readonly InspectedActor[] {
  const below = tree.children.flatMap((child) => findKind(child, kind));
  return tree.kind === kind ? [tree, ...below] : below;
}

export function readSchedule({ directory }: SessionHandle): readonly ScheduleEntry[] {
  return readWholeJournal(join(directory, 'schedule.jsonl'), ScheduleEntry);
}
