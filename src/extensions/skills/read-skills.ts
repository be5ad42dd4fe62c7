import { readPlantedFile } from '../../files/read-planted-file.js';
import { parseSkillFile, refuseSkillFile, type SkillFile } from './skill-file.js';
import type { SkillPlace } from './skill-place.js';

/** Largest file of a skill: more would fill the context window of a model. */
const MAX_BYTES = 500_000;

/** Read the skills of files, each file once: a link to a file that was read already is left out. */
export async function readSkills(places: readonly SkillPlace[]): Promise<readonly SkillFile[]> {
  const seen = new Set<string>();
  const files: SkillFile[] = [];
  for (const place of places) files.push(await readSkill(place, seen));
  return files;
}

/** @param seen files that were read already, after all links */
async function readSkill(place: SkillPlace, seen: Set<string>): Promise<SkillFile> {
  const read = readPlantedFile(place.file, { roots: place.roots, maxBytes: MAX_BYTES });
  if (read.status === 'missing')
    return place.kind === 'skill'
      ? { warnings: [] } // a folder without a skill
      : refuseSkillFile(place.file, 'it is a link to nothing');
  if (read.status === 'unusable') return refuseSkillFile(place.file, read.why);
  if (seen.has(read.path)) return { warnings: [] };
  seen.add(read.path);
  const file = await parseSkillFile(read.text, place);
  if (read.isUtf8 || file.skill === undefined) return file;
  const warning = `${place.file}: the file is not UTF-8: some of its letters are lost. Save it as UTF-8.`;
  return { ...file, warnings: [warning, ...file.warnings] };
}
