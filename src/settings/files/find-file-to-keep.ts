import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Environment } from '../../files/folders.js';
import { settingsFiles, type SettingSource } from './settings-files.js';

/**
 * The file that an update of a layer is written to: the strongest one that exists; the one in `.claude` if none exists.
 */
export async function findFileToKeep(
  layer: SettingSource,
  place: { readonly cwd: string; readonly env: Environment },
  { isOwn }: { readonly isOwn: boolean },
): Promise<string> {
  const files = settingsFiles({ ...place, sources: [layer] })
    .filter(
      (file) =>
        file.source !== 'policySettings' && (file.isOwn === true) === (isOwn && layer === 'local'),
    )
    .map(({ path }) => path);
  for (const path of files.toReversed()) if (existsSync(path)) return realpath(path); // a link stays a link
  return files[0] as string; // every layer has files
}
