import { describe, expect, it } from 'vitest';
import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from '../../../src/api/query/sdk-names.js';
import { HOOK_EVENTS } from '../../../src/settings/schema/hook-events.js';
import { collect, createQueries } from './support.js';

describe('the names that programs for the Claude Agent SDK import', () => {
  it('are those of tools and events that a query has', async () => {
    const { ask, told } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [noOpinion] }]]));
    await collect(ask('Hi.', { tools: BUILTIN_TOOL_NAMES, hooks }));
    expect(told).toEqual([]);
    expect(BUILTIN_TOOL_NAMES).toEqual(expect.arrayContaining(['Agent', 'Bash', 'Read']));
  });

  it('map older names of tools, which work too', async () => {
    const { ask, told } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    const withServers = ['ListMcpResources', 'ReadMcpResource'];
    const [first] = await collect(ask('Hi.', { tools: Object.keys(LEGACY_TOOL_NAME_ALIASES) }));
    expect(told).toEqual([]);
    expect(first).toMatchObject({
      tools: expect.arrayContaining(
        [...new Set(Object.values(LEGACY_TOOL_NAME_ALIASES))].filter(
          (name) => !withServers.includes(name),
        ),
      ) as unknown,
    });
  });
});

async function noOpinion() {
  return {};
}
