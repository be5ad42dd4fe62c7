import { regExpProblem } from '../../core/text/reg-exp-problem.js';
import { z } from 'zod';
import { strictObject } from '../../core/text/strict-object.js';

/**
 * The schema of a script. The same schema validates files, is published as JSON schema, and types scripts of programs.
 * `play-script.ts` says how a script plays.
 */
const Pattern = z
  .string()
  .refine(isRegExp, { error: ({ input }) => regExpProblem(String(input)) })
  .meta({ format: 'regex' });

/** A tool call of the scripted model. */
type ScriptedToolCall = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly name: string;
  /** Input of the call; `{}` if absent. `${name}` in a text is a captured value or a variable. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
};
const ScriptedToolUse = z.lazy(() =>
  strictObject({
    name: z.string().min(1).describe('Name of the tool'),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Its input; ${name} in a string is replaced by a captured value or a variable'),
  }),
);

const replyFields = {
  thinking: z.string().optional().describe('A thinking block before everything else'),
  text: z.string().optional().describe('A text block; ${name} as in a tool input'),
  tools: z.array(ScriptedToolUse).optional().describe('Tool calls, after the text'),
  stopReason: z
    .string()
    .min(1)
    .optional()
    .describe('tool_use if there are tools and end_turn otherwise, unless given'),
  delayMs: z.number().nonnegative().optional().describe('Delay before the first event'),
  chunk: strictObject({
    chars: z.int().positive().describe('Characters in a delta'),
    delayMs: z.number().nonnegative().describe('Delay before each delta'),
  })
    .optional()
    .describe('Streams text and inputs in pieces instead of at once'),
};

/** Reply of a scripted model to one request. */
export type ScriptedReply = {
  /** A block of thinking, before everything else. */
  readonly thinking?: string | undefined;
  /** A block of text. `${name}` is a captured value or a variable. */
  readonly text?: string | undefined;
  /** Tool calls, after the text. */
  readonly tools?: readonly ScriptedToolCall[] | undefined;
  /** Why the reply ends; if absent, `tool_use` with tools and `end_turn` without. */
  readonly stopReason?: string | undefined;
  /** Wait before the first event, ms. */
  readonly delayMs?: number | undefined;
  /** Stream texts and inputs in pieces; at once if absent. */
  readonly chunk?: ScriptedChunks | undefined;
};
/** How a reply is cut into pieces. */
type ScriptedChunks = {
  /** Characters of each piece, at least 1. */
  readonly chars: number;
  /** Wait before each piece, ms. */
  readonly delayMs: number;
};
export const ScriptedReply = z.lazy(() =>
  strictObject(replyFields),
) satisfies z.ZodType<ScriptedReply>;

/** When a step may be taken: every condition must hold. Patterns are regular expressions of JavaScript. */
export type ScriptWhen = {
  /** Matches a text that came in since the last reply: a prompt, a message, a notification. */
  readonly user?: string | undefined;
  /** Matches the text of a tool result since the last reply. */
  readonly toolResult?: string | undefined;
  /** The result is of the tool with this name. */
  readonly tool?: string | undefined;
  /** Whether that result is an error. */
  readonly isError?: boolean | undefined;
  /** Each matches a text or a result anywhere in the conversation. */
  readonly seen?: readonly string[] | undefined;
};
export const ScriptWhen = z.lazy(() =>
  strictObject({
    user: Pattern.optional().describe('Matches a text block since the last reply'),
    toolResult: Pattern.optional().describe(
      'Matches the text of a tool result since the last reply',
    ),
    tool: z.string().min(1).optional().describe('That result comes from the tool of this name'),
    isError: z.boolean().optional().describe('That result is an error (true) or not (false)'),
    seen: z
      .array(Pattern)
      .min(1)
      .optional()
      .describe('Each matches a text or a result anywhere in the conversation so far'),
  }),
) satisfies z.ZodType<ScriptWhen>;

/** A reply, and when it is given. A step needs `text`, `thinking` or `tools`. */
export type ScriptStep = ScriptedReply & {
  /** When the step may be taken; always if absent. */
  readonly when?: ScriptWhen | undefined;
  /** True: the step can be taken any number of times. Otherwise it is taken once. */
  readonly repeat?: boolean | undefined;
};
export const ScriptStep = z.lazy(() =>
  strictObject({
    when: ScriptWhen.optional().describe('When the step matches; always if absent'),
    ...replyFields,
    repeat: z.boolean().optional().describe('The step is not used up'),
  }).refine((step) => [step.text, step.thinking, step.tools].some((part) => part !== undefined), {
    error: 'a step needs text, thinking or tools',
  }),
) satisfies z.ZodType<ScriptStep>;

/** The part of one agent, or of several. Conditions that are absent hold for every agent. */
export type ScriptRole = {
  /** Type of the agent; `main` for a main agent without a definition. */
  readonly agent?: string | undefined;
  /** Name that the agent was given at its start. */
  readonly name?: string | undefined;
  /** Matches the first message of the conversation. */
  readonly prompt?: string | undefined;
  /** Replies. Each request takes the first step that is not used up and whose `when` holds. */
  readonly steps: readonly ScriptStep[];
};
export const ScriptRole = z.lazy(() =>
  strictObject({
    agent: z.string().min(1).optional().describe("The agent's type"),
    name: z.string().min(1).optional().describe("The agent's own name"),
    prompt: Pattern.optional().describe('Matches the first message of the conversation'),
    steps: z.array(ScriptStep).describe('The replies'),
  }),
) satisfies z.ZodType<ScriptRole>;

/** Script of a scripted model: replies for each agent. */
export type Script = {
  /** Address of the JSON schema, for editors. Without effect. */
  readonly $schema?: string | undefined;
  readonly version: 1;
  /** Parts, at least one. The first one whose conditions hold plays an agent. */
  readonly agents: readonly ScriptRole[];
};
export const Script = z.lazy(() =>
  strictObject({
    $schema: z.string().optional().describe('For editors'),
    version: z.literal(1),
    agents: z
      .array(ScriptRole)
      .min(1)
      .describe(
        'The first entry that matches an agent answers for it; one without conditions matches every agent',
      ),
  }),
) satisfies z.ZodType<Script>;

/**
 * The JSON schema of a script file, as published in `schemas/`.
 *
 * @internal
 */
export function scriptJsonSchema(): object {
  return { title: 'Script of a scripted model', ...z.toJSONSchema(Script) };
}

function isRegExp(source: string): boolean {
  return regExpProblem(source) === undefined;
}
