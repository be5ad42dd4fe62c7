import { lstatSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables of Node that decide on the cache; coverage is not exact for code from a cache. */
const DECIDED_BY = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

type CacheOfNode = { enableCompileCache?(folder: string): unknown };

/**
 * Keep the compiled code of modules that are imported from now on for the next start. Node can do so from 22.8 on. Nothing
 * is kept if other users can enter the folder: Node runs what it finds there.
 */
export function keepCompiledCode({ enableCompileCache } = nodeModule as CacheOfNode): void {
  if (enableCompileCache === undefined || DECIDED_BY.some((name) => process.env[name])) return;
  const folder = compiledCodeFolder();
  if (makePrivateFolder(folder)) enableCompileCache(join(folder, '.troupe')); // a write below that name needs approval
}

/** The folder of this user's compiled code, existing or not. */
export function compiledCodeFolder(): string {
  return join(tmpdir(), `troupe-${process.getuid?.() ?? 'code'}`);
}

/** Make a folder for this user alone. @returns whether it is one, new or old */
function makePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or lstat fails as well
  }
  try {
    const found = lstatSync(folder);
    const user = process.getuid?.();
    const isPrivate = user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
    return found.isDirectory() && isPrivate;
  } catch {
    return false;
  }
}
