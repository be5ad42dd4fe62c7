import type { Skill } from '../../core/commands/command.js';
import { given } from '../../core/json/given.js';
import type { ScopedRules } from '../../core/permission-types.js';

/** The placeholders for folders in the text and in the rules of a skill. */
export function foldersOfSkill(
  { skillRoot, pluginInfo }: Skill,
  { projectRoot }: { readonly projectRoot: string },
): Readonly<Record<string, string>> {
  return given({
    CLAUDE_PROJECT_DIR: projectRoot,
    CLAUDE_SKILL_DIR: skillRoot,
    CLAUDE_PLUGIN_ROOT: pluginInfo?.path,
    CLAUDE_PLUGIN_DATA: pluginInfo?.dataFolder,
  });
}

/** The rules of a skill for tool calls, with its placeholders of folders filled in. */
export function rulesOfSkill(
  skill: Skill,
  place: { readonly projectRoot: string },
): Required<Pick<ScopedRules, 'allow' | 'deny'>> {
  const folders = foldersOfSkill(skill, place);
  const fill = (rule: string): string =>
    rule.replace(
      /\$\{(CLAUDE_(?:SKILL|PROJECT|PLUGIN)_(?:DIR|ROOT|DATA))\}/g,
      (whole, name: string) => folders[name] ?? whole,
    );
  return {
    allow: skill.allowedTools.flatMap((rule) => [fill(rule), ...quotedForms(rule).map(fill)]),
    deny: skill.disallowedTools.map(fill),
  };
}

/** A rule for a program in a folder of the skill, as commands write it whose folder may have blanks: in quotes. */
function quotedForms(rule: string): readonly string[] {
  const quoted = rule.replace(/^(Bash\()(\$\{\w+\}[^\s:*"'()$`\\]*)(?=\)|:\*|\s)/, '$1"$2"');
  return quoted === rule ? [] : [quoted];
}
