import type { Skill } from '../../core/commands/command.js';

/** Most characters of one description, as published. */
const MOST_DESCRIPTION = 1_536;
/** With fewer characters a description says nothing. */
const LEAST_DESCRIPTION = 20;

/** The skills that a model may use by itself. */
export function skillsForModel(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
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
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const frame = entries.reduce((sum, { name }) => sum + name.length + FRAME_CHARS, 0);
  const most = longestText(
    entries.map(({ text }) => text.length),
    budget - frame,
  );
  const lines = entries.map(({ name, text }) =>
    text === '' || (most < LEAST_DESCRIPTION && text.length > most)
      ? `- ${name}`
      : `- ${name}: ${cut(text, most)}`,
  );
  return withinBudget(lines, budget).join('\n');
}

/** `- `, `: ` and the end of the line. */
const FRAME_CHARS = 5;

function textOf(
  { description, whenToUse = '', paths, folder }: Omit<Skill, 'file'>,
  most = MOST_DESCRIPTION,
): string {
  const files = [
    ...(paths.length === 0 ? [] : [`like ${paths.join(', ')}`]),
    ...(folder === undefined ? [] : [`in ${folder}`]),
  ].join(' ');
  const text = cut([description, whenToUse].join(' ').replace(/\s+/g, ' ').trim(), most);
  return files === '' ? text : `${text} (for files ${files})`.trim();
}

/** The length that texts are cut to, so that all of them together fit: short texts stay whole. */
function longestText(lengths: readonly number[], room: number): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  let left = Math.max(0, room);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

function withinBudget(lines: readonly string[], budget: number): readonly string[] {
  let used = 0;
  const kept = lines.findIndex((line) => (used += line.length + 1) > budget);
  if (kept === -1) return lines;
  return [...lines.slice(0, kept), `(${lines.length - kept} more skills are not listed)`];
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).trimEnd()}…`;
}
