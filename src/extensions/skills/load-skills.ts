import { dirname, join } from 'node:path';
import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import type { Skill } from '../../core/commands/command.js';
import { nameSome } from '../../core/text/name-some.js';
import { requireTexts } from '../../core/text/require-text.js';
import { followingLinks } from '../../files/following-links.js';
import {
  findWorkTree,
  foldersDownTo,
  managedOwnFolders,
  realRoots,
  userFolders,
} from '../../files/folders.js';
import {
  findCommands,
  findSkills,
  type FoundSkills,
  type SkillFolder,
} from './find-skill-files.js';
import type { SkillFile } from './skill-file.js';
import type { SkillPlace } from './skill-place.js';

/** Skills and commands that were read from files. */
export type LoadedSkills = {
  /** One skill of each name: the strongest, if several files have it. */
  readonly skills: readonly Skill[];
  /** Invalid files, each with file and line; then fields that have no effect. */
  readonly warnings: readonly string[];
  /** Unknown fields, which have no effect; one line. */
  readonly notes: readonly string[];
};

/** Places of skills. */
export type LoadSkillsOptions = {
  /** Absolute path of the folder that agents will work in. */
  readonly cwd: string;
  /** Environment with `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME`; that of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Sources of skills: `user`, `project` or both; both if absent. `local` has no skills. */
  readonly sources?: readonly ContextSource[];
  /**
   * Whether the folder is trusted; called only if it matters. If not, `allowed-tools` of the project's skills allow
   * nothing, and the commands in their texts do not run. Trusted if absent.
   */
  readonly isTrusted?: () => boolean | Promise<boolean>;
  /** Absolute paths of more folders with `.claude` and `.troupe`; weaker than the project's own. */
  readonly additionalFolders?: readonly string[];
};

/**
 * Read the skills of a folder: `skills/NAME/SKILL.md`, and `commands/NAME.md`. Weakest first they are the project's, in
 * `.claude` and `.troupe` of each folder from the root of the work tree down to `cwd`, the user's, in `~/.claude` and
 * `~/.troupe`, and the administrator's. A skill is stronger than a command of its name. A file that cannot be used is left out, with a warning.
 *
 * @throws UsageError if `cwd` is missing
 * @example
 * const { skills, warnings } = await loadSkills({ cwd })
 * const troupe = createOrchestrator({ cwd, skills })
 */
export async function loadSkills(options: LoadSkillsOptions): Promise<LoadedSkills> {
  const { plugins: _, ...loaded } = await loadSkillsAndPlugins(options);
  return loaded;
}

/** A folder of skills that has the manifest of a plugin. */
export type SkillPlugin = {
  /** Absolute path. */
  readonly folder: string;
  /** The folder belongs to the project, not to the user. */
  readonly isPlanted: boolean;
  /** The folder is the user's, or in the folder that agents work in. */
  readonly isHere: boolean;
};

/** Read the skills of a folder, and find the plugins in the same folders. The `SKILL.md` of such a plugin is a skill, too. */
export async function loadSkillsAndPlugins(
  options: LoadSkillsOptions,
): Promise<LoadedSkills & { readonly plugins: readonly SkillPlugin[] }> {
  const checked = requireTexts('loadSkills', options, ['cwd']);
  const { isTrusted = () => true } = checked;
  return followingLinks((follows) => loadFolders(checked, follows), isTrusted);
}

/** @param followsLinks whether links may lead out of the project */
async function loadFolders(
  options: LoadSkillsOptions,
  followsLinks: boolean,
): Promise<LoadedSkills & { readonly plugins: readonly SkillPlugin[] }> {
  const folders = skillFolders(options, followsLinks);
  const ofFolders = folders.map(findSkills);
  const read = await readFound([...folders.map(findCommands), ...ofFolders], options);
  return {
    ...read,
    plugins: folders.flatMap(({ path, source }, index) => {
      const isOfProject = source === 'projectSettings';
      const isHere = !isOfProject || dirname(path) === options.cwd;
      return (ofFolders[index]?.plugins ?? []).map((folder) => ({
        folder,
        isPlanted: isOfProject,
        isHere,
      }));
    }),
  };
}

/** Read the skills of one folder of a project, in `.claude` and `.troupe`. */
export async function loadSkillsOf(
  folder: string,
  {
    roots,
    isTrusted,
  }: { readonly roots: readonly string[] } & Required<Pick<LoadSkillsOptions, 'isTrusted'>>,
): Promise<LoadedSkills> {
  const load = (followsLinks: boolean): Promise<LoadedSkills> => {
    const origin = { source: 'projectSettings', pluginInfo: undefined } as const;
    const found = PROJECT_FOLDERS.map((name) =>
      findSkills({
        ...origin,
        path: join(folder, name),
        roots: followsLinks ? undefined : roots,
      }),
    );
    return readFound(found, { isTrusted });
  };
  return followingLinks(load, isTrusted);
}

