import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file of Troupe's own package, by its path in the package. */
export function ownFile(path: string): URL {
  return pathToFileURL(join(ownFolder(), path));
}

/** Read Troupe's own package file, the nearest one above this module. */
export function readOwnPackage(): {
  readonly version: string;
  readonly engines: { readonly node: string };
} {
  return JSON.parse(readFileSync(join(ownFolder(), 'package.json'), 'utf8')) as ReturnType<
    typeof readOwnPackage
  >; // a part of every copy of Troupe
}

function ownFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder))
    folder = dirname(folder);
  return folder;
}
