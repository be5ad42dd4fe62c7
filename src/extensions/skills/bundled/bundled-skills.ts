import type { Skill } from '../../../core/commands/command.js';
import { WITHOUT_FRONTMATTER } from '../../../core/commands/without-frontmatter.js';
import type { BundledTexts } from './bundled-texts.js';

/**
 * The skills that are part of Troupe. Only people use them, so they take no place in requests. A skill of a file
 * replaces one of its name.
 */
export const BUNDLED_SKILLS: readonly Skill[] = [
  bundled('init', 'writes a CLAUDE.md for this folder', 'INIT', 'reading the project'),
  bundled(
    'review',
    'reviews changes: of the work tree, a branch or a pull request',
    'REVIEW',
    'reviewing the changes',
    '[WHAT]',
  ),
  bundled(
    'security-review',
    'looks for weaknesses in changes: of the work tree, a branch or a pull request',
    'SECURITY_REVIEW',
    'looking for weaknesses',
    '[WHAT]',
  ),
];

function bundled(
  name: string,
  description: string,
  text: keyof BundledTexts,
  progressMessage: string,
  argumentHint?: string,
): Skill {
  return {
    type: 'prompt',
    name,
    description,
    argumentHint,
    progressMessage,
    loadedFrom: 'bundled',
    source: 'builtin',
    hasUserSpecifiedDescription: true,
    disableModelInvocation: true,
    userInvocable: true,
    ...WITHOUT_FRONTMATTER,
    async getPromptForCommand(args) {
      const { BUNDLED_TEXTS } = await import('./bundled-texts.js');
      const words = args === '' ? [] : [`ARGUMENTS: ${args}`];
      return [BUNDLED_TEXTS[text], ...words].map((one) => ({ type: 'text', text: one }));
    },
  };
}
