import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../src/api/serve/serve-types.js';
import { createServed, makesFile } from '../../support/served.js';

const never = new AbortController().signal;
const follow = {
  signal: never,
  until: ({ waitsFor }: AgentState) => waitsFor.length > 0,
  onLine: () => {},
};
const client = { name: 'one' };

describe('served agents', () => {
  it('answer, and are resumed by a message after their end', async () => {
    const { agents } = await createServed(({ messages }) => ({ text: `${messages.length}` }));
    agents.attach(client);
    const { id } = await agents.spawn({ prompt: 'Count.', title: 'counts' }, client);
    const state = { id, kind: 'session', title: 'counts', waitsFor: [], costUsd: null };
    expect(await agents.follow(id, follow)).toEqual({ ...state, status: 'completed', result: '1' });
    await agents.send(id, 'Again.', client);
    expect(await agents.follow(id, follow)).toEqual({ ...state, status: 'completed', result: '3' });
    expect(await agents.output(id, 1)).toEqual({ text: '\n', next: 2 });
  });

  it('wait for a decision, of which only the first counts', async () => {
    const { agents } = await createServed(makesFile);
    agents.attach(client);
    const { id } = await agents.spawn({ prompt: 'Make it.' }, client);
    const { waitsFor, status } = await agents.follow(id, follow);
    const [request] = agents.requests();
    expect({ waitsFor, status }).toEqual({ waitsFor: [request?.requestId], status: 'running' });
    expect(request && agents.ownerOf(request)).toBe(id);
    const decide = (by: string) =>
      agents.decide(String(request?.requestId), { behavior: 'allow' }, by);
    expect(await Promise.all([decide('one'), decide('two')])).toEqual([
      { status: 'accepted' },
      { status: 'already_decided', by: 'one' },
    ]);
    expect(await agents.follow(id, follow)).toMatchObject({ result: 'Made.', waitsFor: [] });
    expect(await agents.decide('ask_none', { behavior: 'allow' }, 'one')).toEqual({
      status: 'unknown',
    });
  });

  it('end with their client, and start no more for it', async () => {
    const { agents } = await createServed(makesFile);
    const detach = agents.attach(client);
    const other = { name: 'two' };
    agents.attach(other);
    const { id } = await agents.spawn({ prompt: 'Make it.' }, client);
    const { id: kept } = await agents.spawn({ prompt: 'Make it.' }, other);
    await agents.follow(kept, follow);
    await detach();
    expect(agents.state(id)).toMatchObject({ status: 'killed', error: 'its client has ended' });
    expect(agents.state(kept).status).toBe('running');
    await expect(agents.spawn({ prompt: 'Again.' }, client)).rejects.toThrow(
      'The client has ended.',
    );
  });

  it('end with their client below the session of another one, also if they are about to start', async () => {
    const { agents } = await createServed(makesFile);
    const other = { name: 'two' };
    agents.attach(other);
    const { id } = await agents.spawn({ prompt: 'Make it.' }, other);
    await agents.follow(id, follow);
    const detach = agents.attach(client);
    const starting = agents.spawn({ prompt: 'Make it.', below: id }, client);
    await detach();
    await starting;
    expect(agents.states()).toMatchObject([
      { kind: 'session', status: 'running' },
      { kind: 'sub-agent', status: 'killed', error: 'its client has ended' },
    ]);
  });

  it('are refused outside of the limits of the server', async () => {
    const { agents, cwd } = await createServed(makesFile, {
      maxBudgetUsd: 2,
      tools: ['Read', 'Bash'],
    });
    agents.attach(client);
    const spawn = (request: object) => agents.spawn({ prompt: 'Go.', ...request }, client);
    mkdirSync(join(cwd, 'inner'));
    expect(await spawn({ cwd: 'inner', mode: 'plan' })).toMatchObject({ kind: 'session' });
    await expect(spawn({ cwd: '..' })).rejects.toThrow(/is not in a folder of this server: /);
    await expect(spawn({ mode: 'acceptEdits' })).rejects.toThrow(
      'mode: acceptEdits is laxer than default, the mode of this server.',
    );
    await expect(spawn({ budget: { usd: 3 } })).rejects.toThrow(
      'budget.usd: 3 is more than 2, the limit of this server for a session. Name at most 2.',
    );
    await expect(spawn({ tools: ['Write'] })).rejects.toThrow(
      'tools: this server has no Write. Its tools: Read, Bash.',
    );
    await expect(spawn({ below: 'x' })).rejects.toThrow(
      /^No agent of this server has the ID "x": the newest are /,
    );
  });
});
