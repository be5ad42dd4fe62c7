// A chat, written for @anthropic-ai/claude-agent-sdk: prompts that are sent as they come, replies shown while they are
// written, an interrupt, a tool of the program itself, and a session that is resumed twice. Only the import of the
// program differs here; the lines with `offline` make it run offline.
import assert from 'node:assert/strict';
import { createSdkMcpServer, query, tool } from 'troupe'; // was: from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod';
import { startChat } from './offline/chat.mjs';

const offline = await startChat();

const known = new Map();
const notes = createSdkMcpServer({
  name: 'notes',
  version: '1.0.0',
  tools: [
    tool(
      'remember',
      'Keeps a note.',
      { key: z.string().min(1), value: z.string() },
      async ({ key, value }) => {
        known.set(key, value);
        return { content: [{ type: 'text', text: `noted ${key}.` }] };
      },
    ),
    tool('recall', 'Finds a note.', { key: z.string() }, async ({ key }) => ({
      content: [{ type: 'text', text: `${key}: ${known.get(key) ?? 'nothing'}` }],
    })),
  ],
});
const options = {
  cwd: offline.folder,
  model: 'claude-haiku-5-5',
  systemPrompt: 'You are a travel companion.',
  mcpServers: { notes },
  allowedTools: ['mcp__notes__remember', 'mcp__notes__recall'],
  includePartialMessages: true,
};

const prompts = [
  'Remember when my ferry leaves: 9:40.',
  'Tell me a very long story.',
  'When does my ferry leave?',
];
let next = () => {};
async function* typed() {
  for (const text of prompts) {
    console.log(`\n> ${text}`);
    yield {
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
    };
    await new Promise((resolve) => {
      next = resolve;
    });
  }
}

const chat = query({ prompt: typed(), options });
const results = [];
let shown = '';
let sessionId;
let servers;
let isStory = false;
for await (const message of chat) {
  if (message.type === 'system' && message.subtype === 'init') {
    sessionId = message.session_id;
    servers = message.mcp_servers;
    await chat.setPermissionMode('acceptEdits');
  }
  if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
    const { delta } = message.event;
    if (delta.type !== 'text_delta') continue;
    process.stdout.write(delta.text);
    shown += delta.text;
    if (results.length === 1 && !isStory) {
      isStory = true;
      await chat.interrupt();
    }
  }
  if (message.type === 'result') {
    results.push(message);
    console.log(` [${message.subtype}]`);
    next();
  }
}

/** Asks once more, in the same session or in a copy of it. */
async function ask(prompt, more) {
  let last;
  for await (const message of query({ prompt, options: { ...options, ...more } })) last = message;
  console.log(`\n> ${prompt}\n${last.result}`);
  return last;
}
const forked = await ask('How often have I asked?', { resume: sessionId, forkSession: true });
const resumed = await ask('How often have I asked?', { resume: sessionId });

assert.deepEqual(
  results.map(({ subtype, is_error }) => [subtype, is_error]),
  [
    ['success', false],
    ['error_during_execution', true],
    ['success', false],
  ],
);
assert.equal(results[0].result, 'So it is: noted ferry.');
assert.equal(results[2].result, 'So it is: ferry: 9:40');
assert.deepEqual(servers, [{ name: 'notes', status: 'connected' }]);
assert.ok(isStory && shown.includes('Once upon a time') && shown.includes('ferry: 9:40'));
assert.notEqual(forked.session_id, sessionId);
assert.equal(resumed.session_id, sessionId);
assert.deepEqual([forked.result, resumed.result], Array(2).fill('You have asked me 4 times.'));
await offline.close();
