import { type Dirent, existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findMarkdown } from '../../files/find-markdown.js';
import { isInside } from '../../files/is-inside.js';
import { LEADS_OUT } from '../../files/read-planted-file.js';
import type { SkillPlace } from './skill-place.js';

/** Facts that all skills of one folder share. */
export type SkillOrigin = Pick<SkillPlace, 'source' | 'roots' | 'pluginInfo'>;

/** A folder `.claude`, `.troupe` or their likes that may have skills and commands. */
export type SkillFolder = SkillOrigin & {
  /** Absolute path. */
  readonly path: string;
};

export type FoundSkills = {
  /** Sorted. */
  readonly places: readonly SkillPlace[];
  /** Files and folders that were left out, each with its path. */
  readonly warnings: readonly string[];
};

/** Most entries of one folder of skills; the largest public collections have a tenth of it. */
const MOST_SKILLS = 20_000;

/** A name that can be typed after a slash. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u;

/** Find the files `skills/NAME/SKILL.md` of a folder, and the folders `skills/NAME` that are plugins. */
export function findSkills({ path, ...origin }: SkillFolder): FoundSkills & {
  /** Absolute paths of folders with a manifest. */
  readonly plugins: readonly string[];
} {
  const found = withoutReserved(findSkillsIn(join(path, 'skills'), origin));
  const plugins = found.places.flatMap(({ skillRoot = '' }) =>
    existsSync(join(skillRoot, '.claude-plugin', 'plugin.json')) ? [skillRoot] : [],
  );
  return { ...found, plugins };
}

/** A folder of this name has the skills of an account: other agents never load a skill from it. */
const RESERVED = 'synced';

function withoutReserved({ places, warnings }: FoundSkills): FoundSkills {
  const reserved = places.filter(({ name }) => name.toLowerCase() === RESERVED);
  return {
    places: places.filter((place) => !reserved.includes(place)),
    warnings: [
      ...warnings,
      ...reserved
        .filter(({ file }) => existsSync(file))
        .map(
          ({ file }) => `${file}: the skill is left out: its name is reserved. Rename the folder.`,
        ),
    ],
  };
}

/** Find the files `NAME/SKILL.md` of a folder. */
export function findSkillsIn(folder: string, origin: SkillOrigin): FoundSkills {
  const { entries, warnings } = entriesOf(folder, origin.roots);
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
  const places = names.map((name): SkillPlace => {
    const skillRoot = join(folder, name);
    const file = join(skillRoot, 'SKILL.md');
    return { ...origin, name, kind: 'skill', file, skillRoot };
  });
  return withNames({ places, warnings });
}

/** Find the files `commands/NAME.md` of a folder. In a subfolder the name is `SUBFOLDER:NAME`. */
export function findCommands({ path, ...origin }: SkillFolder): FoundSkills {
  return findCommandsIn(join(path, 'commands'), origin);
}

/** Find the files `NAME.md` of a folder. In a subfolder the name is `SUBFOLDER:NAME`. */
export function findCommandsIn(folder: string, origin: SkillOrigin): FoundSkills {
  const { paths, warnings } = findMarkdown(folder, origin.roots);
  const places = paths.map((file): SkillPlace => {
    const isFolder = basename(file) === 'SKILL.md';
    const way = relative(folder, isFolder ? dirname(file) : file.slice(0, -'.md'.length));
    const skillRoot = isFolder ? dirname(file) : undefined;
    const name = way.split(sep).join(':');
    return { ...origin, name, kind: 'command', file, skillRoot };
  });
  return withNames({ places, warnings });
}

/** Leave out what nobody could type. Folders such as `.git` may be beside skills. */
function withNames({ places, warnings }: FoundSkills): FoundSkills {
  const unnamed = places.filter(({ name, file }) => !NAME.test(name) && existsSync(file));
  return {
    places: places.filter(({ name }) => NAME.test(name)),
    warnings: [
      ...warnings,
      ...unnamed.map(
        ({ file, name }) =>
          `${file}: the skill is left out: ${JSON.stringify(name)} cannot be typed as a command. Name it with letters, digits, "-", "_" and ".".`,
      ),
    ],
  };
}

function entriesOf(
  folder: string,
  roots: SkillFolder['roots'],
): { readonly entries: readonly Dirent[]; readonly warnings: readonly string[] } {
  try {
    const real = realpathSync.native(folder);
    if (roots !== undefined && !roots.some((root) => isInside(real, root)))
      return { entries: [], warnings: [`${folder}: the folder is left out: ${LEADS_OUT}.`] };
    const entries = readdirSync(real, { withFileTypes: true });
    if (entries.length <= MOST_SKILLS) return { entries, warnings: [] };
    const warning = `${folder}: only its first ${MOST_SKILLS} entries are read.`;
    return { entries: entries.slice(0, MOST_SKILLS), warnings: [warning] };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // of the file system
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return {
      entries: [],
      warnings: isMissing ? [] : [`${folder}: the folder is left out: ${message}.`],
    };
  }
}
