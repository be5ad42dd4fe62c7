import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Skill } from '../../../core/commands/command.js';
import { isInside } from '../../../files/is-inside.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import type { Settings } from '../../options/settings.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Caller } from '../parts/caller.js';
import type { Call } from './call.js';

/**
 * Add the skills of folders below that of the session once a call has used a file there.
 *
 * @returns undefined if there is nothing to add
 */
export function addNestedSkills(
  { stepContext }: Pick<Caller, 'stepContext'>,
  { settings, relist }: { readonly settings: Settings; readonly relist: () => void },
  { tool, input }: Pick<Call, 'tool' | 'input'>,
  { files }: ToolUseContext,
): Promise<void> | undefined {
  const { cwd, liveFiles, nested } = settings;
  if (liveFiles === undefined || nested === undefined) return undefined;
  const target = tool?.permissionTarget?.(input);
  if (target?.kind !== 'paths') return undefined;
  const folders = target.paths
    .flatMap(({ path }) => foldersBelow(cwd, dirname(resolve(files.cwd, path))))
    .filter((folder) => nested.claim(folder) && hasSkills(folder));
  if (folders.length === 0) return undefined;
  const add = async (): Promise<void> => {
    for (const folder of folders) {
      const { skills, warnings } = await liveFiles.skillsIn(folder);
      for (const problem of warnings)
        emitFrom(stepContext, { type: 'instructions.problem', args: [problem] });
      if (skills.length === 0) continue;
      const known = new Set((settings.skills ?? []).map(({ name }) => name));
      nested.add(skills.map((skill) => named(skill, known, relative(cwd, folder))));
      relist();
    }
  };
  return add();
}

function hasSkills(folder: string): boolean {
  return ['.claude', '.troupe'].some((name) => isFolder(join(folder, name, 'skills')));
}

/** Two skills of one name both stay: the one below has its folder in front. */
function named(skill: Skill, known: ReadonlySet<string>, folder: string): Skill {
  return known.has(skill.name) ? { ...skill, name: `${folder}:${skill.name}` } : skill;
}

/** The folders from below `top` down to `folder`; none if it is not inside. */
function foldersBelow(top: string, folder: string): readonly string[] {
  if (folder === top || !isInside(folder, top)) return [];
  return [...foldersBelow(top, dirname(folder)), folder];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
