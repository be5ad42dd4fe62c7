import { describe, expect, it } from 'vitest';
import { findRequestProblem } from '../../src/testing/check-request.js';

const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });

function problemOf(messages: readonly object[], more: object = {}): string | undefined {
  return findRequestProblem({ model: 'm', max_tokens: 1, messages, ...more });
}

describe('findRequestProblem', () => {
  it('takes a conversation with tools', () => {
    const messages = [
      user(text('go')),
      assistant(text('ok'), use('a'), use('b')),
      user(result('b'), result('a'), text('and')),
      user(text('more')),
      assistant(use('c')),
      user(result('c')),
    ];
    const tools = [{ name: 'Read', description: '', input_schema: { type: 'object' } }];
    expect(
      problemOf(messages, { tools, system: [text('be terse')], stream: true }),
    ).toBeUndefined();
  });

  it.each<[RegExp, readonly object[], object?]>([
    [/at least one message/, []],
    [/first message/, [assistant(text('hi'))]],
    [/0: all messages must have non-empty content/, [user()]],
    [/0: all messages must have non-empty content/, [{ role: 'user', content: '' }]],
    [/non-whitespace/, [user(text(' '))]],
    [/unknown role/, [{ role: 'tool', content: 'x' }]],
    [/messages\.0\.uuid: Extra inputs/, [{ ...user(text('x')), uuid: '1' }]],
    [
      /without `tool_result`.*: b$/,
      [user(text('x')), assistant(use('a'), use('b')), user(result('a'))],
    ],
    [/without `tool_result`.*: a$/, [user(text('x')), assistant(use('a'))]],
    [/unexpected `tool_use_id`.*: z$/, [user(result('z'))]],
    [/single result/, [user(text('x')), assistant(use('a')), user(result('a'), result('a'))]],
    [/must come before/, [user(text('x')), assistant(use('a')), user(text('y'), result('a'))]],
    [/unique \(a\)/, [user(text('x')), assistant(use('a'), use('a')), user(result('a'))]],
    [/tool_use blocks are not allowed in user/, [user(use('a'))]],
    [/valid dictionary/, [user(text('x')), assistant({ ...use('a'), input: 'x' })]],
    [/signature/, [user(text('x')), assistant({ type: 'thinking', thinking: '' })]],
    [/opaque/, [user(text('x')), assistant({ type: 'opaque', raw: {} })]],
    [/temperature/, [user(text('x'))], { temperature: 1 }],
    [/top_k/, [user(text('x'))], { top_k: 1 }],
    [/novelty: Extra inputs/, [user(text('x'))], { novelty: 1 }],
    [/max_tokens/, [user(text('x'))], { max_tokens: 0 }],
    [/model/, [user(text('x'))], { model: undefined }],
    [/system\.0/, [user(text('x'))], { system: [text('')] }],
    [/tools\.0\.name/, [user(text('x'))], { tools: [{ name: 'a b' }] }],
    [
      /tools\.0\.description: .* valid string/,
      [user(text('x'))],
      { tools: [{ name: 'a', description: {}, input_schema: { type: 'object' } }] },
    ],
    [/input_schema/, [user(text('x'))], { tools: [{ name: 'a', input_schema: {} }] }],
    [
      /Tool names must be unique/,
      [user(text('x'))],
      { tools: ['a', 'a'].map((name) => ({ name, input_schema: { type: 'object' } })) },
    ],
    [
      /maximum of 4 blocks/,
      [user(...Array.from({ length: 5 }, () => ({ ...text('x'), cache_control: { type: 'e' } })))],
    ],
  ])('finds %s', (problem, messages, more) => {
    expect(problemOf(messages, more)).toMatch(problem);
  });

  it('refuses a body that is no object', () => {
    expect(findRequestProblem(undefined)).toBe('the body is not a JSON object');
  });
});
