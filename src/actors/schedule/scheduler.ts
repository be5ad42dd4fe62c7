import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentId } from '../../core/ids.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { ScheduleEntry, toCronEntries } from '../../journal/entries/schedule-entries.js';
import type { CronEntries, CronServices } from './cron-entries.js';
import type { Scheduler } from '../agents/session/scheduler-types.js';

export function createScheduler(services: CronServices): Scheduler {
  let loaded: CronEntries | undefined;
  let loading: Promise<CronEntries> | undefined;
  const restoring = new Map<AgentId, Promise<void>>();
  const load = (): Promise<CronEntries> =>
    (loading ??= import('./cron-entries.js').then(
      ({ createCronEntries }) => (loaded = createCronEntries(services)),
    ));
  const entriesOf = async (agentId: AgentId): Promise<CronEntries> => {
    await restoring.get(agentId);
    return load();
  };

  return {
    logic() {
      if (loaded === undefined) throw new Error('The scheduler was opened before it was loaded.');
      return loaded.logic;
    },
    create: async (agentId, wish) => (await entriesOf(agentId)).create(agentId, wish),
    list: async (agentId) =>
      loading === undefined ? [] : (await entriesOf(agentId)).list(agentId),
    delete: async (agentId, id) => (await entriesOf(agentId)).delete(agentId, id),
    restore({ journal }, agentId) {
      const file = join(journal.directory, 'schedule.jsonl');
      if (!existsSync(file)) return;
      const entries = toCronEntries(readWholeJournal(file, ScheduleEntry));
      const own = entries.filter((entry) => entry.agentId === agentId);
      if (own.length === 0) return;
      const restored = load().then((cron) => cron.restore(agentId, own));
      restoring.set(agentId, restored);
      void restored.finally(() => restoring.delete(agentId));
    },
    forget: (session, { id, depth }) => loaded?.forget(session, id, depth > 0),
  };
}
