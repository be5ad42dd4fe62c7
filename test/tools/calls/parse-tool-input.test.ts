import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tryParseJson } from '../../../src/core/json/try-parse-json.js';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { buildJsonSchemaTool, buildTool } from '../../../src/tools/build-tool.js';
import { findToolByName } from '../../../src/tools/pool/find-tool.js';
import { parseToolInput } from '../../../src/tools/calls/parse-tool-input.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import type { Tool, ToolInputJSONSchema } from '../../../src/tools/tool.js';

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

function parseText(tool: Tool, text: string) {
  return parseToolInput(tool, tryParseJson(text));
}

describe('tool input as models send it', () => {
  it.each(cases)('$id: $expect, $why', async (example) => {
    const tool = findToolByName(tools, example.tool);
    if (tool === undefined) throw new Error(`no tool ${example.tool}`);
    const prototype = Object.getOwnPropertyNames(Object.prototype);
    const { ok } = await parseText(tool, example.input_json);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
    const allowed = { accept: [true], reject: [false], safe: [true, false] }[example.expect];
    expect(allowed).toContain(ok);
  });
});

describe('parseToolInput', () => {
  it('gives the parsed input, without keys that the schema does not name', async () => {
    const input = JSON.parse('{"file_path":"a","extra":1,"__proto__":{"limit":1}}') as unknown;
    expect(await parseToolInput(ReadTool, input)).toEqual({ ok: true, input: { file_path: 'a' } });
  });

  it('does not see inherited fields', async () => {
    expect(await parseToolInput(ReadTool, Object.create({ file_path: 'a' }))).toEqual({
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
    [{ file_path: '' }, 'Read: file_path must have at least 1 characters, not the string ""'],
    [{ file_path: 'a\0' }, 'Read: file_path: must not contain a NUL character'],
    [
      { file_path: null, limit: [] },
      'Read: file_path must be a string, not null; limit must be a number, not an array of 0',
    ],
    [[], 'Read: the input must be an object, not an array of 0'],
    ['x', 'Read: the input must be an object, not the string "x"'],
    [null, 'Read: the input must be an object, not null'],
  ])('says what is wrong with %j', async (input, message) => {
    expect(await parseToolInput(ReadTool, input)).toEqual({ ok: false, message });
  });

  it('names nested fields', async () => {
    const tool = buildTool({
      name: 'Many',
      inputSchema: z.object({ edits: z.array(z.object({ text: z.string() })).min(1) }),
      call: () => Promise.resolve({ data: '' }),
    });
    expect(await parseToolInput(tool, { edits: [{ text: 1 }] })).toEqual({
      ok: false,
      message: 'Many: edits[0].text must be a string, not the number 1',
    });
    expect(await parseToolInput(tool, { edits: [] })).toEqual({
      ok: false,
      message: 'Many: edits must have at least 1 items, not an array of 0',
    });
  });
});

describe('parseToolInput with a JSON schema', () => {
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
    const result = await parseToolInput(tool, { a: 1, more: ['x'] });
    expect(result).toEqual({ ok: true, input: { a: 1, more: ['x'] } });
  });

  it('says what is wrong', async () => {
    expect(await parseToolInput(tool, { a: '1' })).toEqual({
      ok: false,
      message: 'mcp__s__t: input/a must be integer',
    });
    expect(await parseToolInput(tool, { b: 1 })).toEqual({
      ok: false,
      message: 'mcp__s__t: a is required. The input has: b',
    });
    expect((await parseToolInput(tool, { a: Infinity })).ok).toBe(false);
  });

  it('does not see inherited fields', async () => {
    const needsConstructor = toolOf({ $id: 'same', type: 'object', required: ['constructor'] });
    expect((await parseToolInput(needsConstructor, {})).ok).toBe(false);
    expect((await parseToolInput(tool, JSON.parse('{"a":1,"__proto__":{"a":"x"}}'))).ok).toBe(true);
  });

  it('says that the schema itself cannot be used', async () => {
    const broken = toolOf({ type: 'object', properties: { a: { $ref: '#/nowhere' } } });
    const result = await parseToolInput(broken, {});
    expect(result).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^mcp__s__t: its own JSON schema cannot be used/),
    });
  });
});
