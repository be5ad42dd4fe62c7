import { dirname, resolve } from 'node:path';
import type { TextBlock } from '../../../core/messages.js';
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
  services: { readonly settings: SkillSettings; readonly relist: () => void },
): SkillsOfFiles {
  const { settings } = services;
  return ({ tool, input }, { files }) => {
    const target = tool?.permissionTarget?.(input);
    if (target?.kind !== 'paths') return undefined;
    const paths = target.paths.map(({ path }) => resolve(files.cwd, path));
    const isBelow = (path: string): boolean => dirname(path) !== settings.cwd;
    if (!paths.some(isBelow) && !(settings.skills ?? []).some(isForSomeFiles)) return undefined;
    return import('./name-skills.js').then(({ nameSkills }) =>
      nameSkills(caller, services, paths, files),
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
  const paths = caller.conversation.results.instructions.list();
  if (!paths.some((path) => path.endsWith('SKILL.md'))) return undefined;
  return import('./name-skills.js').then(({ addSkillsFor }) =>
    addSkillsFor(paths, settings, caller),
  );
}
