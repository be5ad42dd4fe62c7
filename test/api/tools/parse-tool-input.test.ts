import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseToolInput } from '../../../src/api/tools/parse-tool-input.js';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { inputSchemaOf } from '../../../src/tools/pool/input-schema.js';

const Case = z.object({
  id: z.string(),
  tool: z.string(),
  input_json: z.string(),
  expect: z.enum(['accept', 'reject', 'safe']),
  why: z.string(),
});
const cases = readFileSync(new URL('../../fixtures/tool-input.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => Case.parse(JSON.parse(line)));

const tools = getAllBaseTools();
const names = tools.map(({ name }) => name);

describe('parseToolInput, with the inputs that models send', () => {
  it.each(cases.filter(({ tool }) => names.includes(tool)))(
    '$id: $expect, $why',
    ({ tool, input_json, expect: expected }) => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      const { success } = parseToolInput(tool, input_json);
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      const allowed = { accept: [true], reject: [false], safe: [true, false] }[expected];
      expect(allowed).toContain(success);
    },
  );
});

const NO_OBJECT: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['blanks', ' \n'],
  ['null', 'null'],
  ['a number', '5'],
  ['a string', '"{}"'],
  ['an array', '[]'],
  ['an array of an object', '[{}]'],
  ['a part of an object', '{"command":"ls"'],
  ['two objects', '{}{}'],
  ['an object and text', '{} ok'],
  ['an object in a fence', '```json\n{}\n```'],
  ['a byte order mark', '\uFEFF{}'],
  ['a trailing comma', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a key without quotes', '{a:1}'],
  ['a comment', '{} // done'],
  ['NaN', '{"a":NaN}'],
  ['a hexadecimal number', '{"a":0x10}'],
  ['a line break in a string', '{"a":"b\nc"}'],
  ['a wrong escape', '{"a":"\\x41"}'],
  ['half of an escape', '{"a":"\\u12"}'],
  ['an undefined value', '{"a":undefined}'],
];

/** A value of each type that is not the value of a field, with the text that a model might write for it. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, null, {}, ['a']],
  boolean: ['true', 'false', 1, 0, null, {}],
  number: ['5', '', true, null, [5], {}],
  integer: ['5', '', true, null, [5], {}, 1.5],
  array: ['a', {}, null, 5],
  object: ['{}', [], null, 5],
};

/** Each field of each tool, with values of other types. */
const WRONG_FIELDS = tools.flatMap((tool) =>
  Object.entries(inputSchemaOf(tool).properties ?? {}).flatMap(([field, schema]) => {
    const { type = '' } = z.looseObject({ type: z.string().optional() }).parse(schema);
    const values = WRONG[type];
    return values === undefined ? [] : [[tool.name, field, type, values] as const];
  }),
);

describe('parseToolInput', () => {
  it('gives the input that runs: fields of the schema, in no other form', () => {
    const text = '{"file_path":"a","limit":3,"more":[1],"file_path":"b"}';
    expect(parseToolInput('Read', text)).toEqual({
      success: true,
      data: { file_path: 'b', limit: 3 },
    });
  });

  it('takes an alias of a tool', () => {
    const text = '{"description":"d","prompt":"p","subagent_type":"t"}';
    expect(parseToolInput('Task', text)).toMatchObject({ success: true });
  });

  it.each(NO_OBJECT)('refuses %s for every tool', (_, text) => {
    for (const name of names)
      expect(parseToolInput(name, text)).toEqual({
        success: false,
        error: expect.stringMatching(
          new RegExp(
            `^${name}: the input is not a JSON object: .*Send one complete JSON object`,
            's',
          ),
        ),
      });
  });

  it.each(WRONG_FIELDS)('%s takes for %s only the type %s', (name, field, _, values) => {
    for (const value of values) {
      const result = parseToolInput(name, JSON.stringify({ [field]: value }));
      expect(result).toEqual({
        success: false,
        error: expect.stringMatching(
          new RegExp(`[:;] ${field}[^;]* (?:must|is required|cannot)`),
        ) as string,
      });
    }
  });

  it.each([
    ['Bash', '{"command":"ls","timeout":1e999}', 'timeout must be a finite number'],
    ['Bash', '{"command":"ls","timeout":-1}', 'timeout must be'],
    ['Read', '{"file_path":"a","limit":-1e999}', 'limit must be a finite number'],
    ['Read', '{"file_path":"a","offset":-1}', 'offset must be at least 0'],
    ['Read', '{"file_path":"a\\u0000"}', 'file_path: must not contain a NUL character'],
    ['Read', '{"file_path":"a\\ud800"}', 'file_path: must not contain half of a character'],
    ['Bash', '{"command":"ls\\u0000"}', 'command'],
    ['Grep', '{"pattern":"a\\u0000"}', 'pattern: must not contain a NUL character'],
    ['Read', '{"FILE_PATH":"a"}', 'file_path is required (a string). The input has: FILE_PATH'],
    ['Read', '{"__proto__":{"file_path":"a"}}', 'file_path is required'],
    ['Read', '{"constructor":{"prototype":{"file_path":"a"}}}', 'file_path is required'],
    [
      'MultiEdit',
      '{"edits":[{"file_path":"a","__proto__":{"old_string":"a","new_string":"b"}}]}',
      'edits[0].old_string is required',
    ],
  ])('%s refuses %s', (name, text, error) => {
    expect(parseToolInput(name, text)).toEqual({
      success: false,
      error: expect.stringContaining(error) as string,
    });
    expect(Object.prototype).not.toHaveProperty('file_path');
  });

  it('refuses an input that is nested too deep, and answers soon', () => {
    const deep = `{"file_path":"a","more":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
    expect(parseToolInput('Read', deep)).toEqual({
      success: false,
      error: expect.stringContaining('nested more than 500 deep') as string,
    });
  });

  it('takes a large text whole', () => {
    const content = 'grün\u{1F600}\n'.repeat(1e6);
    const text = JSON.stringify({ file_path: 'a', content });
    expect(parseToolInput('Write', text)).toEqual({
      success: true,
      data: { file_path: 'a', content },
    });
  });

  it.each([
    ['read', 'Did you mean Read?'],
    ['Multiedit', 'Did you mean MultiEdit?'],
    ['mcp__server__tool', 'There are: Agent, '],
    ['__proto__', 'There are: Agent, '],
    ['constructor', 'There are: Agent, '],
    ['', 'There are: Agent, '],
  ])('names the tools for the unknown name %j', (name, hint) => {
    expect(parseToolInput(name, '{}')).toEqual({
      success: false,
      error: expect.stringContaining(hint) as string,
    });
  });

  it.each([
    ['Reed', '{}', 'There is no built-in tool "Reed". Did you mean Read?'],
    ['Rea\nd', '{}', 'There is no built-in tool "Rea\\nd". Did you mean Read?'],
    [
      'x'.repeat(61),
      '{}',
      'There is no built-in tool with this name of 61 characters. There are: ',
    ],
    [undefined, undefined, 'The name of a tool must be a string, not nothing. There are: '],
    [5, '{}', 'The name of a tool must be a string, not the number 5. There are: '],
    [Object.create(null), '{}', 'The name of a tool must be a string, not an object. There are: '],
    ['Read', null, 'Read: the input is not a JSON object: it must be a JSON text, not null. Send'],
    [
      'Read',
      Object.create(null),
      'Read: the input is not a JSON object: it must be a JSON text, not an object. Send',
    ],
    ['Read', '[1]', 'Read: the input is not a JSON object: '],
    [
      'Write',
      '{"file_path":"","content":""}',
      'Write: file_path must have at least 1 character, not the string ""',
    ],
  ])('says of %j and %j what is wrong', (name, text, error) => {
    const parse = parseToolInput as (name: unknown, text: unknown) => unknown;
    expect(parse(name, text)).toEqual({
      success: false,
      error: expect.toSatisfy((said: string) => said.startsWith(error)),
    });
  });
});
