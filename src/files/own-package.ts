import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Read Troupe's own package file, the nearest one above this module. */
export function readOwnPackage(): {
  readonly version: string;
  readonly engines: { readonly node: string };
} {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder))
    folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ReturnType<
    typeof readOwnPackage
  >; // a part of every copy of Troupe
}
