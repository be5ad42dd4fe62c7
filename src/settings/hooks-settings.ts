import { z } from 'zod';
import { parseRule } from '../permissions/rule.js';

/** The events whose hooks run. */
export const HOOK_EVENTS = ['PreToolUse', 'PermissionRequest'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Published events that never fire here and deny nothing: a session without their hooks is no less protected. */
export const WATCHING_EVENTS = [
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'InstructionsLoaded',
  'MessageDisplay',
  'Notification',
  'PermissionDenied',
  'PostCompact',
  'PostModelSwitch',
  'PostToolUse',
  'PostToolUseFailure',
  'SessionEnd',
  'SessionStart',
  'Setup',
  'StopFailure',
  'SubagentStart',
  'TaskCompleted', // what it may refuse is an entry of a to-do list, which changes nothing by itself
  'TaskCreated',
  'WorktreeRemove',
] as const;

/** The events of the published hooks; those that are not in {@link HOOK_EVENTS} have no effect. */
export const PUBLISHED_HOOK_EVENTS = [
  ...HOOK_EVENTS,
  ...WATCHING_EVENTS,
  'ConfigChange',
  'Elicitation',
  'ElicitationResult',
  'PostToolBatch',
  'PreCompact',
  'PreModelSwitch',
  'Stop',
  'SubagentStop',
  'TeammateIdle',
  'UserPromptExpansion',
  'UserPromptSubmit',
  'WorktreeCreate',
] as const;

/** A hook that is a shell command. Unknown fields are kept, without effect. */
export type CommandHook = {
  readonly type: 'command';
  /** Command line for bash, in the folder of the session. It gets the event as JSON on stdin. */
  readonly command: string;
  /** Arguments, word by word. With them `command` is a program, and no shell is started. */
  readonly args?: readonly string[] | undefined;
  /** True: the command is not waited for, and decides nothing. */
  readonly async?: boolean | undefined;
  /** Seconds that the command may take; 600 if absent. */
  readonly timeout?: number | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  readonly [field: string]: unknown;
};
export const CommandHook = z.looseObject({
  type: z.literal('command'),
  command: z.string().min(1).describe('Runs in bash, with the event as JSON on stdin.'),
  args: z
    .array(z.string())
    .optional()
    .describe(
      'Where it is there, `command` is a program and these are its arguments, word by word.',
    ),
  async: z.boolean().optional().describe('True: it is not waited for, and decides nothing.'),
  timeout: z.number().positive().optional().describe('Seconds; 600 where absent.'),
  if: z
    .string()
    .superRefine((text, context) => {
      const parsed = parseRule(text);
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
    })
    .optional()
    .describe('A rule: it runs only for uses that the rule matches.'),
}) satisfies z.ZodType<CommandHook>;

/** Kept, and without effect. */
const OtherHook = z.looseObject({ type: z.enum(['http', 'mcp_tool', 'prompt', 'agent']) });

const Matcher = z.string().superRefine((text, context) => {
  const problem = matcherProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const HookGroup = z.looseObject({
  matcher: Matcher.optional().describe(
    'Names of tools with | between them, or a regular expression; every tool where absent.',
  ),
  hooks: z.array(z.discriminatedUnion('type', [CommandHook, OtherHook])),
});

/** The key `hooks` of a settings file: groups by event. Events that are not known are kept. */
export const HooksSettings = z.record(z.string(), z.array(HookGroup));
export type HooksSettings = Readonly<z.infer<typeof HooksSettings>>;

/** Whether one of a tool's names is one that a matcher names. */
export function matchesTool(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (/^[\w|, -]+$/.test(matcher))
    return matcher.split(/[|,]/).some((name) => names.includes(name.trim()));
  const pattern = new RegExp(matcher);
  return names.some((name) => pattern.test(name));
}

/** Why a matcher is none; undefined where it is one. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === '*') return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch (error) {
    return `"${matcher}" is no matcher: ${(error as Error).message}`; // a SyntaxError
  }
}
