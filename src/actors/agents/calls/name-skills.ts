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
 * Load the skills of folders, and name those that are for one of the paths and new to the conversation, one a block.
 *
 * @param paths of the used files, absolute, as if the agent worked in the folder of the session
 * @param folders with skills below that of the session
 */
export async function nameSkills(
  {
    caller,
    settings,
    relist,
  }: { readonly caller: Caller; readonly settings: SkillSettings; readonly relist: () => void },
  paths: readonly string[],
  folders: readonly string[],
): Promise<readonly TextBlock[]> {
  if (await addSkillsOf(folders, settings, caller)) relist();
  if (!caller.tools.some(({ name }) => name === 'Skill')) return [];
  const { instructions } = caller.conversation.results;
  return (settings.skills ?? [])
    .filter((skill) => isOffered(skill) && paths.some(isFor(skill, settings.cwd)))
    .filter(({ name, file = name }) => instructions.claim(file))
    .map(({ name, file = name, ...skill }) =>
      textBlock(remind(file, `${NEW_SKILL}\n${describeSkill({ name, ...skill })}`)),
    );
}

const NEW_SKILL = 'A skill for files like this one, which the tool Skill loads by its name:';

/** Load the skills of folders below that of the session. Resolves with whether there were any. */
export async function addSkillsOf(
  folders: readonly string[],
  settings: SkillSettings,
  { stepContext }: Pick<Caller, 'stepContext'>,
): Promise<boolean> {
  const { cwd, liveFiles, nested } = settings;
  let hasAdded = false;
  for (const folder of folders) {
    const { skills = [], warnings = [] } = (await liveFiles?.skillsIn(folder)) ?? {};
    for (const problem of warnings)
      emitFrom(stepContext, { type: 'instructions.problem', args: [problem] });
    if (skills.length === 0) continue;
    const known = new Set((settings.skills ?? []).map(({ name }) => name));
    nested?.add(skills.map((skill) => placed(skill, known, relative(cwd, folder))));
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
