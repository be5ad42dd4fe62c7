import { z } from 'zod';
import { strictObject } from '../../core/text/strict-object.js';

/**
 * What a script is made of. The same schema validates files, is published as JSON schema, and types what a program
 * passes. How a script plays is told in `play-script.ts`.
 */
const Pattern = z
  .string()
  .refine(isRegExp, { error: ({ input }) => regExpProblem(String(input)) })
  .meta({ format: 'regex' });

const ScriptedToolUse = strictObject({
  name: z.string().min(1).describe('Name of the tool'),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its input; ${name} in a string stands for a captured value or a variable'),
});

const replyFields = {
  thinking: z.string().optional().describe('A thinking block before everything else'),
  text: z.string().optional().describe('A text block; ${name} as in a tool input'),
  tools: z.array(ScriptedToolUse).optional().describe('Tool uses, after the text'),
  stopReason: z
    .string()
    .min(1)
    .optional()
    .describe('tool_use where there are tools and end_turn otherwise, unless given'),
  delayMs: z.number().nonnegative().optional().describe('Wait before the first event'),
  chunk: strictObject({
    chars: z.int().positive().describe('Characters a delta'),
    delayMs: z.number().nonnegative().describe('Wait before each delta'),
  })
    .optional()
    .describe('Streams text and inputs in pieces instead of at once'),
};

/** What the scripted model answers to one request. */
export const ScriptedReply = strictObject(replyFields);
export type ScriptedReply = DeepReadonly<z.infer<typeof ScriptedReply>>;

export const ScriptWhen = strictObject({
  user: Pattern.optional().describe('Matches a text block that came in since the last reply'),
  toolResult: Pattern.optional().describe('Matches the text of a tool result since the last reply'),
  tool: z.string().min(1).optional().describe('That result comes from the tool of this name'),
  isError: z.boolean().optional().describe('That result is an error, or is none'),
  seen: z
    .array(Pattern)
    .min(1)
    .optional()
    .describe('Each matches a text or a result anywhere in the conversation so far'),
});
export type ScriptWhen = DeepReadonly<z.infer<typeof ScriptWhen>>;

export const ScriptStep = strictObject({
  when: ScriptWhen.optional().describe('When the step may be taken; always where absent'),
  ...replyFields,
  repeat: z.boolean().optional().describe('The step is not used up'),
}).refine((step) => [step.text, step.thinking, step.tools].some((part) => part !== undefined), {
  error: 'a step needs text, thinking or tools',
});
export type ScriptStep = DeepReadonly<z.infer<typeof ScriptStep>>;

export const ScriptRole = strictObject({
  agent: z.string().min(1).optional().describe("The agent's type"),
  name: z.string().min(1).optional().describe("The agent's own name"),
  prompt: Pattern.optional().describe('Matches the first message of the conversation'),
  steps: z.array(ScriptStep).describe('What it answers'),
});
export type ScriptRole = DeepReadonly<z.infer<typeof ScriptRole>>;

/** What the scripted model answers: replies for each agent. */
export const Script = strictObject({
  $schema: z.string().optional().describe('For editors'),
  version: z.literal(1),
  agents: z
    .array(ScriptRole)
    .min(1)
    .describe(
      'The first entry that fits an agent plays it; one without conditions fits every agent',
    ),
});
export type Script = DeepReadonly<z.infer<typeof Script>>;

/**
 * The JSON schema of a script file, as published in `schemas/`.
 *
 * @internal
 */
export function scriptJsonSchema(): object {
  return { title: 'Script of a scripted model', ...z.toJSONSchema(Script) };
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

function isRegExp(source: string): boolean {
  return regExpProblem(source) === undefined;
}

function regExpProblem(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
