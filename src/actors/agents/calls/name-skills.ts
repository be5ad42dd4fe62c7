import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { matchGlobs } from '../../../context/memory/match-globs.js';
import { remind } from '../../../context/memory/render-memory.js';
import type { Skill } from '../../../core/commands/command.js';
import { isEnabled } from '../../../core/commands/find-skill.js';
import { textBlock, type TextBlock } from '../../../core/messages.js';
import { isInside } from '../../../files/is-inside.js';
import { describeSkill, isForSomeFiles } from '../../../tools/skills/describe-skills.js';
import type { SkillSettings } from '../../options/settings.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Caller } from '../parts/caller.js';

/**
 * Name the skills that are for one of the paths and new to the conversation, one a block. Those of folders below that of
 * the session are loaded.
 *
 * @param used absolute paths of files
 */
export async function nameSkills(
  caller: Caller,
  { settings, relist }: { readonly settings: SkillSettings; readonly relist: () => void },
  used: readonly string[],
  { projectRoot }: { readonly projectRoot: string },
): Promise<readonly TextBlock[]> {
  const { cwd } = settings;
  // a worktree has the skills of the folder of the session
  const paths = used.map((path) =>
    isInside(path, projectRoot) ? join(cwd, relative(projectRoot, path)) : path,
  );
  if (await addSkillsFor(paths, settings, caller)) relist();
  if (!caller.tools.some(({ name }) => name === 'Skill')) return [];
  const { instructions } = caller.conversation.results;
  return (settings.skills ?? [])
    .filter((skill) => isOffered(skill) && paths.some(isFor(skill, cwd)))
    .filter(({ name, file = name }) => instructions.claim(file))
    .map(({ name, file = name, ...skill }) =>
      textBlock(remind(file, `${NEW_SKILL}\n${describeSkill({ name, ...skill })}`)),
    );
}

const NEW_SKILL = 'A skill for files like this one, which the tool Skill loads by its name:';

/**
 * Load the skills of the folders below that of the session, down to the given files, into which nobody has looked.
 * Resolves with whether there were any.
 */
export async function addSkillsFor(
  paths: readonly string[],
  settings: SkillSettings,
  { stepContext }: Pick<Caller, 'stepContext'>,
): Promise<boolean> {
  const { cwd, liveFiles, nested } = settings;
  if (liveFiles === undefined || nested === undefined) return false;
  const folders = paths
    .flatMap((path) => foldersBelow(cwd, dirname(path)))
    .filter((folder) => nested.claim(folder) && hasSkills(folder));
  let hasAdded = false;
  for (const folder of folders) {
    const { skills, warnings } = await liveFiles.skillsIn(folder);
    for (const problem of warnings)
      emitFrom(stepContext, { type: 'instructions.problem', args: [problem] });
    if (skills.length === 0) continue;
    const known = new Set((settings.skills ?? []).map(({ name }) => name));
    nested.add(skills.map((skill) => placed(skill, known, relative(cwd, folder))));
    hasAdded = true;
  }
  return hasAdded;
}

/** Two skills of one name both stay: the one below has its folder in front. */
function placed(skill: Skill, known: ReadonlySet<string>, folder: string): Skill {
  const name = known.has(skill.name) ? `${folder}:${skill.name}` : skill.name;
  return { ...skill, name, folder };
}

function isOffered(skill: Skill): boolean {
  return isForSomeFiles(skill) && !skill.disableModelInvocation && isEnabled(skill);
}

/** Whether a skill is for a file. Its patterns begin in the folder that has `.claude`, or in that of the session. */
function isFor(
  { folder, paths, source, skillRoot }: Skill,
  cwd: string,
): (path: string) => boolean {
  const isOfProject = source === 'projectSettings' && skillRoot !== undefined;
  const root = isOfProject ? dirname(dirname(dirname(skillRoot))) : cwd;
  const place = folder === undefined ? root : join(cwd, folder);
  const matches = paths.length === 0 ? () => true : matchGlobs(paths);
  return (path) => isInside(path, place) && matches(relative(place, path));
}

function hasSkills(folder: string): boolean {
  return ['.claude', '.troupe'].some((name) => isFolder(join(folder, name, 'skills')));
}

/** The folders from below `top` down to `folder`; none if it is not inside. */
function foldersBelow(top: string, folder: string): readonly string[] {
  if (folder === top || !isInside(folder, top)) return [];
  return [...foldersBelow(top, dirname(folder)), folder];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
