import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { getSessionMessages, listSessions } from '../../../src/api/query/past-sessions.js';
import { homeOf } from '../../../src/journal/sessions/find-session.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { bashCall } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

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
