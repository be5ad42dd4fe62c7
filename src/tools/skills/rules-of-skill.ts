import type { Skill } from '../../core/commands/command.js';
import type { ScopedRules } from '../../core/permission-types.js';

/** The rules of a skill for tool calls, with its placeholders of folders filled in. */
export function rulesOfSkill(
  { allowedTools, disallowedTools, skillRoot }: Skill,
  { projectRoot }: { readonly projectRoot: string },
): Required<Pick<ScopedRules, 'allow' | 'deny'>> {
  const folders: Readonly<Record<string, string | undefined>> = {
    CLAUDE_PROJECT_DIR: projectRoot,
    CLAUDE_SKILL_DIR: skillRoot,
  };
  const fill = (rule: string): string =>
    rule.replace(
      /\$\{(CLAUDE_(?:SKILL|PROJECT)_DIR)\}/g,
      (whole, name: string) => folders[name] ?? whole,
    );
  return { allow: allowedTools.map(fill), deny: disallowedTools.map(fill) };
}
