import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { QueryOptions } from '../../../src/api/query/query-options.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { createGate } from '../../support/gate.js';
import { agentCall, bashCall } from '../../support/scripts.js';
import { collect, createQueries, resultOf, user } from './support.js';

/** The prompt that an agent's conversation begins with. */
function promptOf({ body }: FakeRequest): string {
  return JSON.stringify(body.messages[0]?.content);
}

describe('the settings of a query', () => {
  it('say how much agents think, unless the option "effort" does', async () => {
    const { ask, api } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    await resultOf(ask('Hi.', { settings: { effortLevel: 'high' } }));
    await resultOf(ask('Hi.', { settings: { effortLevel: 'high' }, effort: 'low' }));
    expect(api.requests.map(({ body }) => body['output_config'])).toEqual([
      { effort: 'high' },
      { effort: 'low' },
    ]);
  });

  it('change the effort of a running session, unless the program has chosen one', async () => {
    const queries = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    await mkdir(queries.at('.claude'));
    const run = async (effortLevel: string, options: QueryOptions): Promise<void> => {
      const changed = createGate();
      async function* prompts() {
        await changed.opened;
        yield user('Hi.');
      }
      const query = queries.ask(prompts(), { settingSources: ['project'], ...options });
      await query.supportedAgents();
      await writeFile(queries.at('.claude/settings.json'), JSON.stringify({ effortLevel }));
      await query.reloadPlugins();
      changed.open();
      await collect(query);
    };
    await run('low', {});
    await run('high', { effort: 'medium' });
    expect(queries.api.requests.map(({ body }) => body['output_config'])).toEqual([
      { effort: 'low' },
      { effort: 'medium' },
    ]);
  });

  it('say how many agents work at once', async () => {
    const working: string[] = [];
    const { ask } = await createQueries({
      handler: (request): FakeReply => {
        const isFirst = request.body.messages.length === 1;
        const worker = /work on (\w)/.exec(promptOf(request))?.[1];
        if (worker === undefined)
          return isFirst
            ? {
                tools: ['a', 'b'].map((name) => agentCall('worker', { prompt: `work on ${name}` })),
              }
            : { text: 'Done.' };
        working.push(worker);
        return isFirst ? { tools: [bashCall('true')] } : { text: 'Done.' };
      },
    });
    await resultOf(ask('Go.', { settings: { maxConcurrentAgents: 1 } }));
    expect(['aabb', 'bbaa']).toContain(working.join(''));
  });
});
