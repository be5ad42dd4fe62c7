import { dirname, join, resolve } from 'node:path';
import { given } from '../../core/json/given.js';
import { firstChars } from '../../core/text/first-chars.js';
import { findMarkdown } from '../../files/find-markdown.js';
import { readFrontmatter, splitOutsideBraces } from '../../files/frontmatter.js';
import { firstOfNotes } from './agent-notes.js';
import { matchGlobs } from './match-globs.js';
import { parseImports } from './parse-imports.js';
import { LEADS_OUT, readPlantedFile } from '../../files/read-planted-file.js';
import { NOT_A_FILE } from '../../files/regular-file.js';
import type { MemoryFileInfo, MemoryType } from './memory-file.js';
import { stripComments } from './strip-comments.js';

/** Depth of imports: the file itself, then four more. */
const MAX_IMPORT_DEPTH = 4;
const MAX_TOTAL_CHARACTERS = 200_000;
const MAX_FILE_CHARACTERS = 150_000;

export type MemorySource = {
  readonly type: MemoryType;
  /** Folders that the file and its imports may be in, after all links; anywhere if undefined. */
  readonly roots: readonly string[] | undefined;
  /** A rule file: its frontmatter is parsed, and the model does not see it. */
  readonly isRule?: boolean;
  /** Folder that the patterns of rules start in; that of the session if absent. */
  readonly root?: string;
  /** True: notes of agents, of which only the first lines count. */
  readonly isNotes?: boolean;
  /** Patterns of the rule that imports the file. */
  readonly globs?: readonly string[] | undefined;
};

export interface MemoryCollector {
  readonly files: readonly MemoryFileInfo[];
  readonly warnings: readonly string[];
  /** Read a file and its imports. @returns whether the file exists */
  add(path: string, source: MemorySource): Promise<boolean>;
  /** Add the rules of a folder and of the folders below. */
  addRules(folder: string, source: MemorySource): Promise<void>;
}

/**
 * Collect files of instructions: each once, in the order of their addition, an import after the file that imports it.
 */
export function createMemoryCollector({
  home,
  excludes = [],
}: {
  readonly home: string;
  /** Patterns of absolute paths that are left out, except those of a manager. */
  readonly excludes?: readonly string[];
}): MemoryCollector {
  const files: MemoryFileInfo[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  const isExcluded = matchGlobs(
    excludes.map((one) => one.replace(/^~\//, `${home}/`).replace(/^\//, '')),
  );
  let characters = 0;

  const warn = (path: string, why: string): void => void warnings.push(`${path}: ${why}.`);

  const add = async (
    path: string,
    source: MemorySource,
    parent?: { readonly path: string; readonly hops: number },
  ): Promise<boolean> => {
    if (source.type !== 'Managed' && isExcluded(path.slice(1))) return false;
    const read = readPlantedFile(path, source);
    if (read.status === 'missing') return false;
    if (read.status === 'unusable' && read.why === NOT_A_FILE) return false;
    if (read.status === 'unusable') {
      const isImport = parent !== undefined && read.why === LEADS_OUT;
      const why = isImport ? `its import by ${parent.path} leads out of the project` : read.why;
      warn(path, `the instructions are left out: ${why}`);
      return true;
    }
    if (seen.has(read.path)) return true;
    seen.add(read.path);
    const file = await toInfo(path, read.text, source, parent?.path, warn);
    if (file === undefined) return true;
    if (characters + file.content.length > MAX_TOTAL_CHARACTERS) {
      warn(path, `the instructions are left out: there are too many (${MAX_TOTAL_CHARACTERS})`);
      return true;
    }
    characters += file.content.length;
    if (file.content !== '') files.push(file);
    const folders = new Set([path, read.path].map((one) => dirname(one)));
    await addImports(file, [...folders], { ...source, globs: file.globs }, parent?.hops ?? 0);
    return true;
  };

  /** @param folders that of the file, then that of the file that a link leads to */
  const addImports = async (
    { path, content }: MemoryFileInfo,
    folders: readonly string[],
    source: MemorySource,
    hops: number,
  ): Promise<void> => {
    for (const name of parseImports(content)) {
      const targets = name.startsWith('~/')
        ? [join(home, name.slice(2))]
        : folders.map((folder) => resolve(folder, name));
      if (hops === MAX_IMPORT_DEPTH) {
        if (targets.some((target) => readPlantedFile(target, source).status === 'read'))
          warn(path, `"@${name}" is left out: imports may be ${MAX_IMPORT_DEPTH} files deep`);
        continue;
      }
      let isThere = false;
      for (const target of targets) isThere ||= await add(target, source, { path, hops: hops + 1 });
      if (!isThere && looksLikeFile(name))
        warn(path, `the file that "@${name}" imports does not exist`);
    }
  };

  return {
    files,
    warnings,
    add: (path, source) => add(path, source),
    async addRules(folder, source) {
      const { paths, warnings: leftOut } = findMarkdown(folder, source.roots);
      warnings.push(...leftOut);
      for (const path of paths) await add(path, { ...source, isRule: true });
    },
  };
}

/** @returns undefined if the file is invalid, after a call of `warn` */
async function toInfo(
  path: string,
  rawContent: string,
  { type, isRule = false, root, isNotes = false, globs: inherited = [] }: MemorySource,
  parent: string | undefined,
  warn: (path: string, why: string) => void,
): Promise<MemoryFileInfo | undefined> {
  const parts = isRule && parent === undefined ? await readFrontmatter(rawContent) : undefined;
  if (parts?.ok === false) {
    warn(`${path}:${parts.line}`, `the instructions are left out: ${parts.message}`);
    return undefined;
  }
  const globs = parts?.fields === undefined ? inherited : toGlobs(parts.fields['paths']);
  if (globs === undefined) {
    const line = parts?.lineOf('paths') ?? 1;
    warn(`${path}:${line}`, 'the instructions are left out: "paths" must be patterns of paths');
    return undefined;
  }
  const text = stripComments(parts?.body ?? rawContent).trim();
  const whole = isNotes ? firstOfNotes(text) : text;
  const isCut = whole.length > MAX_FILE_CHARACTERS;
  if (isCut) warn(path, `the model sees only the first ${MAX_FILE_CHARACTERS} characters`);
  const content = isCut ? `${firstChars(whole, MAX_FILE_CHARACTERS)}\n(cut here)` : whole;
  return {
    path,
    type,
    content,
    ...(parent === undefined ? {} : { parent }),
    ...(globs.length === 0 ? {} : { globs, ...given({ root }) }),
    contentDiffersFromDisk: content !== rawContent.trim(),
    rawContent,
  };
}

/** The patterns of a rule; empty if it is about every file, undefined if they are invalid. */
function toGlobs(paths: unknown): readonly string[] | undefined {
  if (paths === undefined || paths === null) return [];
  const list: unknown = typeof paths === 'string' ? splitOutsideBraces(paths) : paths;
  if (!Array.isArray(list) || list.some((one) => typeof one !== 'string')) return undefined;
  return list as readonly string[]; // just checked
}

/** Many words with @ are not imports: packages, persons. */
function looksLikeFile(name: string): boolean {
  return /^[.~]{0,2}\//.test(name) || /\.(?:md|mdx|markdown|txt)$/i.test(name);
}
