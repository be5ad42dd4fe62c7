import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildJsonSchemaTool, buildTool } from '../../../src/tools/build-tool.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import type { ToolInputJSONSchema } from '../../../src/tools/tool.js';

describe('parseInput', () => {
  it('gives the parsed input, without keys that the schema does not name', async () => {
    const input = JSON.parse('{"file_path":"a","extra":1,"__proto__":{"limit":1}}') as unknown;
    expect(await parseInput(ReadTool, input)).toEqual({ ok: true, input: { file_path: 'a' } });
  });

  it('does not see inherited fields', async () => {
    expect(await parseInput(ReadTool, Object.create({ file_path: 'a' }))).toEqual({
      ok: false,
      message: 'Read: file_path is required (a string). The input has: no fields',
    });
  });

  it.each([
    [{ path: 'a' }, 'Read: file_path is required (a string). The input has: path'],
    [{ file_path: 'a', limit: true }, 'Read: limit must be a number, not the boolean true'],
    [{ file_path: 'a', limit: '5' }, 'Read: limit must be a number, not the string "5"'],
    [{ file_path: 'a', limit: 0 }, 'Read: limit must be more than 0, not the number 0'],
    [{ file_path: 'a', offset: 1.5 }, 'Read: offset must be a whole number, not the number 1.5'],
    [
      { file_path: 'a', offset: Infinity },
      'Read: offset must be a finite number, not the number Infinity',
    ],
    [{ file_path: '' }, 'Read: file_path must have at least 1 character, not the string ""'],
    [{ file_path: 'a\0' }, 'Read: file_path: must not contain a NUL character'],
    [
      { file_path: null, limit: [] },
      'Read: file_path must be a string, not null; limit must be a number, not an array of 0',
    ],
    [[], 'Read: the input must be an object, not an array of 0'],
    ['x', 'Read: the input must be an object, not the string "x"'],
    [null, 'Read: the input must be an object, not null'],
  ])('says what is wrong with %j', async (input, message) => {
    expect(await parseInput(ReadTool, input)).toEqual({ ok: false, message });
  });

  it('names nested fields', async () => {
    const tool = buildTool({
      name: 'Many',
      inputSchema: z.object({ edits: z.array(z.object({ text: z.string() })).min(1) }),
      call: () => Promise.resolve({ data: '' }),
    });
    expect(await parseInput(tool, { edits: [{ text: 1 }] })).toEqual({
      ok: false,
      message: 'Many: edits[0].text must be a string, not the number 1',
    });
    expect(await parseInput(tool, { edits: [] })).toEqual({
      ok: false,
      message: 'Many: edits must have at least 1 item, not an array of 0',
    });
  });
});

describe('parseInput with a JSON schema', () => {
  const toolOf = (inputJSONSchema: ToolInputJSONSchema) =>
    buildJsonSchemaTool({
      name: 'mcp__s__t',
      inputJSONSchema,
      call: () => Promise.resolve({ data: '' }),
    });
  const tool = toolOf({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'same',
    type: 'object',
    properties: { a: { type: 'integer' }, constructor: { type: 'string' } },
    required: ['a'],
  });

  it('accepts what fits and changes nothing', async () => {
    const result = await parseInput(tool, { a: 1, more: ['x'] });
    expect(result).toEqual({ ok: true, input: { a: 1, more: ['x'] } });
  });

  it('says what is wrong', async () => {
    expect(await parseInput(tool, { a: '1' })).toEqual({
      ok: false,
      message: 'mcp__s__t: input/a must be integer',
    });
    expect(await parseInput(tool, { b: 1 })).toEqual({
      ok: false,
      message: 'mcp__s__t: a is required. The input has: b',
    });
    expect((await parseInput(tool, { a: Infinity })).ok).toBe(false);
  });

  it('does not see inherited fields', async () => {
    const needsConstructor = toolOf({ $id: 'same', type: 'object', required: ['constructor'] });
    expect((await parseInput(needsConstructor, {})).ok).toBe(false);
    expect((await parseInput(tool, JSON.parse('{"a":1,"__proto__":{"a":"x"}}'))).ok).toBe(true);
  });

  it('says that the schema itself cannot be used', async () => {
    const broken = toolOf({ type: 'object', properties: { a: { $ref: '#/nowhere' } } });
    const result = await parseInput(broken, {});
    expect(result).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^mcp__s__t: its own JSON schema cannot be used/),
    });
  });
});
