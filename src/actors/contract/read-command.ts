import { parseCompactCommand } from '../../context/compaction/compact-command.js';
import type { CommandBase, McpPrompt, Skill } from '../../core/commands/command.js';
import { findSkill, isEnabled, isListed } from '../../core/commands/find-skill.js';
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { checkWords, findLocalCommand, LOCAL_COMMAND_NAMES } from './local-commands.js';
import type { PromptContent } from './session-start.js';

/** A command that a person has typed instead of a prompt. */
export type TypedCommand =
  | { readonly kind: 'compact'; readonly instructions: string | undefined }
  | {
      readonly kind: 'skill';
      /** Several in `/one /two args`: each gets the same arguments. */
      readonly skills: readonly [Skill, ...Skill[]];
      readonly args: string;
    }
  | {
      /** A prompt of an MCP server. */
      readonly kind: 'mcp';
      readonly name: string;
      readonly args: string;
    }
  | { readonly kind: 'local'; readonly name: string; readonly args: string };

/**
 * Read a line that begins with a slash and a name. A path with more slashes is a prompt, and so is a line that begins
 * with a blank.
 *
 * @param skills of the session; without them every line but `/compact` is a prompt
 * @param more names of `others` for suggestions, and the commands that Troupe or a program carries out
 * @returns undefined for a prompt
 * @throws UsageError for an unknown command, for a skill that only a model uses, or for words behind a command that takes
 *   none
 */
export function readCommand(
  content: PromptContent,
  skills: readonly Skill[] | undefined,
  {
    others = [],
    local: ofProgram = [],
  }: { readonly others?: readonly string[]; readonly local?: readonly CommandBase[] } = {},
): TypedCommand | undefined {
  const compact = parseCompactCommand(content);
  if (compact !== undefined) return { kind: 'compact', instructions: compact.instructions };
  const nested = readNested(lineOf(content), skills ?? []);
  if (nested !== undefined) return nested;
  const [, name, args = ''] = skills === undefined ? [] : (COMMAND.exec(lineOf(content)) ?? []);
  if (name === undefined || skills === undefined) return undefined;
  const own = findOwn(ofProgram, name);
  if (own !== undefined) return { kind: 'local', name: own.name, args: args.trim() };
  const local = findLocalCommand(name);
  const found = findSkill(skills, name);
  const skill = local === undefined || isStronger(found) ? found : undefined;
  if (skill?.userInvocable === true)
    return { kind: 'skill', ...stackSkills(skill, args.trim(), skills) };
  if (skill !== undefined)
    throw new UsageError(
      `Only the model uses the skill "${name}". Say in words what it should do. ${AS_TEXT}`,
    );
  if (local === undefined && skills.some((one) => one.name === name && one.file !== undefined))
    throw new UsageError(`The skill "${name}" is switched off: see /skills. ${AS_TEXT}`);
  if (/^mcp__.+__./.test(name)) return { kind: 'mcp', name, args: args.trim() };
  if (local !== undefined) {
    checkWords(local, args.trim());
    return { kind: 'local', name: local, args: args.trim() };
  }
  const listed = ofProgram.filter(isListed).map((one) => one.name);
  const names = [
    ...new Set([...others, ...listed, ...LOCAL_COMMAND_NAMES, ...commandNames(skills)]),
  ];
  const nearest = names.find((one) => one.endsWith(`:${name}`)) ?? nearestName(name, names);
  const hint = nearest === undefined ? describeNames(names) : `Did you mean /${nearest}?`;
  throw new UsageError(`There is no command /${name}. ${hint} ${AS_TEXT}`);
}

/** Whether a skill replaces a command of Troupe with its name. Skills of a folder that is not trusted do not. */
export function isStronger(skill: Skill | undefined): boolean {
  if (skill?.userInvocable !== true || !isEnabled(skill)) return false;
  return skill.withoutCommands !== 'untrusted';
}

/** Find a command of a program by its name or an alias. */
export function findOwn<Own extends CommandBase>(
  commands: readonly Own[],
  word: string,
): Own | undefined {
  return commands.find(
    (command) =>
      (command.name === word || command.aliases?.includes(word) === true) && isEnabled(command),
  );
}

/** Read `/folder:name args`, a skill of a folder below that of the session. */
function readNested(line: string, skills: readonly Skill[]): TypedCommand | undefined {
  const [, name = '', args = ''] = /^\/(\S+\/\S*:\S+)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  const skill = skills.find((one) => one.name === name && one.userInvocable);
  return skill && { kind: 'skill', skills: [skill], args: args.trim() };
}

/** Most skills behind the first one of a line, as published. */
const MOST_STACKED = 5;

/** Split the skills at the beginning of the arguments off. Only skills without a sub-agent stack. */
function stackSkills(
  first: Skill,
  args: string,
  all: readonly Skill[],
): { readonly skills: readonly [Skill, ...Skill[]]; readonly args: string } {
  const stacked: Skill[] = [];
  let rest = args;
  while (first.context === 'inline' && stacked.length < MOST_STACKED) {
    const [, name, more = ''] = COMMAND.exec(rest) ?? [];
    const next = name === undefined ? undefined : findSkill(all, name);
    if (next?.userInvocable !== true || next.context !== 'inline') break;
    stacked.push(next);
    rest = more.trim();
  }
  return { skills: [first, ...stacked], args: rest };
}

/** Whether a line has the form of a command, known or not. */
export function isTypedCommand(content: PromptContent): boolean {
  return COMMAND.test(lineOf(content));
}

/** The names of everything that a person can type after a slash, once each. */
export function commandNamesOf(
  skills: readonly Skill[] | undefined,
  prompts: readonly McpPrompt[] = [],
  ofProgram: readonly CommandBase[] = [],
): readonly string[] {
  const own =
    skills === undefined ? ['compact'] : [...LOCAL_COMMAND_NAMES, ...commandNames(skills)];
  const usable = ofProgram.filter(isEnabled).map(({ name }) => name);
  return [...new Set([...own, ...usable, ...prompts.map(({ name }) => name)])];
}

/** The names of the skills and commands that a person can type. */
function commandNames(skills: readonly Skill[]): readonly string[] {
  return skills.filter((skill) => skill.userInvocable && isEnabled(skill)).map(({ name }) => name);
}

const COMMAND = /^\/([\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u;
const AS_TEXT = 'To send the line as a prompt, put a blank in front of it.';
const MOST_NAMES = 10;

/** The line that a person may have typed: empty for a prompt of several parts. */
export function lineOf(content: PromptContent): string {
  if (typeof content === 'string') return content;
  const [first, ...others] = content;
  return first?.type === 'text' && others.length === 0 ? first.text : '';
}

function describeNames(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).map((name) => `/${name}`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `There are: ${first.join(', ')}${more}.`;
}
