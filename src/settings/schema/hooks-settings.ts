import { z } from 'zod';
import { isRecord } from '../../core/json/is-record.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { isHookEvent } from './hook-events.js';

/** A hook that is a shell command. Unknown fields are kept, without effect. */
export type CommandHook = {
  readonly type: 'command';
  /** Command line for bash, in the folder of the session. It gets the event as JSON on stdin. */
  readonly command: string;
  /** Arguments, word by word. With them `command` is a program, and no shell is started. */
  readonly args?: readonly string[] | undefined;
  /** Variables in addition to those of the session. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True: nothing waits for the command. The agent's next message brings its `additionalContext`. */
  readonly async?: boolean | undefined;
  /** True: as `async`, and exit code 2 wakes the agent with stderr. */
  readonly asyncRewake?: boolean | undefined;
  /** Shell of the command line; `bash` if absent. */
  readonly shell?: 'bash' | 'powershell' | undefined;
  /** Seconds that the command may take; 600 if absent. */
  readonly timeout?: number | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  /** True: the hook runs once in a session. */
  readonly once?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const CommandHook = z.lazy(() =>
  z.looseObject({
    type: z.literal('command'),
    command: z.string().min(1).describe('Runs in bash, with the event as JSON on stdin.'),
    args: z
      .array(z.string())
      .optional()
      .describe('If present, `command` is a program and these are its arguments, one each.'),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe('Variables in addition to those of the session.'),
    async: z
      .boolean()
      .optional()
      .describe('True: nothing waits for the hook, and it decides nothing.'),
    asyncRewake: z
      .boolean()
      .optional()
      .describe('True: as async, and exit code 2 wakes the agent with stderr.'),
    shell: z.enum(['bash', 'powershell']).optional(),
    timeout: z.number().positive().optional().describe('Seconds; 600 if absent.'),
    if: z
      .string()
      .superRefine((text, context) => {
        const parsed = parseRule(text);
        if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
      })
      .optional()
      .describe('A rule: the hook runs only for tool calls that the rule matches.'),
    once: z.boolean().optional().describe('True: the hook runs once in a session.'),
  }),
) satisfies z.ZodType<CommandHook>;

/** The fields of every kind of hook. */
function commonFields() {
  const { timeout, if: rule, once } = CommandHook.unwrap().shape;
  return { timeout, if: rule, once };
}

/** A hook that is a request to an HTTP server. */
export type HttpHook = {
  readonly type: 'http';
  /** Address that gets the event as JSON, by POST. */
  readonly url: string;
  /** Headers; `$NAME` in a value is an environment variable that `allowedEnvVars` names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Environment variables that headers may have; any other one is empty. */
  readonly allowedEnvVars?: readonly string[] | undefined;
  /** Seconds that the answer may take; 600 if absent. */
  readonly timeout?: number | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  /** True: the hook runs once in a session. */
  readonly once?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const HttpHook = z.lazy(() =>
  z.looseObject({
    type: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).optional(),
    allowedEnvVars: z.array(z.string()).optional(),
    ...commonFields(),
  }),
) satisfies z.ZodType<HttpHook>;

/** A hook that is a question to a small model. */
export type PromptHook = {
  readonly type: 'prompt';
  /** The question; `$ARGUMENTS` in it is the event as JSON, which otherwise follows. */
  readonly prompt: string;
  /** Model ID or alias; the small model if absent. */
  readonly model?: string | undefined;
  /** Seconds that the answer may take; 30 if absent. */
  readonly timeout?: number | undefined;
  /** True: if the condition does not hold, the agent gets the reason and continues; otherwise its turn ends. */
  readonly continueOnBlock?: boolean | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  /** True: the hook runs once in a session. */
  readonly once?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const PromptHook = z.lazy(() =>
  z.looseObject({
    type: z.literal('prompt'),
    prompt: z.string().min(1),
    model: z.string().optional(),
    continueOnBlock: z
      .boolean()
      .optional()
      .describe('True: the agent gets the reason and continues, and its turn does not end.'),
    ...commonFields(),
  }),
) satisfies z.ZodType<PromptHook>;

/** A hook that is a question to a sub-agent, which may look into files. */
export type AgentHook = {
  readonly type: 'agent';
  /** The question; `$ARGUMENTS` in it is the event as JSON, which otherwise follows. */
  readonly prompt: string;
  /** Model ID or alias; the small model if absent. */
  readonly model?: string | undefined;
  /** Seconds that the answer may take; 60 if absent. */
  readonly timeout?: number | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  /** True: the hook runs once in a session. */
  readonly once?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const AgentHook = z.lazy(() =>
  PromptHook.unwrap()
    .omit({ continueOnBlock: true })
    .extend({ type: z.literal('agent') }),
) satisfies z.ZodType<AgentHook>;

/** A hook that is a call of a tool of an MCP server. */
export type McpToolHook = {
  readonly type: 'mcp_tool';
  /** Name of the server. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Input of the call; `${tool_input.file_path}` in a text is a field of the event. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds that the call may take; 600 if absent. */
  readonly timeout?: number | undefined;
  /** A rule such as `Bash(git *)`: the hook runs only for tool calls that match. */
  readonly if?: string | undefined;
  /** True: the hook runs once in a session. */
  readonly once?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const McpToolHook = z.lazy(() =>
  z.looseObject({
    type: z.literal('mcp_tool'),
    server: z.string().min(1),
    tool: z.string().min(1),
    input: z.record(z.string(), z.unknown()).optional(),
    ...commonFields(),
  }),
) satisfies z.ZodType<McpToolHook>;

/** A hook in settings. */
export type SettingsHook = CommandHook | HttpHook | PromptHook | AgentHook | McpToolHook;
export const SettingsHook = z.lazy(() =>
  z.discriminatedUnion('type', [CommandHook, HttpHook, PromptHook, AgentHook, McpToolHook]),
);

const Matcher = z.lazy(() =>
  z.string().superRefine((text, context) => {
    const problem = matcherProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  }),
);

/** Hooks for what a matcher names, such as tools, in a settings file. */
export type HookSettingsGroup = {
  /** Names with `|` between them, such as tools, or a regular expression; everything if absent. */
  readonly matcher?: string | undefined;
  /** Hooks to run, all at the same time. */
  readonly hooks: readonly SettingsHook[];
  /** `block`: a hook that fails counts as one that blocks. `continue` if absent. */
  readonly onFailure?: 'continue' | 'block' | undefined;
  readonly [field: string]: unknown;
};
const HookGroup = z.lazy(() =>
  z.looseObject({
    matcher: Matcher.optional().describe(
      'Names with | between them, such as tools, or a regular expression; everything if absent.',
    ),
    hooks: z.array(SettingsHook),
    onFailure: z.enum(['continue', 'block']).optional(),
  }),
) satisfies z.ZodType<HookSettingsGroup>;

/** The key `hooks` of a settings file: groups by event. Unknown events are kept, without their hooks. */
export const HooksSettings = z.lazy(() =>
  z.preprocess(emptyUnknown, z.record(z.string(), z.array(HookGroup))),
);

/** The hooks of an unknown event never run, whatever their form is. */
function emptyUnknown(found: unknown): unknown {
  if (!isRecord(found)) return found;
  const isEmpty = (groups: unknown): boolean => Array.isArray(groups) && groups.length === 0;
  return Object.fromEntries(
    Object.entries(found).map(([event, groups]) =>
      isHookEvent(event) || isEmpty(groups) ? [event, groups] : [event, [{ hooks: [] }]],
    ),
  );
}

/** Whether a matcher matches one of the names. */
export function matches(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (isListOfNames(matcher)) return namesIn(matcher).some((name) => names.includes(name));
  const pattern = new RegExp(matcher);
  return names.some((name) => pattern.test(name));
}

/** Whether a matcher is a list of whole names, and no regular expression. */
export function isListOfNames(matcher: string): boolean {
  return /^[\w|, -]+$/.test(matcher);
}

export function namesIn(matcher: string): readonly string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

/** Why a matcher is invalid; undefined if it is valid. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === '*') return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch (error) {
    return `"${matcher}" is not a valid matcher: ${(error as Error).message}`; // `RegExp` throws a SyntaxError
  }
}
