import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { agent, bash, newestText } from '../e2e/support/answers.js';
import { createProgram, createPrompts, environment, PUBLISHED, type Message } from './support.js';

const TSC = join(import.meta.dirname, '../../node_modules/.bin/tsc');
const DONE = { text: 'Done.' };

/** Fields that Troupe adds to published messages, and fields of the Messages API, which have their own types. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  api_retry: ['message'],
  error_during_execution: ['api_error_status'],
  hook_response: ['tool_name'],
  hook_started: ['tool_name'],
  rate_limit_event: ['message', 'severity'],
};
const OF_THE_API: Readonly<Record<string, string>> = {
  assistant: 'message',
  result: 'usage',
  stream_event: 'event',
};

const kindOf = ({ type, subtype }: Message): string => (subtype as string | undefined) ?? type;

/** A message as a literal, whose fields the compiler compares with those of the published type. */
function toLiteral(message: Message): string {
  const added = ADDED[kindOf(message)] ?? [];
  const fields = Object.entries(message).filter(([name]) => !added.includes(name));
  const literals = fields.map(([name, value]) => {
    const isOfApi = OF_THE_API[message.type] === name;
    return `${name}: ${isOfApi ? '{} as never' : JSON.stringify(value)}`;
  });
  return `{ ${literals.join(', ')} }`;
}

/** The errors that the compiler finds in messages, as values of the published `SDKMessage`. */
async function typeErrors(messages: readonly Message[]): Promise<readonly string[]> {
  const file = join(PUBLISHED, `../messages-${process.pid}-${performance.now()}.ts`);
  const lines = messages.map(
    (message, index) => `export const m${index}: SDKMessage = ${toLiteral(message)};`,
  );
  const head = `import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';`;
  await writeFile(file, `${[head, ...lines].join('\n')}\n`);
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', 'node'];
  const how = ['--module', 'nodenext', '--target', 'es2022'];
  const run = promisify(execFile)(TSC, [...flags, ...how, file]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => line !== '');
}

/** A turn that a sub-agent, a hook, a denial and a busy endpoint are part of. */
const busyTurn = (onTestFinished: TestContext['onTestFinished']) =>
  createProgram(onTestFinished, {
    replies: [{ status: 429, headers: { 'retry-after-ms': '1' } }],
    handler: ({ body }) => {
      const isBelow = JSON.stringify(body.messages[0]).includes('count the files');
      if (body.messages.length > 1) return isBelow ? { text: 'Three.' } : DONE;
      if (isBelow) return { tools: [bash('ls')] };
      const counter = { subagent_type: 'counter', run_in_background: false };
      return {
        tools: [
          bash('echo said'),
          agent('count the files', counter),
          { name: 'Write', input: { file_path: 'x', content: '' } },
        ],
      };
    },
  });

describe.concurrent('the messages of the command', () => {
  it('have the types that the SDK publishes', async ({ onTestFinished }) => {
    const { api, place, run } = await busyTurn(onTestFinished);
    const messages = await run('go', {
      agents: { counter: { description: 'Counts', prompt: 'You count.', tools: ['Bash'] } },
      allowedTools: ['Agent', 'Bash'],
      includePartialMessages: true,
      includeHookEvents: true,
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo {}' }] }] } },
      env: { ...environment(place, api), CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
    });
    expect(await typeErrors(messages)).toEqual([]);
    expect(new Set(messages.map(kindOf))).toEqual(
      new Set([
        'init',
        'session_state_changed',
        'rate_limit_event',
        'api_retry',
        'stream_event',
        'assistant',
        'hook_started',
        'hook_response',
        'task_started',
        'task_updated',
        'task_progress',
        'task_notification',
        'permission_denied',
        'user',
        'tool_progress',
        'success',
      ]),
    );
  });

  it('have them in a session of several prompts too', async ({ onTestFinished }) => {
    const { query } = await createProgram(onTestFinished, {
      handler(request) {
        const said = newestText(request);
        if (said.includes('refuse this')) return { text: 'I ', stopReason: 'refusal' };
        if (!said.includes('start it')) return DONE;
        return { tools: [bash('exec sleep 60', { run_in_background: true })] };
      },
    });
    const prompts = createPrompts();
    const queue = ['start it', 'refuse this'];
    prompts.say(queue.shift() ?? '');
    const running = query(prompts, { allowedTools: ['Bash'], model: 'sonnet' });
    const messages: Message[] = [];
    const read = async (): Promise<void> => {
      for await (const message of running) {
        messages.push(message);
        if (message.type !== 'result') continue;
        const next = queue.shift();
        if (next === 'refuse this') await running.setPermissionMode('plan');
        if (next === undefined) prompts.end();
        else prompts.say(next);
      }
    };
    await expect(read()).rejects.toThrow('The model refused to answer.'); // after its result
    expect(await typeErrors(messages)).toEqual([]);
    expect(new Set(messages.map(kindOf))).toEqual(
      new Set([
        'init',
        'assistant',
        'user',
        'task_started',
        'background_tasks_changed',
        'task_updated',
        'status',
        'model_refusal_no_fallback',
        'success',
        'error_during_execution',
      ]),
    );
  });

  it('are compared field by field: a wrong or unknown one is an error', async () => {
    const state = {
      type: 'system',
      subtype: 'session_state_changed',
      uuid: 'a-b-c-d-e',
      session_id: 's',
    };
    expect(await typeErrors([{ ...state, state: 'idle' }])).toEqual([]);
    expect(await typeErrors([{ ...state, state: 'asleep' }])).not.toEqual([]);
    expect(await typeErrors([{ ...state, state: 'idle', mood: 'good' }])).not.toEqual([]);
  });
});
