import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildJsonSchemaTool, buildTool } from '../../../src/tools/build-tool.js';
import { findToolByName } from '../../../src/tools/pool/find-tool.js';
import { GrepTool } from '../../../src/tools/files/grep.js';
import { assembleToolPool, toModelTools } from '../../../src/tools/pool/pool.js';
import type { Tool } from '../../../src/tools/tool.js';
import { ToolNotFoundError } from '../../../src/tools/calls/tool-not-found-error.js';

function tool(name: string, parts: Partial<Tool> = {}): Tool {
  const call = () => Promise.resolve({ data: '' });
  return { ...buildTool({ name, inputSchema: z.object({}), call }), ...parts };
}
const options = { agents: [], cwd: '/w' };

const surroundings = { env: {}, cwd: '/w' };

describe('assembleToolPool', () => {
  it('puts built-in tools first, each kind sorted by name', () => {
    const pool = assembleToolPool({
      surroundings,
      builtIn: [tool('b'), tool('a'), tool('Z')],
      extra: [tool('mcp__y'), tool('mcp__x'), tool('A')],
    });
    expect(pool.map(({ name }) => name)).toEqual(['Z', 'a', 'b', 'A', 'mcp__x', 'mcp__y']);
  });

  it('prefers the built-in tool of two with one name, and the first of two others', () => {
    const [builtIn, first] = [tool('a'), tool('x')];
    const pool = assembleToolPool({
      surroundings,
      builtIn: [builtIn],
      extra: [tool('a'), first, tool('x')],
    });
    expect(pool).toEqual([builtIn, first]);
  });

  it('leaves out what is not enabled, and then takes another of its name', () => {
    const other = tool('a');
    const pool = assembleToolPool({
      surroundings,
      builtIn: [tool('a', { isEnabled: ({ env }) => env['A'] !== undefined }), tool('c')],
      extra: [other],
    });
    expect(pool.map(({ name }) => name)).toEqual(['c', 'a']);
    expect(pool[1]).toBe(other);
  });
});

describe('findToolByName', () => {
  it('knows names and aliases, names first', () => {
    const agent = tool('Agent', { aliases: ['Task', 'Other'] });
    const other = tool('Other');
    const tools = [agent, other];
    expect(findToolByName(tools, 'Task')).toBe(agent);
    expect(findToolByName(tools, 'Other')).toBe(other);
    expect(findToolByName(tools, 'agent')).toBeUndefined();
    expect(findToolByName(tools, 'constructor')).toBeUndefined();
  });
});

describe('toModelTools', () => {
  it('sends the limits of a whole number that a tool sets, and not those that every one has', () => {
    const inputSchema = z.object({ any: z.int(), some: z.int().min(1).max(50) });
    const [sent] = toModelTools([tool('a', { inputSchema })], options);
    expect(sent?.input_schema['properties']).toEqual({
      any: { type: 'integer' },
      some: { type: 'integer', minimum: 1, maximum: 50 },
    });
  });

  it('describes the input as the model may send it, the same every time', () => {
    const inputSchema = z.object({
      a: z.string().describe('A letter'),
      b: z.boolean().default(true),
    });
    const described = tool('a', { inputSchema, prompt: ({ cwd }) => `Works in ${cwd}.` });
    expect(toModelTools([described], options)).toEqual([
      {
        name: 'a',
        description: 'Works in /w.',
        input_schema: {
          type: 'object',
          properties: {
            a: { type: 'string', description: 'A letter' },
            b: { type: 'boolean', default: true },
          },
          required: ['a'],
        },
      },
    ]);
    expect(JSON.stringify(toModelTools([described], options))).toBe(
      JSON.stringify(toModelTools([described], options)),
    );
  });

  it('sends a JSON schema as it is', () => {
    const inputJSONSchema = { type: 'object', properties: { a: {} }, 'x-more': 1 } as const;
    const call = () => Promise.resolve({ data: '' });
    const [sent] = toModelTools(
      [buildJsonSchemaTool({ name: 'a', inputJSONSchema, call })],
      options,
    );
    expect(sent?.input_schema).toBe(inputJSONSchema);
  });

  it('describes every option of a real tool', () => {
    const [sent] = toModelTools([GrepTool], options);
    expect(sent?.input_schema).toMatchObject({ type: 'object', required: ['pattern'] });
    expect(Object.keys(sent?.input_schema['properties'] as object)).toEqual(
      'pattern path glob type output_mode -A -B -C -n -i -o head_limit offset multiline'.split(' '),
    );
  });

  it('refuses an input that is no object, or that no JSON schema describes', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(() => toModelTools([tool('a', { inputSchema: union })], options)).toThrow(
      'The input of the tool a must be an object',
    );
    const date = z.object({ at: z.date() });
    expect(() => toModelTools([tool('b', { inputSchema: date })], options)).toThrow(
      'The input of the tool b cannot be described by a JSON schema',
    );
  });
});

describe('ToolNotFoundError', () => {
  it('lists the tools that there are', () => {
    expect(new ToolNotFoundError('Raed', ['Edit', 'Read'])).toMatchObject({
      code: 'TOOL_NOT_FOUND',
      toolName: 'Raed',
      message: 'No tool named "Raed". Available: Edit, Read.',
    });
  });
});
