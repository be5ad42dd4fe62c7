import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Environment } from '../../api/types.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning } from '../control/see-running.js';
import type { StreamPart } from './web-server.js';

const LOOK_EVERY_MS = 200;

/** The task whose reply a page shows. */
export const WatchedReply = z.lazy(() => z.object({ task: z.string() }));

/** The text of the arriving reply of an agent, again whenever it has grown; empty when the reply is in the journal. */
export async function* replyEvents(
  { task: wanted }: z.infer<typeof WatchedReply>,
  {
    world,
    signal,
  }: { readonly world: { readonly env: Environment }; readonly signal: AbortSignal },
): AsyncGenerator<StreamPart> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, wanted, silent);
    for (let last = ''; !signal.aborted;) {
      const text = await troupe.ask({ method: 'reply', task });
      if (typeof text === 'string' && text !== last) yield { event: 'reply', data: (last = text) };
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    close();
  }
}
