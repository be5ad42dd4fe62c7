import { resolve } from 'node:path';
import { userFolders } from '../../context/folders.js';
import { printableLine } from '../../core/printable.js';
import { createTrustStore, findFolder } from '../../extensions/trust/trust-store.js';
import type { Command } from '../arguments/command.js';
import { makeHome } from '../../journal/prepare-folders.js';
import { printJson, printLines } from './print.js';

type TrustCommand = Extract<Command, { type: 'trust' }>;

/**
 * `troupe trust`: records which folders may do more by their own files than restrict.
 *
 * @returns the exit code
 * @throws UsageError for a folder that is not there, or not listed
 */
export async function changeTrust(
  { action, folder, isJson }: TrustCommand,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const home = userFolders(env).troupe;
  const store = createTrustStore(home);
  const path = resolve(folder);
  switch (action) {
    case 'add': {
      const found = await findFolder(path);
      makeHome(home);
      const trusted = await store.trust(found);
      await tell(
        `${trusted} is trusted, and what is below it. To undo this: troupe trust --remove`,
      );
      return 0;
    }
    case 'remove': {
      const forgotten = await store.forget(path);
      const covering = await store.findCovering(forgotten).catch(() => undefined); // it may be gone
      await tell(
        covering === undefined
          ? `${forgotten} is not trusted any more.`
          : `${forgotten} is not listed any more; it is trusted because ${covering} is.`,
      );
      return 0;
    }
    case 'list': {
      const folders = await store.list();
      if (isJson) await printJson([folders]);
      else if (folders.length === 0) await tell('No folder is trusted.');
      else for (const one of folders) await tell(`${one.folder}  since ${one.trustedAt}`);
      return 0;
    }
    default:
      return action satisfies never;
  }
}

function tell(line: string): Promise<void> {
  return printLines([printableLine(line)]);
}
