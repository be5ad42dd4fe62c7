import type { Environment } from '../../api/types.js';
import { userFolders } from '../../api/files/folders.js';
import { messageOf } from '../../api/errors.js';
import { warn } from '../output/print.js';
import { seeAll, type SeenTroupe } from './running.js';

/** Connect to the running troupes of this user. Those that do not answer are reported on stderr. */
export async function seeRunning({ env }: { readonly env: Environment }): Promise<{
  readonly seen: readonly SeenTroupe[];
  /** Number of troupes that do not answer. */
  readonly silent: number;
  close(): void;
}> {
  let silent = 0;
  const seen = await seeAll(userFolders(env).troupe, (_, error) => {
    silent += 1;
    warn([messageOf(error)]);
  });
  return {
    seen,
    silent,
    close() {
      for (const { troupe } of seen) troupe.close();
    },
  };
}
