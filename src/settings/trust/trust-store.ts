import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { whyUnreadable } from '../../files/near-file.js';
import { NOT_A_FILE, readRegularFile } from '../../files/regular-file.js';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import { parseJsonAs } from '../files/parse-json.js';
import { replaceOwnFile } from '../../files/replace-own-file.js';

const TrustFile = z.object({
  version: z.literal(1),
  /** By real path. */
  folders: z.record(z.string(), z.object({ trustedAt: z.string() })),
});
type TrustFile = z.infer<typeof TrustFile>;

export type TrustedFolder = { readonly folder: string; readonly trustedAt: string };

/** The folders that a person trusts: `trust.json` in Troupe's home. Trust covers everything below a folder. */
export interface TrustStore {
  list(): Promise<readonly TrustedFolder[]>;
  /** The trusted folder that covers this one. */
  findCovering(folder: string): Promise<string | undefined>;
  /** A second call changes nothing. @returns the folder's real path. @throws UsageError if the folder does not exist */
  trust(folder: string): Promise<string>;
  /** @returns the folder's real path. @throws UsageError if the list does not contain the folder itself */
  forget(folder: string): Promise<string>;
}

/** Every call reads the file again. Each rejection is a UsageError that names the file. */
export function createTrustStore(home: string, now: () => Date = () => new Date()): TrustStore {
  const file = join(home, 'trust.json');

  const change = (edit: (folders: TrustFile['folders']) => TrustFile['folders']): Promise<void> =>
    replaceOwnFile(file, async () => {
      const folders = edit((await read(file)).folders);
      return `${JSON.stringify({ version: 1, folders } satisfies TrustFile, null, 2)}\n`;
    });

  return {
    async list() {
      const { folders } = await read(file);
      return Object.entries(folders).map(([folder, { trustedAt }]) => ({ folder, trustedAt }));
    },
    async findCovering(folder) {
      const { folders } = await read(file);
      if (Object.keys(folders).length === 0) return undefined;
      return ancestorsOf(await realpath(folder)).find((path) => Object.hasOwn(folders, path));
    },
    async trust(folder) {
      const path = await findFolder(folder);
      await change((folders) =>
        Object.hasOwn(folders, path)
          ? folders
          : { ...folders, [path]: { trustedAt: now().toISOString() } },
      );
      return path;
    },
    async forget(folder) {
      const path = await realpath(folder).catch(() => resolve(folder)); // the folder may not exist any more
      await change(({ [path]: found, ...others }) => {
        if (found !== undefined) return others;
        const covering = ancestorsOf(path).find((one) => Object.hasOwn(others, one));
        throw new UsageError(
          covering === undefined
            ? `${path} is not trusted. See troupe trust --list.`
            : `${path} is trusted because ${covering} is. Run: troupe trust --remove ${covering}`,
        );
      });
      return path;
    },
  };
}

async function read(file: string): Promise<TrustFile> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if ((mode & 0o022) !== 0)
      throw new Error('others can write the file, so it is not used. Run: chmod 600 on it');
    const whole = readRegularFile(file);
    if (whole === undefined) throw new Error(NOT_A_FILE);
    text = whole;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { version: 1, folders: {} };
    const why = describeSystemError(error);
    throw new UsageError(
      `The list of trusted folders cannot be read: ${why}.`,
      { file },
      { cause: error },
    );
  }
  return parseJsonAs(TrustFile, text, { file, whole: 'The list of trusted folders' });
}

/** The real path of a folder that can be trusted. @throws UsageError if the folder does not exist */
export async function findFolder(folder: string): Promise<string> {
  try {
    const path = await realpath(folder);
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    const why = await whyUnreadable(folder, error);
    throw new UsageError(`${folder} cannot be trusted: ${why}`, {}, { cause: error });
  }
  throw new UsageError(`${folder} cannot be trusted: it is not a folder.`);
}

function ancestorsOf(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...ancestorsOf(above)];
}
