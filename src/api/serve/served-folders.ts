import { UsageError } from '../../core/errors.js';
import type { AskHandler } from '../../actors/contract/approvals.js';
import type { OpenedFolder, ServedOptions } from './serve-types.js';

/** More folders, each with its orchestrator, are refused. */
const MOST_FOLDERS = 32;

type Place = Parameters<ServedOptions['open']>[0];

/** The orchestrators of a server: one for each folder and choice of tools, opened when it is first needed. */
export interface ServedFolders {
  /** @throws UsageError */
  open(place: Place): Promise<OpenedFolder>;
  opened(): readonly OpenedFolder[];
  /** Let requests wait for a decision. Without it, requests are denied, those that wait too. */
  listen(isListening: boolean): void;
  close(reason: string): Promise<void>;
}

/** @param handler gets the requests of all folders while somebody listens */
export function createServedFolders(
  open: ServedOptions['open'],
  handler: (folder: OpenedFolder) => AskHandler,
): ServedFolders {
  const opening = new Map<string, Promise<OpenedFolder>>();
  const opened: OpenedFolder[] = [];
  const stops = new Map<OpenedFolder, () => void>();
  let isListening = false;
  let closing: Promise<void> | undefined;

  const attach = (folder: OpenedFolder): void => {
    const { approvals } = folder.orchestrator;
    const kinds = ['permission', 'question', 'plan'] as const;
    stops.set(folder, approvals.onRequest(handler(folder), { by: 'client', kinds }));
  };

  const openNew = async (place: Place): Promise<OpenedFolder> => {
    const folder = await open(place);
    if (closing !== undefined) {
      await folder.orchestrator.close('the server ends');
      throw new UsageError('The server ends.');
    }
    opened.push(folder);
    if (isListening) attach(folder);
    return folder;
  };

  const close = async (reason: string): Promise<void> => {
    await Promise.allSettled(opening.values());
    await Promise.all(opened.map(({ orchestrator }) => orchestrator.close(reason)));
  };

  return {
    async open(place) {
      if (closing !== undefined) throw new UsageError('The server ends.');
      const key = JSON.stringify(place);
      const known = opening.get(key);
      if (known !== undefined) return known;
      if (opening.size >= MOST_FOLDERS)
        throw new UsageError(
          `This server has agents in ${MOST_FOLDERS} folders or with as many choices of tools, which is the most. Name one of those.`,
        );
      const folder = openNew(place);
      opening.set(key, folder);
      folder.catch(() => opening.delete(key)); // the caller gets the error
      return folder;
    },
    opened: () => opened,
    listen(wanted) {
      if (wanted === isListening) return;
      isListening = wanted;
      if (wanted) return opened.forEach(attach);
      for (const stop of stops.values()) stop();
      stops.clear();
    },
    close: (reason) => (closing ??= close(reason)),
  };
}
