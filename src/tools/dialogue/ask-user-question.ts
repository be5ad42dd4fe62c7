import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { ToolInputError } from '../tool-input-error.js';

const text = z.string().refine((value) => value.trim() !== '', 'it is empty');
const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const Question = z.object({
  question: text.describe('The whole question'),
  header: text.max(12).describe('The topic, in a word or two'),
  options: z
    .array(
      z.object({
        label: text.describe('The choice, in 1 to 5 words'),
        description: z.string().describe('What it means'),
      }),
    )
    .min(2)
    .max(4)
    .refine((options) => isDistinct(options.map(({ label }) => label)), 'two options are the same'),
  multiSelect: z.boolean().describe('Whether several may be chosen'),
});

export const AskUserQuestionInput = z.object({
  questions: z
    .array(Question)
    .min(1)
    .max(4)
    .refine(
      (questions) => isDistinct(questions.map(({ question }) => question)),
      'two questions are the same',
    ),
  answers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('Set by the approver: leave it out'),
});
export type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>;

export const AskUserQuestionOutput = z.lazy(() =>
  z.object({
    answers: z
      .array(z.object({ question: z.string(), answer: z.array(z.string()).readonly() }))
      .readonly(),
  }),
);
export type AskUserQuestionOutput = Readonly<z.infer<typeof AskUserQuestionOutput>>;

/**
 * Asks the person, in every mode except dontAsk. The answers come with the decision, as `answers` of the edited input,
 * by the text of the question. A model cannot supply them.
 */
export const AskUserQuestionTool = completeTool<typeof AskUserQuestionInput, AskUserQuestionOutput>(
  {
    name: 'AskUserQuestion',
    searchHint: 'let the person choose, clarify, decide',
    inputSchema: AskUserQuestionInput,
    outputSchema: AskUserQuestionOutput,
    askKind: 'question',
    requiresUserInteraction: () => true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => 'cancel',
    description: ({ questions }) => questions.map(({ question }) => question).join(' '),
    prompt: () => PROMPT,
    checkPermissions: ({ questions }) =>
      Promise.resolve({
        behavior: 'ask',
        message: questions.map(({ question }) => question).join('\n'),
        decisionReason: { type: 'other', reason: 'only a person can answer it' },
      }),
    present: ({ answers }) => ({ kind: 'question', answers }),
    mapToolResultToToolResultBlockParam: ({ answers }, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: `The user has answered:\n${answers.map(describeAnswer).join('\n')}`,
    }),

    validateInput({ answers }) {
      if (answers === undefined) return Promise.resolve({ result: true });
      const message = 'AskUserQuestion: answers come from the user. Leave the field out.';
      return Promise.resolve({ result: false, message });
    },

    call({ questions, answers = {} }) {
      const given = questions.map(({ question }) => ({
        question,
        answer: toList(Object.hasOwn(answers, question) ? answers[question] : undefined),
      }));
      if (given.some(({ answer }) => answer.length > 0))
        return Promise.resolve({ data: { answers: given } });
      const message =
        'AskUserQuestion: the question was allowed without an answer. Continue by your own judgement, or ask in your reply.';
      return Promise.reject(new ToolInputError('AskUserQuestion', message));
    },
  },
);

function toList(answer: string | readonly string[] | undefined): readonly string[] {
  const list = typeof answer === 'string' ? [answer] : (answer ?? []);
  return list.filter((one) => one.trim() !== '');
}

function describeAnswer({ question, answer }: AskUserQuestionOutput['answers'][number]): string {
  return `${question} → ${answer.length === 0 ? '(no answer)' : answer.join(', ')}`;
}

const PROMPT = `Asks the user questions that only they can decide, with options to choose from. They may always answer in their own words.

- Use it if the answer changes what you do. Find out yourself what you can find out.
- If you recommend an option, put it first and say so in its label.`;
