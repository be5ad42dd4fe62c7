import type { PermissionBehavior } from '../../core/permission-types.js';
import { matchesWildcard } from '../../core/text/wildcard.js';

/**
 * Whether the tool position of a rule covers a tool. Names are case-sensitive; `mcp__server` covers every tool of the
 * server. A `*` works in rules that deny or ask; a rule that allows may use it only behind a whole server name
 * (`mcp__server__get_*`), so that nothing is allowed by accident. A rule that denies or asks may name a server as its
 * configuration does (`mcp__my.server`), although names of tools spell such characters `_`.
 */
export function matchesToolName(
  pattern: string,
  toolName: string,
  behavior: PermissionBehavior,
): boolean {
  if (pattern === toolName) return true;
  if (behavior === 'allow') {
    if (pattern.includes('*'))
      return /^mcp__[^*]+__/.test(pattern) && matchesWildcard(pattern, toolName);
    return SERVER.test(pattern) && toolName.startsWith(`${pattern}__`);
  }
  const meant = pattern.startsWith('mcp__') ? inToolNames(pattern) : pattern;
  if (meant.includes('*')) return matchesWildcard(meant, toolName);
  return meant === toolName || (meant.startsWith('mcp__') && toolName.startsWith(`${meant}__`));
}

/** No name of a server holds `__`: a name with `__` is a tool, and names of tools may share a beginning. */
const SERVER = /^mcp__(?:(?!__).)+$/;

/** Spell a name in a rule as names of tools of MCP servers are spelled. */
export function inToolNames(pattern: string): string {
  return pattern.normalize('NFC').replaceAll(/[^0-9A-Za-z_*-]/g, '_');
}
