import type { PermissionUpdate } from '../../api/types.js';
import { formatRule, parseRuleList } from '../../api/permissions/permissions.js';
import { quoted } from '../../api/text.js';

/** The flag that makes an update, ready for a shell. */
export function toFlag(update: PermissionUpdate): string {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const rules = update.rules.map(formatRule);
      return isList(rules)
        ? `--allowedTools ${quoted(rules.join(','))}`
        : `--settings ${quoted(JSON.stringify({ permissions: { allow: rules } }))}`;
    }
    case 'setMode':
      return `--permission-mode ${update.mode}`;
    case 'addDirectories':
    case 'removeDirectories':
      return `--add-dir ${update.directories.map(quoted).join(' ')}`;
    default:
      return update satisfies never;
  }
}

/** Whether the flag reads the rules unchanged: with an open parenthesis a rule ends too late. */
function isList(rules: readonly string[]): boolean {
  try {
    const read = parseRuleList(rules.join(','), '--allowedTools');
    return read.length === rules.length && read.every((rule, index) => rule === rules[index]);
  } catch {
    return false;
  }
}
