import { basename, dirname, join, resolve } from 'node:path';
import { findWorkTree, realOf } from './folders.js';
import { readPlantedFile } from './read-planted-file.js';

/**
 * Find the work tree that a folder is in; if it is one of several of a repository, the main one. Reads files only. A work
 * tree that the named repository does not know has no main one.
 *
 * @returns undefined outside of a repository
 */
export function findMainWorkTree(folder: string): string | undefined {
  const tree = findWorkTree(folder);
  return tree === undefined ? undefined : (mainOf(tree) ?? tree);
}

function mainOf(tree: string): string | undefined {
  const dotGit = join(tree, '.git');
  const named = /^gitdir: (.+)/.exec(textOf(dotGit) ?? '')?.[1];
  if (named === undefined) return undefined;
  const own = resolve(tree, named);
  const [back, common] = [textOf(join(own, 'gitdir')), textOf(join(own, 'commondir'))];
  if (back === undefined || common === undefined) return undefined; // a submodule
  if (realOf(resolve(own, back)) !== realOf(dotGit)) return undefined;
  const git = resolve(own, common);
  return basename(git) === '.git' ? dirname(git) : undefined;
}

function textOf(path: string): string | undefined {
  const read = readPlantedFile(path);
  return read.status === 'read' ? read.text.trimEnd() : undefined;
}
