import type { PermissionBehavior } from '../core/permission-types.js';
import { matchesWildcard } from '../core/text/wildcard.js';

/**
 * Whether the tool position of a rule covers a tool. Names are case-sensitive; `mcp__server` covers every tool of the
 * server. A `*` works in rules that deny or ask; a rule that allows may use it only behind a whole server name
 * (`mcp__server__get_*`), so that nothing is allowed by accident.
 */
export function matchesToolName(
  pattern: string,
  toolName: string,
  behavior: PermissionBehavior,
): boolean {
  if (pattern === toolName) return true;
  if (pattern.includes('*')) {
    if (behavior === 'allow' && !/^mcp__[^*]+__/.test(pattern)) return false;
    return matchesWildcard(pattern, toolName);
  }
  return pattern.startsWith('mcp__') && toolName.startsWith(`${pattern}__`);
}