async function readFound(
  found: readonly FoundSkills[],
  { isTrusted = () => true }: Pick<LoadSkillsOptions, 'isTrusted'>,
): Promise<LoadedSkills> {
  const byName = new Map(
    found.flatMap(({ places }) => places.map((place) => [place.name, place] as const)),
  );
  const files = await readPlaces([...byName.values()]);
  const skills = files.flatMap(({ skill }) => (skill === undefined ? [] : [skill]));
  const needsTrust = skills.some(isPlanted) && !(await isTrusted());
  return {
    skills: needsTrust ? skills.map((skill) => (isPlanted(skill) ? weaken(skill) : skill)) : skills,
    warnings: [
      ...found.flatMap(({ warnings }) => warnings),
      ...files.flatMap(({ warnings }) => warnings),
      ...(needsTrust ? describeWeakened(skills) : []),
    ],
    notes: describeUnknown(files.flatMap(({ unknown = [] }) => unknown)),
  };
}

const PROJECT_FOLDERS = ['.claude', '.troupe'];

/** The skills that are not plugins: a plugin in a folder of skills has its own. */
export function withoutPlugins({
  skills,
  plugins,
}: {
  readonly skills: readonly Skill[];
  readonly plugins: readonly SkillPlugin[];
}): readonly Skill[] {
  const roots = plugins.flatMap(({ folder, isHere }) => (isHere ? [folder] : []));
  if (roots.length === 0) return skills;
  return skills.filter(({ skillRoot = '' }) => !roots.includes(skillRoot));
}

const MOST_NAMES = 8;

/** Sum up the unknown fields of all skills in one line. */
function describeUnknown(fields: readonly string[]): readonly string[] {
  const names = [...new Set(fields)].sort();
  if (names.length === 0) return [];
  return [`Fields of skills without effect: ${nameSome(names, MOST_NAMES)}.`];
}

/** The folders that may have skills, weakest first. */
function skillFolders(
  { cwd, env = process.env, sources = CONTEXT_SOURCES, additionalFolders = [] }: LoadSkillsOptions,
  followsLinks: boolean,
): readonly SkillFolder[] {
  const user = userFolders(env);
  const own = [user.claude, user.troupe];
  const around = [...additionalFolders, ...foldersDownTo(cwd, findWorkTree(cwd) ?? cwd)];
  const planted = sources.includes('project')
    ? around.flatMap((folder) =>
        PROJECT_FOLDERS.map((name) => ({
          path: join(folder, name),
          source: 'projectSettings' as const,
          roots: followsLinks ? undefined : realRoots(folder),
        })),
      )
    : [];
  const personal = sources.includes('user')
    ? own.map((path) => ({ path, source: 'userSettings' as const, roots: undefined }))
    : [];
  const managed = managedOwnFolders(env).map((path) => ({
    path,
    source: 'policySettings' as const,
    roots: undefined,
  }));
  return [...planted.filter(({ path }) => !own.includes(path)), ...personal, ...managed];
}

/** A folder without skills loads no code that reads them. */
async function readPlaces(places: readonly SkillPlace[]): Promise<readonly SkillFile[]> {
  if (places.length === 0) return [];
  const { readSkills } = await import('./read-skills.js');
  return readSkills(places);
}

function isPlanted({ source }: Skill): boolean {
  return source === 'projectSettings';
}

/** Without trust a skill of the project is a text. */
function weaken(skill: Skill): Skill {
  return { ...skill, allowedTools: [], hooks: undefined, withoutCommands: 'untrusted' };
}

function describeWeakened(skills: readonly Skill[]): readonly string[] {
  const names = skills
    .filter((skill) => isPlanted(skill) && skill.allowedTools.length > 0)
    .map(({ name }) => name);
  const hooked = skills
    .filter((skill) => isPlanted(skill) && skill.hooks !== undefined)
    .map(({ name }) => name);
  const remedy = 'To apply it: troupe trust, or --trust for one run.';
  const describe = (what: string, list: readonly string[]): readonly string[] =>
    list.length === 0
      ? []
      : [`This folder is not trusted, so ${what}: ${list.join(', ')}. ${remedy}`];
  return [
    ...describe('"allowed-tools" of these skills allows nothing', names),
    ...describe('the hooks of these skills do not run', hooked),
  ];
}
