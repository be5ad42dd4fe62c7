import { describe, expect, it } from 'vitest';
import { AskUserQuestionTool } from '../../../src/tools/dialogue/ask-user-question.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const OPTIONS = [
  { label: 'npm', description: 'comes with Node' },
  { label: 'pnpm', description: 'saves space' },
];
const WHICH = { question: 'Which one?', header: 'Manager', options: OPTIONS, multiSelect: false };
const MORE = { question: 'What else?', header: 'More', options: OPTIONS, multiSelect: true };

const ask = (input: unknown) => runText(AskUserQuestionTool, input, createContext('/w'));

describe('AskUserQuestion', () => {
  it('tells each question with its answer, also in own words', async () => {
    const answers = { 'Which one?': 'yarn, please', 'What else?': ['npm', 'pnpm'] };
    expect(await ask({ questions: [WHICH, MORE], answers })).toBe(
      'The user has answered:\nWhich one? → yarn, please\nWhat else? → npm, pnpm',
    );
  });

  it('says where one was left open', async () => {
    const answers = { 'Which one?': ' ', 'What else?': 'npm' };
    expect(await ask({ questions: [WHICH, MORE], answers })).toContain('Which one? → (no answer)');
  });

  it.each([
    [undefined],
    [{}],
    [{ 'Another?': 'npm' }],
    [JSON.parse('{"__proto__":"x","constructor":"y"}')],
  ])('is an error if no answer came: %j', async (answers: unknown) => {
    const input = { questions: [WHICH], ...(answers !== undefined && { answers }) };
    await expect(ask(input)).rejects.toThrow('was allowed without an answer');
  });

  it('does not take an inherited value for an answer', async () => {
    const questions = [{ ...WHICH, question: 'constructor' }];
    await expect(ask({ questions, answers: {} })).rejects.toThrow('was allowed without an answer');
  });

  it('does not let the model bring answers', async () => {
    const input = { questions: [WHICH], answers: { 'Which one?': 'npm' } };
    expect(await AskUserQuestionTool.validateInput?.(input, createContext('/w'))).toEqual({
      result: false,
      message: 'AskUserQuestion: answers come from the user. Leave the field out.',
    });
  });

  it('asks whatever the rules are', async () => {
    const input = { questions: [WHICH, MORE] };
    expect(AskUserQuestionTool.requiresUserInteraction?.()).toBe(true);
    expect(await AskUserQuestionTool.checkPermissions(input, createContext('/w'))).toMatchObject({
      behavior: 'ask',
      message: 'Which one?\nWhat else?',
    });
  });

  it.each([
    [{ questions: [] }, 'questions must have at least 1 item'],
    [{ questions: Array.from({ length: 5 }, () => WHICH) }, 'questions must have at most 4 items'],
    [{ questions: [WHICH, WHICH] }, 'questions: two questions are the same'],
    [{ questions: [{ ...WHICH, options: OPTIONS.slice(1) }] }, 'options must have at least 2'],
    [{ questions: [{ ...WHICH, options: [OPTIONS[0], OPTIONS[0]] }] }, 'two options are the same'],
    [{ questions: [{ ...WHICH, header: 'much too long' }] }, 'header must have at most 12'],
    [{ questions: [{ ...WHICH, multiSelect: undefined }] }, 'questions[0].multiSelect is required'],
    [{ questions: [{ ...WHICH, question: '' }] }, 'questions[0].question: it is empty'],
  ])('refuses %j', async (input, message) => {
    expect(await parseInput(AskUserQuestionTool, input)).toEqual({
      ok: false,
      message: expect.stringContaining(message),
    });
  });
});
