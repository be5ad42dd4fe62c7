import type { RunCommand } from '../command.js';
import { resolve } from 'node:path';
import { makeHome, userFolders } from '../../api/files/folders.js';
import { UsageError } from '../../api/errors.js';
import { printableLine } from '../../api/text.js';
import { createTrustStore, findFolder } from '../../api/settings/trust.js';
import { printJson, printLines } from '../output/print.js';

/**
 * `troupe trust`: record the folders whose settings may do more than restrict.
 *
 * @returns the exit code
 * @throws UsageError for a missing folder, or one that is not listed
 */
export const run: RunCommand = async (line, world) => {
  const { action, folder, isJson } = readTrust(line.words, line.given);
  const home = userFolders(world.env).troupe;
  const store = createTrustStore(home);
  const path = resolve(world.cwd, folder);
  switch (action) {
    case 'add': {
      const found = await findFolder(path);
      makeHome(home);
      const trusted = await store.trust(found);
      await tell(`Troupe trusts ${trusted} and all below it. To undo this: troupe trust --remove`);
      return 0;
    }
    case 'remove': {
      const forgotten = await store.forget(path);
      const covering = await store.findCovering(forgotten).catch(() => undefined); // the folder may be deleted
      await tell(
        covering === undefined
          ? `${forgotten} is not trusted any more.`
          : `${forgotten} is not listed any more, but still trusted: ${covering} is trusted.`,
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
};

/** Read the action from the flags and the word. @throws UsageError */
function readTrust([folder]: readonly string[], given: ReadonlySet<string>) {
  const isList = given.has('--list');
  const isRemoval = given.has('--remove');
  if (isList && (isRemoval || folder !== undefined))
    throw new UsageError('trust --list lists every trusted folder. Give it alone.');
  if (given.has('--json') && !isList)
    throw new UsageError('--json goes with a list: troupe trust --list --json.');
  const action = isList ? 'list' : isRemoval ? 'remove' : 'add';
  return { action, folder: folder ?? '.', isJson: given.has('--json') } as const;
}

function tell(line: string): Promise<void> {
  return printLines([printableLine(line)]);
}
