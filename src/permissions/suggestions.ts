import type { PermissionUpdate } from '../core/permission-types.js';
import { parseRule } from './rule.js';

/** Rules that would answer an ask for good, as narrow as is useful. Empty where no rule could. */

export function suggestCommands(
  toolName: string,
  texts: readonly string[],
): readonly PermissionUpdate[] {
  const rules = texts.map((ruleContent) => ({ toolName, ruleContent }));
  // a `*` would be a wildcard, a blank at the end would be cut off, a newline cannot be shown in one line
  const canBeRules = texts.every((text) => !/[*\n]|^\s|\s$|:\*$/.test(text) && text !== '');
  if (!canBeRules || texts.length === 0) return [];
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }];
}

export function suggestRead(path: string): readonly PermissionUpdate[] {
  const directory = path.slice(0, path.lastIndexOf('/'));
  if (directory === '' || /[*?[\]]/.test(path)) return [];
  const rules = [{ toolName: 'Read', ruleContent: `/${directory}/**` }];
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}

export function suggestWrite(path: string, isInside: boolean): readonly PermissionUpdate[] {
  if (isInside) return [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  if (/[*?[\]]/.test(path)) return [];
  const rules = [{ toolName: 'Edit', ruleContent: `/${path}` }];
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}

export function suggestTool(
  toolName: string,
  name: string | undefined,
): readonly PermissionUpdate[] {
  if (name !== undefined && (name.includes('*') || name.trim() === '')) return [];
  if (!parseRule(toolName).ok) return [];
  const rule = name === undefined ? { toolName } : { toolName, ruleContent: name };
  return [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'localSettings' }];
}
