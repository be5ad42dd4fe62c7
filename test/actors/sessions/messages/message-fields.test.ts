import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SessionHandle } from '../../../../src/actors/contract/handles.js';
import type { SessionMessage } from '../../../../src/actors/contract/session-message.js';
import { buildTool } from '../../../../src/tools/build-tool.js';
import { agentCall, bashCall, playParts } from '../../../support/scripts.js';
import {
  ALLOW_ALL,
  ASK_FIRST,
  createTroupe,
  createTroupeOverHttp,
  defineAgent,
} from '../../../support/troupe.js';

async function messagesOf(session: SessionHandle): Promise<readonly SessionMessage[]> {
  const messages: SessionMessage[] = [];
  for await (const message of session) messages.push(message);
  return messages;
}

const head = { uuid: expect.any(String), session_id: expect.any(String) };
const subtype =
  (name: string) =>
  (message: SessionMessage): boolean =>
    'subtype' in message && message.subtype === name;

/** Returns so many characters. */
const Filler = buildTool({
  name: 'Filler',
  inputSchema: z.object({ chars: z.number() }),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  call: ({ chars }) => Promise.resolve({ data: { filled: 'x'.repeat(chars), at: new Date(0) } }),
  mapToolResultToToolResultBlockParam: (_, id) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'filled',
  }),
});

describe('tool_use_result', () => {
  const resultsOf = async (...tools: readonly { name: string; input: object }[]) => {
    const script = playParts({ main: [{ tools: tools as never }, { text: 'Done.' }] });
    const { troupe } = await createTroupe(script, { tools: [Filler] });
    const session = troupe.session({ prompt: 'Go.' });
    const messages = await messagesOf(session);
    return { session, results: messages.filter(({ type }) => type === 'user') };
  };

  it('is what the tool returned, on the stream and not in the journal', async () => {
    const { session, results } = await resultsOf({ name: 'Filler', input: { chars: 3 } });
    expect(results).toEqual([
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: expect.any(String), content: 'filled' }],
        },
        parent_tool_use_id: null,
        timestamp: expect.any(String),
        tool_use_result: { filled: 'xxx', at: '1970-01-01T00:00:00.000Z' },
        ...head,
      },
    ]);
    await session.outcome;
    const names = await readdir(session.directory, { recursive: true });
    const files = names.filter((name) => name.endsWith('.jsonl'));
    const texts = files.map((name) => readFile(join(session.directory, name), 'utf8'));
    const journal = (await Promise.all(texts)).join('');
    expect(journal).toContain('"filled"');
    expect(journal).not.toContain('xxx');
  });

  it('is left out of an error, and if its JSON is larger than 64 KiB', async () => {
    const { results } = await resultsOf(
      { name: 'Filler', input: { chars: 70_000 } },
      { name: 'Filler', input: { chars: 'many' } },
    );
    expect(results.map((message) => 'tool_use_result' in message)).toEqual([false, false]);
  });
});

describe('of a tool of a server', () => {
  const Costs = buildTool({
    name: 'mcp__cloud__costs',
    inputSchema: z.object({}),
    userFacingName: () => 'cloud: Costs (MCP)',
    call: () =>
      Promise.resolve({
        data: [{ type: 'text', text: '12 USD' }],
        mcpMeta: { structuredContent: { usd: 12 }, _meta: { month: 'May' } },
      }),
  });

  it('programs get what the server adds for them, and approvers its name', async () => {
    const replies = [{ tools: [{ name: Costs.name, input: {} }] }, { text: 'Done.' }];
    const { api, troupe } = await createTroupeOverHttp(
      { handler: ({ body }) => replies[body.messages.length > 1 ? 1 : 0]! },
      { tools: [Costs], permissions: ASK_FIRST },
    );
    const names: unknown[] = [];
    troupe.approvals.onRequest(({ toolName, displayName }) => {
      names.push({ toolName, displayName });
      return Promise.resolve({ behavior: 'allow' });
    });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    const results = messages.filter(({ type }) => type === 'user');
    expect(names).toEqual([{ toolName: 'mcp__cloud__costs', displayName: 'cloud: Costs (MCP)' }]);
    expect(results).toEqual([
      expect.objectContaining({
        tool_use_result: {
          content: [{ type: 'text', text: '12 USD' }],
          structuredContent: { usd: 12 },
          _meta: { month: 'May' },
        },
      }),
    ]);
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).not.toContain('May');
  });
});

