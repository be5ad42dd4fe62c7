import type { Alarm } from '../services/timers.js';
import type { TriggerEndpoint, TriggerServer } from './trigger-server.js';

/** The one server of a tree: open while somebody holds it. */
export interface SharedServer {
  /** @throws a system error if it cannot listen: then nothing is held */
  acquire(): Promise<TriggerServer>;
  release(): void;
  /** Resolve when a server that nobody holds is closed. */
  closed(): Promise<void>;
}

export function createSharedServer(
  find: (id: string) => TriggerEndpoint | undefined,
  timers: Alarm,
): SharedServer {
  let holders = 0;
  let server: Promise<TriggerServer> | undefined;
  const closing = new Set<Promise<void>>();

  const open = async (): Promise<TriggerServer> =>
    (await import('./trigger-server.js')).openTriggerServer(find, timers);

  const release = (): void => {
    holders -= 1;
    if (holders > 0 || server === undefined) return;
    const closes = close(server).finally(() => closing.delete(closes));
    closing.add(closes);
    server = undefined;
  };

  return {
    async acquire() {
      holders += 1;
      server ??= open();
      const opening = server;
      try {
        return await opening;
      } catch (error) {
        if (server === opening) server = undefined;
        release();
        throw error;
      }
    },
    release,
    closed: async () => void (await Promise.all(closing)),
  };
}

async function close(server: Promise<TriggerServer>): Promise<void> {
  const listening = await server.catch(() => undefined); // the caller of acquire got the error
  await listening?.close();
}
