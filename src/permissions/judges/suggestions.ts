import type { PermissionUpdate } from '../../core/permission-types.js';
import type { PathFact } from '../paths/path-fact.js';
import { formatRule, parseRule } from '../rules/rule.js';
import { wideCommandPattern } from '../shell/texts/wide-pattern.js';

/**
 * Updates that would permanently answer an ask, the narrowest first; each of them suffices. Empty if no rule could. The
 * code that decides takes out suggestions that would not change the decision.
 */
export type Suggestions = readonly PermissionUpdate[];

type Rules = Extract<PermissionUpdate, { type: 'addRules' }>;

/** Longer commands hardly come again. */
const MAX_COMMAND_LENGTH = 500;
/** Most rules of one suggestion; nobody reads more. */
const MAX_RULES = 5;

/**
 * Suggest exactly this command, or, for a few commands with harmless arguments, any arguments.
 *
 * @param texts the command, and the same command without its wrappers
 */
export function suggestCommand(
  toolName: string,
  texts: readonly string[],
  needsExactRule: boolean,
): Suggestions {
  const exact = texts[0] ?? '';
  const suggestions: PermissionUpdate[] = [];
  // a `*` would be a wildcard, a blank at the end would be cut off, a newline cannot be shown in one line
  const canBeRule = !/[*\n]|^\s|\s$/.test(exact) && exact !== '';
  if (canBeRule && exact.length <= MAX_COMMAND_LENGTH)
    suggestions.push(allow(toolName, exact, 'localSettings'));
  const wide = needsExactRule ? undefined : wideCommandPattern(texts.at(-1) ?? '');
  if (wide !== undefined) suggestions.push(allow(toolName, wide, 'localSettings'));
  return suggestions;
}

/** A file, then its folder if the folder allows little more; or a folder that is read whole. */
export function suggestRead(path: string, isFolder: boolean, home: string): Suggestions {
  if (path === '/' || path === home || /[*?[\]]/.test(path)) return [];
  if (isFolder) return [allow('Read', `/${path}/**`, 'session')];
  const file = allow('Read', `/${path}`, 'session');
  const folder = folderOf(path);
  return allowsLittle(folder, home) ? [file, allow('Read', `/${folder}/**`, 'session')] : [file];
}

export function suggestWrite(path: string, isInside: boolean): Suggestions {
  const file = /[*?[\]]/.test(path) ? [] : [allow('Edit', `/${path}`, 'session')];
  return isInside
    ? [...file, { type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
    : file;
}

/** For more files than anybody reads rules of: their folder if it allows little more, otherwise the tool. */
export function suggestForMany(
  toolName: string,
  paths: readonly Pick<PathFact, 'lexical' | 'access'>[],
  home: string,
): Suggestions {
  const folder = paths.map(({ lexical }) => folderOf(lexical)).reduce(commonFolder);
  if (/[*?[\]]/.test(folder) || !allowsLittle(folder, home))
    return [allow(toolName, undefined, 'session')];
  const tools = new Set(paths.map(({ access }) => (access === 'read' ? 'Read' : 'Edit')));
  const rules = [...tools].map((tool) => ({ toolName: tool, ruleContent: `/${folder}/**` }));
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function commonFolder(one: string, other: string): string {
  const [parts, others] = [one.split('/'), other.split('/')];
  const end = parts.findIndex((part, index) => part !== others[index]);
  return parts.slice(0, end === -1 ? parts.length : end).join('/');
}

/** Whether a folder is neither hidden, with keys and tokens perhaps, nor around the home folder, nor at the top. */
function allowsLittle(folder: string, home: string): boolean {
  const isWide = folder.lastIndexOf('/') <= 0 || `${home}/`.startsWith(`${folder}/`);
  return !isWide && !folder.includes('/.');
}

export function suggestTool(toolName: string, name: string | undefined): Suggestions {
  if (name !== undefined && (name.includes('*') || name.trim() === '')) return [];
  if (!parseRule(toolName).ok || toolName.includes('*')) return [];
  return [allow(toolName, name, 'localSettings')];
}

/** Suggestions that cover several parts at once: the narrowest rule of each, and the widest of each if that differs. */
export function suggestTogether(parts: readonly Suggestions[]): Suggestions {
  if (parts.length <= 1) return parts[0] ?? [];
  const rules = parts.map((part) => part.filter(isRules));
  const narrow = join(rules.map((part) => part[0]));
  const wide = join(rules.map((part) => part.at(-1)));
  if (narrow === undefined || wide === undefined) return [];
  return JSON.stringify(narrow) === JSON.stringify(wide) ? [narrow] : [narrow, wide];
}

/** Undefined if one part has no suggestion, or if there are too many rules to read. */
function join(updates: readonly (Rules | undefined)[]): Rules | undefined {
  const known = updates.filter((update) => update !== undefined);
  if (known.length < updates.length) return undefined;
  const all = known.flatMap((update) => update.rules);
  const rules = [...new Map(all.map((rule) => [formatRule(rule), rule])).values()];
  if (rules.length > MAX_RULES) return undefined;
  const lasts = known.every(({ destination }) => destination === 'localSettings');
  return {
    type: 'addRules',
    rules,
    behavior: 'allow',
    destination: lasts ? 'localSettings' : 'session',
  };
}

function isRules(update: PermissionUpdate): update is Rules {
  return update.type === 'addRules';
}

function allow(
  toolName: string,
  ruleContent: string | undefined,
  destination: 'localSettings' | 'session',
): PermissionUpdate {
  const rule = ruleContent === undefined ? { toolName } : { toolName, ruleContent };
  return { type: 'addRules', rules: [rule], behavior: 'allow', destination };
}
