import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findTools } from '../../../src/tools/pool/find-tools.js';
import { parseToolInput } from '../../../src/api/tools/parse-tool-input.js';
import { catalogue } from '../../support/tool-catalogue.js';

const TASKS = readFileSync(new URL('../../fixtures/tool-search/tasks.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' => ') as [string, string]);

async function find(query: string, most: number, tools = catalogue()): Promise<readonly string[]> {
  return (await findTools(tools, query, most)).matches;
}

describe('a search through 200 tools of five servers', () => {
  it('knows thirty tasks', () => {
    expect([TASKS.length, catalogue().length]).toEqual([30, 200]);
  });

  it.each(TASKS)('for "%s" has %s among the first three', async (task, tool) => {
    expect(await find(task, 3)).toContain(tool);
  });

  it('has the right tool first for most tasks', async () => {
    const firsts = await Promise.all(
      TASKS.map(async ([task, tool]) => (await find(task, 1))[0] === tool),
    );
    expect(firsts.filter(Boolean).length).toBeGreaterThanOrEqual(24);
  });

  it('selects tools by name, in any case and slightly wrong, each once', async () => {
    const query =
      'select:mcp__slack__list_pins, MCP__cloud__get_costs,mcp__slack__lst_pins,mcp__nobody';
    expect(await findTools(catalogue(), query, 1)).toEqual({
      matches: ['mcp__slack__list_pins', 'mcp__cloud__get_costs'],
      notFound: ['mcp__nobody'],
    });
  });

  it('keeps to names with a required word, ranked by the others', async () => {
    expect(await find('+calendar guest list', 1)).toEqual(['mcp__calendar__list_attendees']);
    expect(await find('list +channels', 2)).toEqual(['mcp__slack__list_channels']);
    const found = await find('+slack', 50);
    expect(found).toHaveLength(40);
    expect(await find('+nothing send', 5)).toEqual([]);
  });

  it('finds nothing for words that no tool has', async () => {
    expect(await find('the of and', 5)).toEqual([]);
    expect(await find('zzyzx', 5)).toEqual([]);
    expect(await find('send', 5, [])).toEqual([]);
    expect(await find('select:', 5)).toEqual([]);
  });

  it('corrects the first five names of a query only, for each is compared with all tools', async () => {
    const wrong = ['list_pinz', 'list_pinx', 'list_pinq', 'list_pinw', 'list_piny'];
    const names = wrong.map((name) => `mcp__slack__${name}`);
    expect(await find('select:mcp__cloud__get_costz', 5)).toEqual(['mcp__cloud__get_costs']);
    const many = `select:${names.join(',')},mcp__cloud__get_costz,mcp__cloud__list_regions`;
    expect(await find(many, 5)).not.toContain('mcp__cloud__get_costs');
  });

  it('finds nothing similar to a word that is longer than any name', async () => {
    expect(await find('z'.repeat(4_000), 5)).toEqual([]);
  });

  it('is not made with a query that is longer than 4,000 characters', () => {
    expect(parseToolInput('ToolSearch', JSON.stringify({ query: 'a'.repeat(4_001) }))).toEqual({
      success: false,
      error: expect.stringContaining('query'),
    });
    const whole = { query: 'a'.repeat(4_000) };
    expect(parseToolInput('ToolSearch', JSON.stringify(whole))).toMatchObject({ success: true });
  });
});