describe('messages of a sub-agent', () => {
  it('name the sub-agent, and report its work', async () => {
    const script = playParts({
      main: [{ tools: [agentCall('helper', { background: false })] }, { text: 'Done.' }],
      helper: [{ tools: [bashCall('true')] }, { text: 'Helped.' }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('helper')] });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    const [started] = messages.filter(subtype('task_started'));
    if (started?.type !== 'system' || started.subtype !== 'task_started')
      throw new Error('no task_started');
    const { task_id, tool_use_id, description } = started;
    const below = messages.filter(
      (one) => 'parent_tool_use_id' in one && one.parent_tool_use_id !== null,
    );
    expect(below.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant']);
    for (const one of below)
      expect(one).toMatchObject({
        agent_id: task_id,
        subagent_type: 'helper',
        task_description: description,
      });
    const facts = { type: 'system', task_id, tool_use_id, ...head };
    const work = { total_tokens: expect.any(Number), duration_ms: expect.any(Number) };
    expect(messages.filter(subtype('task_progress'))).toEqual([
      {
        ...facts,
        subtype: 'task_progress',
        description,
        subagent_type: 'helper',
        usage: { ...work, tool_uses: 1 },
        last_tool_name: 'Bash',
      },
    ]);
    expect(messages.filter(subtype('task_notification'))).toEqual([
      {
        ...facts,
        subtype: 'task_notification',
        status: 'completed',
        output_file: expect.any(String),
        summary: 'Helped.',
        usage: { ...work, tool_uses: 1 },
      },
    ]);
    expect(started.is_backgrounded).toBe(false);
    expect(messages.filter(subtype('task_updated')).at(-1)).toMatchObject({
      patch: { status: 'completed', end_time: expect.any(Number) },
    });
    expect(messages.some((one) => subtype('background_tasks_changed')(one))).toBe(false);
  });
});

describe('session_state_changed', () => {
  it('says that a decision is needed, and that the work continues', async () => {
    const script = playParts({ main: [{ tools: [bashCall('true')] }, { text: 'Done.' }] });
    const { troupe } = await createTroupe(script, {
      permissions: ASK_FIRST,
      env: { ...process.env, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
      canUseTool: () => Promise.resolve({ behavior: 'allow' }),
    });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    const states = messages.flatMap((one) => ('state' in one ? [one.state] : []));
    expect(states).toEqual(['running', 'requires_action', 'running', 'idle']);
  });
});

describe('status', () => {
  it('tells a new permission mode of the session', async () => {
    const script = playParts({ main: [{ text: 'Hello.' }] });
    const { troupe } = await createTroupe(script, { permissions: ALLOW_ALL });
    const session = troupe.session({ staysOpen: true });
    void session.prompt('Hi.');
    const messages: SessionMessage[] = [];
    for await (const message of session) {
      messages.push(message);
      if (message.type !== 'result') continue;
      session.setPermissionMode('plan');
      session.setPermissionMode('plan');
      session.end();
    }
    expect(messages.filter(subtype('status'))).toEqual([
      { type: 'system', subtype: 'status', status: null, permissionMode: 'plan', ...head },
    ]);
  });
});

describe('permission_denied', () => {
  it('says what kind of reason it was', async () => {
    const script = playParts({ main: [{ tools: [bashCall('make')] }, { text: 'No.' }] });
    const { troupe } = await createTroupe(script, { permissions: ASK_FIRST });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    expect(messages.filter(subtype('permission_denied'))).toEqual([
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Bash',
        tool_use_id: expect.any(String),
        decision_reason_type: expect.stringMatching(/^[a-z]+[A-Za-z]*$/),
        decision_reason: expect.stringMatching(/\w/),
        message: expect.stringContaining('denied'),
        ...head,
      },
    ]);
  });
});

describe('a result', () => {
  it('names the prompts of its turn by the IDs of the client', async () => {
    const script = playParts({ main: [{ text: 'One.' }, { text: 'Two.' }] });
    const { troupe } = await createTroupe(script);
    const session = troupe.session({ staysOpen: true });
    void session.prompt('Hi.', { uuid: 'prompt-1' });
    const results: unknown[] = [];
    for await (const message of session) {
      if (message.type !== 'result') continue;
      const { result_index: index, user_message_uuid: uuid, user_message_uuids: all } = message;
      results.push([index, uuid, all]);
      if (results.length === 1) void session.prompt('Again.');
      else session.end();
    }
    expect(results).toEqual([
      [0, 'prompt-1', ['prompt-1']],
      [1, undefined, undefined],
    ]);
  });
});
