import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminalPrompt } from '../../../src/cli/terminal/plain/terminal-place.js';
import { fakeOutput } from '../../support/outputs.js';
import { parseChoice } from '../../../src/cli/approval/terminal-questions.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { AgentId, RequestId, TaskId } from '../../../src/core/ids.js';

const OPTIONS = [
  { label: 'npm', description: 'comes with Node' },
  { label: 'pnpm', description: '' },
];
const WHICH = { question: 'Which one?', header: 'Manager', options: OPTIONS, multiSelect: false };
const MORE = { question: 'What else?', header: 'More', options: OPTIONS, multiSelect: true };

/** An ask of these questions, and what a person types to it. */
async function answer(input: Record<string, unknown>, typed: string) {
  const stdin = new PassThrough();
  const output = fakeOutput({ isTTY: false });
  const request: PermissionRequest = {
    type: 'permission.request',
    requestId: 'ask_000000000001' as RequestId,
    kind: 'question',
    toolName: 'AskUserQuestion',
    toolUseId: 'toolu_1',
    input,
    description: 'Which one?',
    message: 'Which one?',
    suggestions: [],
    facts: undefined,
    agentId: 'aada-0123456789abcdef' as AgentId,
    agent: {
      id: 'aada-0123456789abcdef' as AgentId,
      name: 'ada',
      type: 'worker',
      description: 'Build it',
    },
    taskId: 'a00000001' as TaskId,
    from: 'work',
    path: [],
    at: 0,
  };
  const { signal } = new AbortController();
  const asked = createTerminalPrompt(stdin, output.writer)(request, { signal });
  stdin.end(typed);
  return { answer: await asked, shown: output.text() };
}

describe('questions at the terminal', () => {
  it('are shown with numbered options, and answered one after the other', async () => {
    const input = { questions: [WHICH, MORE] };
    const { answer: given, shown } = await answer(input, '2\n1, 2\n');
    expect(given).toEqual({
      behavior: 'allow',
      updatedInput: {
        ...input,
        answers: { 'Which one?': 'pnpm', 'What else?': ['npm', 'pnpm'] },
      },
    });
    expect(shown).toBe(
      [
        '',
        'ada (worker, Build it) asks:',
        '  [Manager] Which one?',
        '    1 npm: comes with Node',
        '    2 pnpm',
        '    3 something else',
        '  a number, or your own words · - gives no answer',
        '>   [More] What else?',
        '    1 npm: comes with Node',
        '    2 pnpm',
        '    3 something else',
        '  numbers, such as 1,2, or your own words · - gives no answer',
        '> ',
      ].join('\n'),
    );
  });

  it('take the words of the person, also a number by way of the last option', async () => {
    const { answer: first } = await answer({ questions: [WHICH] }, 'yarn, please\n');
    expect(first).toMatchObject({ updatedInput: { answers: { 'Which one?': 'yarn, please' } } });
    const { answer: second } = await answer({ questions: [WHICH] }, '3\n42\n');
    expect(second).toMatchObject({ updatedInput: { answers: { 'Which one?': '42' } } });
  });

  it('are asked again until there is an answer', async () => {
    const { answer: given, shown } = await answer({ questions: [WHICH] }, '\n9\n1,2\n1\n');
    expect(given).toMatchObject({ updatedInput: { answers: { 'Which one?': 'npm' } } });
    expect(shown.split('> ')).toHaveLength(5);
  });

  it('may be left without an answer', async () => {
    expect((await answer({ questions: [WHICH, MORE] }, '1\n-\n')).answer).toEqual({
      behavior: 'deny',
    });
    expect((await answer({ questions: [WHICH] }, '')).answer).toEqual({
      behavior: 'deny',
      message: 'The terminal was closed: nobody can be asked.',
    });
  });

  it('of another shape are asked for as any use of a tool', async () => {
    const { answer: given, shown } = await answer({ what: 'else' }, 'y\n');
    expect(given).toEqual({ behavior: 'allow' });
    expect(shown).toContain('ada (worker, Build it) asks to use AskUserQuestion');
  });
});

describe('parseChoice', () => {
  it.each([
    ['1', WHICH, ['npm']],
    ['NPM', WHICH, ['npm']],
    ['2 1', MORE, ['pnpm', 'npm']],
    ['1,1', MORE, ['npm']],
    ['3', WHICH, 'own words'],
    ['1,3', MORE, undefined],
    ['0', WHICH, undefined],
    ['1 2', WHICH, undefined],
    ['', WHICH, undefined],
    ['1 of them', WHICH, ['1 of them']],
  ])('reads %j', (text, question, chosen) => {
    expect(parseChoice(text, question)).toEqual(chosen);
  });
});
