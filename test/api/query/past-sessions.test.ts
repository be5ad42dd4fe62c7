import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
} from '../../../src/api/query/past-sessions.js';
import { homeOf } from '../../../src/journal/sessions/find-session.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

/** A session that ran a command and ended, in the home of this process. */
async function createPast(title?: string) {
  const { troupe, cwd } = await createTroupe(({ messages }: ModelRequest) =>
    messages.length === 1 ? { text: 'I look.', tools: [bashCall('echo seen')] } : { text: 'Done.' },
  );
  const session = troupe.session({
    prompt: 'Look\naround.',
    ...(title === undefined ? {} : { title }),
    permissionMode: 'bypassPermissions',
  });
  await session.outcome;
  vi.stubEnv('TROUPE_HOME', homeOf(session.directory));
  onTestFinished(() => void vi.unstubAllEnvs());
  return { session, cwd };
}

describe('listSessions of the Claude Agent SDK', () => {
  it('lists the sessions of a folder, or of all', async () => {
    const { session, cwd } = await createPast('Looking');
    const info = {
      sessionId: session.sessionId,
      summary: 'Looking',
      customTitle: 'Looking',
      firstPrompt: 'Look\naround.',
      cwd,
      createdAt: expect.any(Number),
      lastModified: expect.any(Number),
    };
    expect(await listSessions({ dir: cwd, limit: 5 })).toEqual([info]);
    expect(await listSessions()).toEqual([info]);
    expect(await listSessions({ offset: 1 })).toEqual([]);
    expect(await listSessions({ dir: '/elsewhere' })).toEqual([]);
  });

  it('is called by its first prompt if nobody gave it a title, and its times are whole numbers', async () => {
    const { session } = await createPast();
    for (const name of readdirSync(session.directory))
      if (name.endsWith('.jsonl')) utimesSync(join(session.directory, name), 1_000, 1_000.0017);
    const [info] = await listSessions();
    expect(info).toMatchObject({ summary: 'Look\naround.', lastModified: 1_000_001 });
    expect(info).not.toHaveProperty('customTitle');
  });

  it.each([
    [{ dri: '/a' }, 'listSessions: there is no option "dri". Did you mean dir?'],
    [{ limit: 0 }, 'listSessions: limit must be more than 0, not the number 0.'],
    [{ sessionStore: {} }, 'listSessions: "sessionStore" is not supported. Leave it out.'],
  ])('refuses %j', async (options, message) => {
    await expect(listSessions(options as object)).rejects.toThrow(message);
  });
});

describe('getSessionMessages', () => {
  it('reads prompts, replies and results, the same at each reading', async () => {
    const { session, cwd } = await createPast();
    const messages = await getSessionMessages(session.sessionId, { dir: cwd });
    const head = {
      uuid: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      session_id: session.sessionId,
      parent_tool_use_id: null,
      parent_agent_id: null,
    };
    const use = {
      type: 'tool_use',
      name: 'Bash',
      input: expect.objectContaining({ command: 'echo seen' }),
    };
    const assistant = { type: 'message', role: 'assistant', model: expect.any(String) };
    expect(messages).toEqual([
      {
        ...head,
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: 'Look\naround.' }] },
      },
      {
        ...head,
        type: 'assistant',
        message: {
          ...assistant,
          content: [{ type: 'text', text: 'I look.' }, expect.objectContaining(use)],
        },
      },
      {
        ...head,
        type: 'user',
        message: {
          role: 'user',
          content: [expect.objectContaining({ type: 'tool_result', content: 'seen' })],
        },
      },
      {
        ...head,
        type: 'assistant',
        message: { ...assistant, content: [{ type: 'text', text: 'Done.' }] },
      },
    ]);
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(4);
    expect(await getSessionMessages(session.sessionId)).toEqual(messages);
    expect(await getSessionMessages(session.sessionId, { offset: 1, limit: 2 })).toEqual(
      messages.slice(1, 3),
    );
  });

  it('has none of a session that does not exist, or works elsewhere', async () => {
    const { session } = await createPast();
    expect(await getSessionMessages('0f0f0f0f-0000-4000-8000-000000000000')).toEqual([]);
    expect(await getSessionMessages(session.sessionId.slice(0, 8))).toEqual([]);
    expect(await getSessionMessages(session.sessionId, { dir: '/elsewhere' })).toEqual([]);
  });
});

