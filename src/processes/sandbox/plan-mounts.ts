import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ShellStartError } from '../start/shell-errors.js';
import { kindOfEntry } from './kind-of-entry.js';
import type { Mount } from './mount.js';
import { isInside } from '../../files/is-inside.js';

export const TEMPORARY = '/tmp';
export const RUNTIME = '/run';

/** Parts of `/run` with programs or name lookup. */
const NEEDED_OF_RUNTIME: readonly string[] = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/wrappers',
];

/** Private replacements for shared places: each command gets its own `/tmp`, and a `/run` without sockets. */
export function ownPlaces(
  temporary: string,
  { network }: { readonly network: boolean },
): readonly Mount[] {
  const names = network
    ? [...NEEDED_OF_RUNTIME, realPathOf('/etc/resolv.conf')]
    : NEEDED_OF_RUNTIME;
  const shown = names.filter((path) => path !== undefined && isInside(path, RUNTIME));
  return [
    { kind: 'private', path: TEMPORARY, source: temporary },
    { kind: 'empty', path: RUNTIME },
    ...shown.flatMap((path): readonly Mount[] =>
      path === undefined || kindOfEntry(path) === 'missing'
        ? []
        : [{ kind: 'shown', path, source: realPathOf(path) ?? path }],
    ),
  ];
}

/**
 * A workspace below `/tmp` needs folders above it in the command's own `/tmp`. Commands cannot write to these:
 * otherwise one could replace a folder with a link before the next command.
 */
export function waysThroughTemporary(
  mounts: readonly Mount[],
  temporary: string,
): readonly Mount[] {
  const names = mounts.flatMap(({ path }) => {
    const [, place, name, ...further] = path.split('/');
    return place === 'tmp' && name !== undefined ? [{ name, isDeeper: further.length > 0 }] : [];
  });
  for (const { name } of names) {
    const path = join(temporary, name);
    if (kindOfEntry(path) === 'missing') mkdirSync(path);
    if (kindOfEntry(path) !== 'directory')
      throw new ShellStartError(
        `a command has replaced ${TEMPORARY}/${name} with something else. Remove it there.`,
      );
  }
  const mounted = names.filter(({ isDeeper }) => !isDeeper).map(({ name }) => name);
  const ways = new Set(names.map(({ name }) => name).filter((name) => !mounted.includes(name)));
  return [...ways].map((name) => ({ kind: 'empty', path: join(TEMPORARY, name) }));
}

export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // it does not exist
  }
}
