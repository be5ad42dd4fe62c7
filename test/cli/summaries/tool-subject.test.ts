import { describe, expect, it } from 'vitest';
import { callLine } from '../../../src/cli/summaries/call-line.js';
import { inputSubject } from '../../../src/cli/summaries/tool-subject.js';

describe('the subject of a tool call', () => {
  it.each([
    ['a command', { command: 'ls', description: 'Look' }, 'ls'],
    [
      'the files of edits',
      { file_path: '/a', edits: [{ old_string: 'x' }, { file_path: '/b' }] },
      '/a, /b',
    ],
    [
      'the to-do list',
      {
        todos: [
          { content: 'Read it', status: 'completed' },
          { content: 'Repair it', status: 'pending' },
        ],
      },
      'Read it · Repair it',
    ],
    [
      'the questions',
      {
        questions: [
          { question: 'Which one?', options: [] },
          { question: 'When?', options: [] },
        ],
      },
      'Which one? · When?',
    ],
    ['a plan', { plan: '1. Read' }, '1. Read'],
    ['an entry without its text: the whole input', { todos: [{ id: 1 }] }, 'todos: [{"id":1}]'],
    ['an empty list: the whole input', { todos: [] }, 'todos: []'],
    ['an only text', { query: 'node 24' }, 'node 24'],
    ['another input: every field', { id: '3', rows: [1, 2] }, 'id: 3 · rows: [1,2]'],
    ['an empty input: nothing', {}, ''],
  ])('is %s', (_, input, subject) => {
    expect(inputSubject(input)).toBe(subject);
  });
});

it('names a call without an input', () => {
  expect(callLine('CronList', {}, 100)).toBe('CronList');
  expect(callLine('Bash', { command: 'npm\ntest' }, 100)).toBe('Bash: npm test');
});
