import { z } from 'zod';
import type { Skill } from '../../core/commands/command.js';
import { isEnabled } from '../../core/commands/find-skill.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { matchesWildcard } from '../../core/text/wildcard.js';
import { allowCoordination } from '../allow-coordination.js';
import { completeTool } from '../complete-tool.js';
import { ToolInputError } from '../tool-input-error.js';
import type { ToolUseContext } from '../tool.js';
import { describeSkills } from './describe-skills.js';

const MOST_ARGS = 100_000;

export const SkillInput = z.strictObject({
  skill: z.string().trim().min(1).describe('Name of the skill, without a slash'),
  args: z.string().max(MOST_ARGS).optional().describe('Arguments of the skill'),
});

export const SkillOutput = z.lazy(() =>
  z.object({
    success: z.literal(true),
    commandName: z.string(),
    status: z.enum(['inline', 'loaded', 'forked']),
    /** Rules that allow tool calls until the next prompt; absent for none. */
    allowedTools: z.array(z.string()).readonly().optional(),
    /** The model until the next prompt, if the skill has one. */
    model: z.string().optional(),
    /** The answer of the sub-agent; absent for `inline`. */
    result: z.string().optional(),
    /** The agent that did the work; absent for `inline`. */
    agentId: z.string().optional(),
  }),
);
export type SkillOutput = Readonly<z.infer<typeof SkillOutput>>;

/** Characters of the list of skills if the size of the context window is unknown, as published. */
export const SKILL_BUDGET_CHARS = 8_000;

/** Loads the text of a skill into the conversation, or gives it to a sub-agent. */
export const SkillTool = completeTool<typeof SkillInput, SkillOutput>({
  name: 'Skill',
  searchHint: 'use a skill or slash command of the user',
  alwaysLoad: true,
  inputSchema: SkillInput,
  outputSchema: SkillOutput,
  maxResultSizeChars: 100_000,
  isEnabled: ({ hasSkills }) => hasSkills === true,
  permissionTarget: ({ skill }) => ({ kind: 'name', name: toName(skill) }),
  preparePermissionMatcher: ({ skill }) => {
    const name = toName(skill);
    return Promise.resolve((content: string) => matchesSkill(content, name));
  },
  toAutoClassifierInput: ({ skill, args = '' }) => `/${skill} ${args}`,
  description: ({ skill }) => `Use the skill ${toName(skill)}`,
  prompt: ({ skills = [], skillBudget = SKILL_BUDGET_CHARS, maxDescriptionChars }) =>
    promptWith(describeSkills(skills, skillBudget, maxDescriptionChars)),
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: contentOf(output),
  }),

  validateInput({ skill }, context) {
    const problem = problemOf(toName(skill), context);
    return Promise.resolve(
      problem === undefined ? { result: true } : { result: false, message: problem },
    );
  },

  checkPermissions({ skill }, context) {
    const found = findSkill(toName(skill), context);
    return found === undefined || found.allowedTools.length > 0
      ? Promise.resolve({ behavior: 'passthrough' })
      : allowCoordination('loads a text that allows nothing by itself');
  },

  async call({ skill: given, args = '' }, context) {
    const name = toName(given);
    const problem = problemOf(name, context);
    const skill = findSkill(name, context);
    if (problem !== undefined || skill === undefined)
      throw new ToolInputError('Skill', problem ?? `There is no skill "${name}".`);
    const { useSkill } = await import('./use-skill.js'); // a session without skills does not need it
    return useSkill(skill, args, context);
  },
});

/** Rules write `name`, `/name`, `name *` for any arguments, and `prefix:*` for every name that begins so. */
function matchesSkill(content: string, name: string): boolean {
  const rule = toName(content);
  if (rule.endsWith(':*')) return name.startsWith(rule.slice(0, -':*'.length));
  return matchesWildcard(rule.replace(/\s+\*$/, ''), name);
}

function toName(text: string): string {
  return text.trim().replace(/^\//, '');
}

function findSkill(name: string, { session }: ToolUseContext): Skill | undefined {
  return session.skills?.all.find((skill) => skill.name === name);
}

/** Why a model cannot use a skill of this name. */
function problemOf(name: string, context: ToolUseContext): string | undefined {
  const all = context.session.skills?.all ?? [];
  const found = findSkill(name, context);
  if (found?.disableModelInvocation === true && !(found.userInvocable && isEnabled(found)))
    return `The skill "${name}" is switched off. Do not do its work in another way.`;
  if (found?.disableModelInvocation === true)
    return `Only the user uses the skill "${name}". Do not do its work in another way: tell the user to type /${name}.`;
  if (found !== undefined && isEnabled(found)) return undefined;
  if (found !== undefined) return `The skill "${name}" cannot be used at present.`;
  const names = all.filter((one) => !one.disableModelInvocation).map((one) => one.name);
  const nearest = names.find((one) => one.endsWith(`:${name}`)) ?? nearestName(name, names);
  const hint =
    nearest === undefined ? 'The list of skills has their names.' : `Did you mean ${nearest}?`;
  return `There is no skill "${name}". ${hint}`;
}

function contentOf({ commandName, status, result = '' }: SkillOutput): string {
  switch (status) {
    case 'inline':
      return `The skill ${commandName} is loaded. Its text follows.`;
    case 'loaded':
      return `The skill ${commandName} is loaded already: its text above still holds.`;
    case 'forked':
      return result === '' ? '(The agent of the skill ended without a text.)' : result;
    default:
      return status satisfies never;
  }
}

function promptWith(list: string): string {
  return `Uses a skill: instructions for a kind of task, which the user keeps in a file.

- If a skill fits the task, use it before you do anything else for the task. Its text comes into the conversation; follow it.
- skill is a name from the list below; args are its arguments, in one text.
- Skills for some files only are not in the list: you read of them when you use such a file.
- If the user writes /name, the user means the skill of that name. If its text is in the conversation already, follow it and do not load it again.

Skills:
${list === '' ? '(none yet)' : list}`;
}
