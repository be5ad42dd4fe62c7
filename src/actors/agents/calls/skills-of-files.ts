import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { TextBlock } from '../../../core/messages.js';
import { isInside } from '../../../files/is-inside.js';
import { isForSomeFiles } from '../../../tools/skills/describe-skills.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import type { SkillSettings } from '../../options/settings.js';
import type { Caller } from '../parts/caller.js';
import type { ToolWithInput } from './call.js';

/** Return the skills for the files that a call has used, as far as the conversation does not have them. */
export type SkillsOfFiles = (
  call: ToolWithInput,
  context: ToolUseContext,
) => Promise<readonly TextBlock[]> | undefined;

/**
 * Make the function that names skills when an agent uses files that they are for: those with patterns, and those of
 * folders below that of the session, which it loads. They come behind results, so that no earlier part of a request
 * changes.
 */
export function createSkillsOfFiles(
  caller: Caller,
  { settings, relist }: { readonly settings: SkillSettings; readonly relist: () => void },
): SkillsOfFiles {
  const { cwd } = settings;
  return ({ tool, input }, { files: { cwd: from, projectRoot } }) => {
    const target = tool?.permissionTarget?.(input);
    if (target?.kind !== 'paths') return undefined;
    const paths = target.paths
      .map(({ path }) => resolve(from, path))
      .map((path) => (isInside(path, projectRoot) ? join(cwd, relative(projectRoot, path)) : path));
    const folders = unseenFolders(settings, paths);
    if (folders.length === 0 && !(settings.skills ?? []).some(isForSomeFiles)) return undefined;
    return import('./name-skills.js').then(({ nameSkills }) =>
      nameSkills({ caller, settings, relist }, paths, folders),
    );
  };
}

/**
 * Load the skills of folders below that of the session again that a resumed conversation names.
 *
 * @returns undefined if it names none
 */
export function restoreSkillsOfFiles(
  caller: Pick<Caller, 'conversation' | 'stepContext'>,
  settings: SkillSettings,
): Promise<unknown> | undefined {
  const paths = caller.conversation.results.instructions
    .list()
    .filter((path) => path.endsWith('SKILL.md'));
  const folders = unseenFolders(settings, paths);
  if (folders.length === 0) return undefined;
  return import('./name-skills.js').then(({ addSkillsOf }) =>
    addSkillsOf(folders, settings, caller),
  );
}

/** The folders with skills below that of the session, down to the given files, that nobody has looked into. */
function unseenFolders(
  { cwd, liveFiles, nested }: SkillSettings,
  paths: readonly string[],
): readonly string[] {
  if (liveFiles === undefined || nested === undefined) return [];
  return paths
    .flatMap((path) => foldersBelow(cwd, dirname(path)))
    .filter((folder) => nested.claim(folder) && hasSkills(folder));
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
