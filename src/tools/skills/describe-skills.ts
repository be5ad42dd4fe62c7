import type { Skill } from '../../core/commands/command.js';
import { isAvailable } from '../../core/commands/find-skill.js';
import { cutText, listNames } from '../../core/text/list-names.js';

/** Most characters of one description, as published. */
const MOST_DESCRIPTION = 1_536;

/** The skills that a model may use by itself. */
export function skillsForModel(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter((skill) => !skill.disableModelInvocation && isAvailable(skill));
}

/** Whether the list lacks a skill: a model sees it when it uses a file that the skill is for. */
export function isForSomeFiles({ paths, folder }: Pick<Skill, 'folder' | 'paths'>): boolean {
  return paths.length > 0 || folder !== undefined;
}

/** The line of one skill. */
export function describeSkill(skill: Omit<Skill, 'file'>): string {
  return `- ${skill.name}: ${textOf(skill)}`;
}

/**
 * List the skills that a model may use for any file, one a line, in at most `budget` characters. If they need more, long
 * descriptions are cut first; if the names alone need more, the last ones are left out and counted.
 */
export function describeSkills(
  skills: readonly Skill[],
  budget: number,
  mostDescription = MOST_DESCRIPTION,
): string {
  const entries = skillsForModel(skills)
    .filter((skill) => !isForSomeFiles(skill))
    .map((skill) => ({
      name: skill.name,
      text: skill.isNameOnly === true ? '' : textOf(skill, mostDescription),
    }));
  return withinBudget(listNames(entries, budget), budget).join('\n');
}

function textOf(
  { description, whenToUse = '', paths, folder }: Omit<Skill, 'file'>,
  most = MOST_DESCRIPTION,
): string {
  const files = [
    ...(paths.length === 0 ? [] : [`like ${paths.join(', ')}`]),
    ...(folder === undefined ? [] : [`in ${folder}`]),
  ].join(' ');
  const text = cutText([description, whenToUse].join(' ').replace(/\s+/g, ' ').trim(), most);
  return files === '' ? text : `${text} (for files ${files})`.trim();
}

function withinBudget(lines: readonly string[], budget: number): readonly string[] {
  let used = 0;
  const kept = lines.findIndex((line) => (used += line.length + 1) > budget);
  if (kept === -1) return lines;
  return [...lines.slice(0, kept), `(${lines.length - kept} more skills are not listed)`];
}