describe('getSessionInfo', () => {
  it('has the same fields for one session as the list', async () => {
    const { session, cwd } = await createPast('Looking');
    const [listed] = await listSessions();
    expect(await getSessionInfo(session.sessionId)).toEqual(listed);
    expect(await getSessionInfo(session.sessionId, { dir: cwd })).toEqual(listed);
  });

  it('has none of a session that does not exist, or works elsewhere', async () => {
    const { session } = await createPast();
    expect(await getSessionInfo('0f0f0f0f-0000-4000-8000-000000000000')).toBeUndefined();
    expect(await getSessionInfo(session.sessionId.slice(0, 8))).toBeUndefined();
    expect(await getSessionInfo(session.sessionId, { dir: '/elsewhere' })).toBeUndefined();
  });
});

/** A session whose agent started `outer`, which started `inner`. */
async function createTree() {
  const { troupe, cwd, home } = await createTroupe(
    playParts({
      main: [{ tools: [agentCall('outer', { prompt: 'Delegate.' })] }, { text: 'Done.' }],
      outer: [{ tools: [agentCall('inner', { prompt: 'Work.' })] }, { text: 'Delegated.' }],
      inner: [{ text: 'Worked.' }],
    }),
    { agents: [defineAgent('outer'), defineAgent('inner')] },
  );
  vi.stubEnv('TROUPE_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const session = troupe.session({ prompt: 'Begin.' });
  await session.outcome;
  return { session, id: session.sessionId, cwd };
}

describe('listSubagents and getSubagentMessages', () => {
  it('read the conversation of each sub-agent, with its place in the tree', async () => {
    const { id, cwd } = await createTree();
    const [outer = '', inner = '', ...others] = await listSubagents(id, { dir: cwd });
    expect([outer, inner, others]).toEqual([
      expect.stringMatching(/^aouter-/),
      expect.stringMatching(/^ainner-/),
      [],
    ]);
    const callOf = (messages: readonly { readonly message: unknown }[]) => {
      const [, call] = /"type":"tool_use","id":"([^"]+)"/.exec(JSON.stringify(messages)) ?? [];
      return call;
    };
    const outerMessages = await getSubagentMessages(id, outer, { dir: cwd });
    const ofOuter = {
      session_id: id,
      parent_tool_use_id: callOf(await getSessionMessages(id)),
      parent_agent_id: null,
    };
    expect(outerMessages).toMatchObject([
      { ...ofOuter, type: 'user', message: { content: [{ text: 'Delegate.' }] } },
      { ...ofOuter, type: 'assistant', message: { content: [{ type: 'tool_use' }] } },
      { ...ofOuter, type: 'user', message: { content: [{ type: 'tool_result' }] } },
      { ...ofOuter, type: 'assistant', message: { content: [{ text: 'Delegated.' }] } },
    ]);
    const ofInner = {
      session_id: id,
      parent_tool_use_id: callOf(outerMessages),
      parent_agent_id: outer,
    };
    const innerMessages = await getSubagentMessages(id, inner);
    expect(innerMessages).toMatchObject([
      { ...ofInner, type: 'user', message: { content: [{ text: 'Work.' }] } },
      { ...ofInner, type: 'assistant', message: { content: [{ text: 'Worked.' }] } },
    ]);
    expect(await getSubagentMessages(id, inner, { offset: 1, limit: 1 })).toEqual(
      innerMessages.slice(1),
    );
    const all = [...(await getSessionMessages(id)), ...outerMessages, ...innerMessages];
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(all.length);
  });

  it('find a sub-agent by the ID of its task too, which hooks have', async () => {
    const { session, id } = await createTree();
    const [outer = ''] = await listSubagents(id);
    const tasks = readFileSync(join(session.directory, 'tasks.jsonl'), 'utf8');
    const [, task = ''] = /"id":"(a\w{8})"/.exec(tasks) ?? [];
    expect(await getSubagentMessages(id, task)).toEqual(await getSubagentMessages(id, outer));
    expect(await getSubagentMessages(id, task)).not.toEqual([]);
  });

  it('have none of an agent that is the main agent, or does not exist', async () => {
    const { session, id } = await createTree();
    const agents = [session.agentId, session.id, 'ax-0123456789abcdef', `../${id}`, ''];
    const found = await Promise.all(agents.map((agent) => getSubagentMessages(id, String(agent))));
    expect(found).toEqual([[], [], [], [], []]);
    expect(await listSubagents('0f0f0f0f-0000-4000-8000-000000000000')).toEqual([]);
    expect(await listSubagents(id, { dir: '/elsewhere' })).toEqual([]);
  });
});
