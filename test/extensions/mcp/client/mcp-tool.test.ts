import { describe, expect, it } from 'vitest';
import { createMcpTools } from '../../../../src/extensions/mcp/client/mcp-tool.js';
import type { McpCallResult } from '../../../../src/extensions/mcp/client/sdk-answers.js';
import { createContext } from '../../../support/tool-context.js';

const inputSchema = { type: 'object' } as const;
const context = createContext('/');

function resultOf(result: McpCallResult) {
  const { tools } = createMcpTools(
    'my server',
    [{ name: 'get.it', inputSchema }],
    async () => result,
  );
  const [tool] = tools;
  if (tool === undefined) throw new Error('there is no tool');
  return tool.call({}, context, () => Promise.reject(new Error('nobody is asked')), undefined);
}

describe('createMcpTools', () => {
  it('has the limits and the choices of the server, and of the tool within reason', () => {
    const tool = (name: string, meta?: Record<string, unknown>) => ({
      name,
      inputSchema,
      _meta: meta,
    });
    const size = 'anthropic/maxResultSizeChars';
    const { tools } = createMcpTools(
      's',
      [
        tool('a'),
        tool('b', { [size]: 200 }),
        tool('c', { [size]: 1e9 }),
        tool('d', { [size]: 'x' }),
      ],
      () => Promise.reject(new Error('not called')),
      { maxResultChars: 100, alwaysLoad: true },
    );
    expect(tools.map((one) => [one.maxResultSizeChars, one.alwaysLoad])).toEqual([
      [100, true],
      [200, true],
      [500_000, true],
      [100, true],
    ]);
  });

  it('tells approvers what the server says of each tool, and that nobody has checked it', () => {
    const hints = [
      { readOnlyHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      { title: 'Get it' },
      undefined,
    ];
    const { tools } = createMcpTools(
      'my server',
      hints.map((annotations, index) => ({ name: `t${index}`, inputSchema, annotations })),
      () => Promise.reject(new Error('not called')),
    );
    const around = { mode: 'default', definitions: [] } as const;
    expect(tools.map((tool) => tool.requestDetails?.({}, around)['Says of itself'])).toEqual([
      'it only reads, it reaches nothing outside (not checked)',
      'it changes something, it can destroy something, it reaches the outside world (not checked)',
      'nothing',
      'nothing',
    ]);
  });

  it('names tools, and trusts no word of a server about reading', () => {
    const { tools, leftOut } = createMcpTools(
      'my server',
      [
        { name: 'get.it', inputSchema, annotations: { readOnlyHint: true } },
        { name: 'get it', inputSchema },
        { name: 'x'.repeat(200), inputSchema },
        { name: 'long', description: 'd'.repeat(5_000), inputSchema },
      ],
      () => Promise.reject(new Error('not called')),
    );
    expect(
      tools.map((tool) => [
        tool.name,
        tool.mcpInfo,
        tool.isReadOnly({}),
        tool.isConcurrencySafe({}),
        tool.prompt({ agents: [], cwd: '/' }).length,
      ]),
    ).toEqual([
      ['mcp__my_server__get_it', { serverName: 'my server', toolName: 'get.it' }, false, true, 43],
      ['mcp__my_server__long', { serverName: 'my server', toolName: 'long' }, false, false, 2_049],
    ]);
    expect(leftOut).toEqual([
      '"get it": there is already a tool mcp__my_server__get_it',
      `"${'x'.repeat(200)}": its name is too long`,
    ]);
  });

  it('keeps structured content and metadata beside the result', async () => {
    const structuredContent = { total: 3 };
    expect(await resultOf({ content: [], structuredContent, _meta: { by: 'x' } })).toEqual({
      data: [{ type: 'text', text: '{"total":3}' }],
      mcpMeta: { _meta: { by: 'x' }, structuredContent },
    });
    expect(await resultOf({ content: [{ type: 'text', text: '' }] })).toEqual({
      data: [{ type: 'text', text: 'The tool has run and returned nothing.' }],
      mcpMeta: {},
    });
  });

  it('makes an error of a result that is one', async () => {
    const content = [{ type: 'text' as const, text: 'y'.repeat(20_000) }];
    await expect(resultOf({ content, isError: true })).rejects.toThrow(
      /^y{10000}… \[20000 characters\]$/,
    );
  });
});
