import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Message } from '../../../src/core/messages.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { Tool } from '../../../src/tools/tool.js';
import { agentCall, resultsOf } from '../../support/scripts.js';
import { catalogue } from '../../support/tool-catalogue.js';
import { createTroupeOverHttp, defineAgent } from '../../support/troupe.js';

/** 200 tools that say their names. */
const MANY: readonly Tool[] = catalogue().map(({ name, description }) =>
  buildTool({
    name,
    inputSchema: z.object({ about: z.string().describe('What it is about. '.repeat(6)) }),
    shouldDefer: true,
    isReadOnly: () => true,
    prompt: () => description,
    call: async ({ about }: { about: string }) => ({ data: `${name}: ${about}` }),
  }),
) as unknown as Tool[];

const search = (query: string) => ({ name: 'ToolSearch', input: { query } });
const call = (name: string) => ({ name, input: { about: 'x' } });

function namesOf({ body }: FakeRequest): readonly string[] {
  return (body['tools'] as { name: string }[]).map(({ name }) => name);
}

function turnOf({ body }: FakeRequest): number {
  return body.messages.filter(({ role }) => role === 'assistant').length;
}

async function run(replies: readonly FakeReply[], env: Record<string, string> = {}) {
  const world = await createTroupeOverHttp(
    { handler: (request) => replies[turnOf(request)] ?? { status: 400 } },
    { tools: MANY, env: { ...process.env, ...env }, agents: [defineAgent('helper')] },
  );
  const session = world.troupe.session({ prompt: 'Go.' });
  return { ...world, session, outcome: await session.outcome };
}

describe('an agent with more tools than it can have at once', () => {
  it('is sent the names of those that can wait, and less than 15,000 tokens', async () => {
    const { api } = await run([{ text: 'Done.' }]);
    const [first] = api.requests;
    expect(namesOf(first!).filter((name) => name.startsWith('mcp__'))).toEqual([]);
    expect(namesOf(first!)).toContain('ToolSearch');
    expect(JSON.stringify(first!.body).length / 4).toBeLessThan(15_000);
    const system = JSON.stringify(first!.body['system']);
    expect(catalogue().filter(({ name }) => !system.includes(name))).toEqual([]);
  });

  it('has what it found in its next request, after the others, and every request extends the one before', async () => {
    const { api, outcome } = await run([
      { tools: [search('emoji reaction')] },
      { tools: [call('mcp__slack__add_reaction'), search('select:mcp__cloud__get_costs')] },
      { tools: [call('mcp__cloud__get_costs')] },
      { text: 'Done.' },
    ]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
    const [first, second, third] = api.requests.map(namesOf);
    expect(second!.slice(0, first!.length)).toEqual(first);
    expect(second!.slice(first!.length)[0]).toBe('mcp__slack__add_reaction');
    expect(third).toEqual([...second!, 'mcp__cloud__get_costs']);
    const answers = JSON.stringify(api.requests.at(-1)?.body.messages);
    expect(answers).toContain('mcp__slack__add_reaction: x');
    expect(answers).toContain('mcp__cloud__get_costs: x');
  });

  it('is told which of the selected names no deferred tool has', async () => {
    const { api, outcome } = await run([
      { tools: [search('select:mcp__cloud__get_costs,nobody,Read')] },
      { tools: [search('select:nobody')] },
      { text: 'Done.' },
    ]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const messages = api.requests.at(-1)!.body.messages as readonly Message[];
    const [some, none] = resultsOf(messages);
    expect(some?.content).toEqual([{ type: 'tool_reference', tool_name: 'mcp__cloud__get_costs' }]);
    expect(JSON.stringify(messages[2])).toContain(
      'ToolSearch did not find: nobody, Read. It only finds deferred tools.',
    );
    expect(none?.content).toMatch(
      /^No deferred tool matches "select:nobody"\. Number of deferred tools: \d+\. Try other keywords\.$/,
    );
  });

  it('may call a tool that it has not looked for', async () => {
    const { api, outcome } = await run([
      { tools: [call('mcp__cloud__get_costs')] },
      { text: 'Done.' },
    ]);
    expect(outcome.status).toBe('completed');
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain('mcp__cloud__get_costs: x');
  });

  it('continues after a resume with the same bytes', async () => {
    const { api, troupe, session } = await run([
      { tools: [search('select:mcp__cloud__get_costs')] },
      { text: 'Found.' },
      { text: 'Again.' },
    ]);
    const again = troupe.session({ resume: session.sessionId, prompt: 'And now?' });
    expect((await again.outcome).status).toBe('completed');
    expect(api.problems).toEqual([]);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
    expect(namesOf(api.requests[2]!)).toEqual(namesOf(api.requests[1]!));
  });

  it('starts sub-agents that look for their tools themselves', async () => {
    const { api } = await run([
      { tools: [agentCall('helper', { prompt: 'Help.' })] },
      { text: 'Done.' },
    ]);
    const helper = api.requests.find(({ body }) => JSON.stringify(body).includes('You are helper'));
    expect(namesOf(helper!)).toContain('ToolSearch');
    expect(namesOf(helper!).filter((name) => name.startsWith('mcp__'))).toEqual([]);
  });

  it('has all of them at once if ENABLE_TOOL_SEARCH is false', async () => {
    const { api } = await run([{ text: 'Done.' }], { ENABLE_TOOL_SEARCH: 'false' });
    const names = namesOf(api.requests[0]!);
    expect(names.filter((name) => name.startsWith('mcp__'))).toHaveLength(200);
    expect(names).not.toContain('ToolSearch');
  });

  it('refuses a value of ENABLE_TOOL_SEARCH that it does not know', async () => {
    await expect(run([], { ENABLE_TOOL_SEARCH: 'maybe' })).rejects.toThrow(
      'ENABLE_TOOL_SEARCH is "maybe": give true, false, auto, or auto:N with N from 0 to 100, or unset it.',
    );
  });
});
