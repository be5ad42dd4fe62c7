import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../../src/actors/contract/handles.js';
import type { SessionMessage } from '../../../../src/actors/contract/session-message.js';
import { createMessageQueue } from '../../../../src/actors/sessions/messages/message-queue.js';
import { playParts } from '../../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../../support/troupe.js';

async function messagesOf(session: SessionHandle): Promise<readonly SessionMessage[]> {
  const messages: SessionMessage[] = [];
  for await (const message of session) messages.push(message);
  return messages;
}

/** A short description of each message. */
function outline(messages: readonly SessionMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    switch (message.type) {
      case 'assistant':
      case 'user': {
        const [block] = message.message.content as readonly { type: string }[];
        const below = message.parent_tool_use_id === null ? '' : ' below';
        return [`${message.type} ${block?.type}${below}`];
      }
      case 'system':
        return [message.subtype === 'task_updated' ? message.patch.status : message.subtype];
      case 'result':
        return [`result ${message.subtype}`];
      default:
        return [];
    }
  });
}

function resultsOf(messages: readonly SessionMessage[]) {
  return messages.filter((message) => message.type === 'result');
}

const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ name, input });

describe('the messages of a session', () => {
  it('show a session from its init to its result, each with its own ID', async () => {
    const { troupe, cwd } = await createTroupe(playParts({ main: [{ text: 'Hello.' }] }));
    const session = troupe.session({ prompt: 'Say hello.' });
    const messages = await messagesOf(session);
    expect(outline(messages)).toEqual(['init', 'assistant text', 'result success']);
    expect(messages[0]).toMatchObject({
      cwd,
      permissionMode: 'bypassPermissions',
      mcp_servers: [],
    });
    expect(resultsOf(messages)).toMatchObject([
      {
        is_error: false,
        result: 'Hello.',
        num_turns: 1,
        stop_reason: 'end_turn',
        terminal_reason: 'completed',
        permission_denials: [],
      },
    ]);
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(messages.length);
    expect(new Set(messages.map((message) => message.session_id))).toEqual(
      new Set([session.sessionId]),
    );
  });

  it('give each block and each tool result a line, the results in the order of the request', async () => {
    const script = playParts({
      main: [
        {
          text: 'Two commands.',
          tools: [
            call('Bash', { command: 'sleep 0.2; echo slow' }),
            call('Bash', { command: 'echo fast' }),
          ],
        },
        { text: 'Done.' },
      ],
    });
    const { troupe } = await createTroupe(script);
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    expect(outline(messages)).toEqual([
      'init',
      'assistant text',
      'assistant tool_use',
      'assistant tool_use',
      'user tool_result',
      'user tool_result',
      'assistant text',
      'result success',
    ]);
    const asked = messages.flatMap((message) =>
      message.type === 'assistant' && message.message.stop_reason === null
        ? [message.message.id]
        : [],
    );
    expect(new Set(asked).size).toBe(1);
    const answers = messages.flatMap((message) =>
      message.type === 'user' ? [JSON.stringify(message.message.content)] : [],
    );
    expect(answers).toEqual([expect.stringContaining('slow'), expect.stringContaining('fast')]);
  });

  it('show a sub-agent and its replies under the tool use that started it', async () => {
    const script = playParts({
      main: [
        {
          tools: [
            call('Agent', {
              subagent_type: 'helper',
              description: 'help',
              prompt: 'Help me.',
              run_in_background: false,
            }),
          ],
        },
        { text: 'Done.' },
      ],
      helper: [{ text: 'Helped.' }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('helper')] });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    expect(outline(messages)).toEqual([
      'init',
      'assistant tool_use',
      'task_started',
      'running',
      'user text below',
      'assistant text below',
      'completed',
      'task_notification',
      'user tool_result',
      'assistant text',
      'result success',
    ]);
    const started = messages.find(
      (message) => message.type === 'system' && message.subtype === 'task_started',
    );
    expect(started).toMatchObject({
      description: 'help',
      subagent_type: 'helper',
      task_type: 'local_agent',
      spawn_depth: 1,
    });
    expect(resultsOf(messages)).toMatchObject([
      { num_turns: 2, usage: { output_tokens: expect.any(Number) } },
    ]);
  });

  it('show background commands, and not those that are waited for', async () => {
    const script = playParts({
      main: [
        {
          tools: [
            call('Bash', { command: 'echo here' }),
            call('Bash', { command: 'exec sleep 60', run_in_background: true }),
          ],
        },
        { text: 'Done.' },
      ],
    });
    const { troupe } = await createTroupe(script);
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    const tasks = outline(messages).filter(
      (line) => !line.startsWith('assistant') && !line.startsWith('user'),
    );
    expect(tasks).toEqual([
      'init',
      'task_started',
      'background_tasks_changed',
      'running',
      'killed',
      'task_notification',
      'background_tasks_changed',
      'result success',
    ]);
  });

  it('list what was denied, at any depth', async () => {
    const script = playParts({
      main: [
        {
          tools: [
            call('Agent', {
              subagent_type: 'helper',
              description: 'help',
              prompt: 'Help.',
              run_in_background: false,
            }),
          ],
        },
        { text: 'Done.' },
      ],
      helper: [{ tools: [call('Bash', { command: 'make all' })] }, { text: 'No.' }],
    });
    const agents = [defineAgent('helper')];
    const { troupe } = await createTroupe(script, { agents, permissions: ASK_FIRST });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    const denied = messages.find(
      (message) => message.type === 'system' && message.subtype === 'permission_denied',
    );
    expect(denied).toMatchObject({ tool_name: 'Bash', agent_id: expect.stringMatching(/^a/) });
    expect(resultsOf(messages)).toMatchObject([
      { permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'make all' } }] },
    ]);
  });

  it('show that a command still runs, without its output', async () => {
    const command = 'for i in 1 2 3 4; do echo $i; sleep 0.05; done';
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [call('Bash', { command })] }, { text: 'Done.' }] }),
    );
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    expect(messages.filter(({ type }) => type === 'tool_progress')).toEqual([
      {
        type: 'tool_progress',
        tool_use_id: expect.any(String),
        tool_name: 'Bash',
        parent_tool_use_id: null,
        elapsed_time_seconds: expect.any(Number),
        uuid: expect.any(String),
        session_id: expect.any(String),
      },
    ]);
  });

  it('give an open session a result for each prompt, and none for its end', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ text: 'One.' }, { text: 'Two.' }] }),
    );
    const session = troupe.session({ staysOpen: true });
    const messages: SessionMessage[] = [];
    const asked = session.prompt('first');
    for await (const message of session) {
      messages.push(message);
      if (message.type !== 'result') continue;
      if (message.subtype === 'success' && message.result === 'One.')
        await session.prompt('second');
      else session.end();
    }
    await asked;
    expect(resultsOf(messages)).toMatchObject([
      { result: 'One.', num_turns: 1 },
      { result: 'Two.', num_turns: 1 },
    ]);
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'Two.' });
  });

  it('end with an error if the turns ran out', async () => {
    const script = playParts({ main: [{ tools: [call('Bash', { command: 'true' })] }] });
    const { troupe } = await createTroupe(script);
    const messages = await messagesOf(troupe.session({ prompt: 'Go.', maxTurns: 2 }));
    expect(resultsOf(messages)).toMatchObject([
      {
        subtype: 'error_max_turns',
        is_error: true,
        num_turns: 2,
        errors: ['Reached the maximum number of turns (2).'],
      },
    ]);
  });

  it('end with an error if the session was killed', async () => {
    const script = playParts({ main: [{ tools: [call('Bash', { command: 'sleep 60' })] }] });
    const { troupe } = await createTroupe(script);
    const session = troupe.session({ prompt: 'Go.' });
    const messages: SessionMessage[] = [];
    for await (const message of session) {
      messages.push(message);
      if (message.type === 'assistant') void session.kill('enough');
    }
    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['The session was stopped: enough'],
    });
  });
});

describe('createMessageQueue', () => {
  it('hands values on in order, also those that came before its end', async () => {
    const queue = createMessageQueue<number>();
    queue.push(1);
    queue.push(2);
    const read: number[] = [];
    const reading = (async () => {
      for await (const value of queue) read.push(value);
    })();
    await Promise.resolve();
    queue.push(3);
    queue.end();
    queue.push(4);
    await reading;
    expect(read).toEqual([1, 2, 3]);
  });
});
