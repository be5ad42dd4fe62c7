import type { Environment } from '../../api/types.js';
import { browserOf } from '../process/open-browser.js';
import { onEndingSignals, type EndingSignal } from '../process/signals.js';
import { openInBrowser } from './open-in-browser.js';
import { openRoom } from './open-room.js';

/** A served control room. */
export interface ShownRoom {
  readonly address: string;
  /** Resolve with the signal that ends the process, when the room is closed. */
  untilSignal(): Promise<EndingSignal>;
  close(): Promise<void>;
}

/**
 * Serve the control room, and open it in the browser of the desktop if there is one.
 *
 * @throws UsageError if the port cannot be used
 */
export async function showRoom(
  world: { readonly env: Environment },
  {
    port,
    opens,
    isTerminal,
  }: { readonly port: number; readonly opens: boolean; readonly isTerminal: boolean },
): Promise<ShownRoom> {
  const server = await openRoom(world, port);
  const browser = opens
    ? browserOf({ env: world.env, platform: process.platform, isTerminal })
    : undefined;
  const removeFile =
    browser === undefined ? undefined : await openInBrowser(browser, server.address);
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), removeFile?.()]);
  };
  return {
    address: server.address,
    close,
    untilSignal: () =>
      new Promise((resolve) => {
        onEndingSignals(async (received) => {
          await close();
          resolve(received);
        });
      }),
  };
}
