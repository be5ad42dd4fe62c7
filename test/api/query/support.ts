import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { query } from '../../../src/api/query/query.js';
import type { QueryOptions } from '../../../src/api/query/query-options.js';
import type { SDKUserMessage } from '../../../src/api/query/query-types.js';
import type { ResultMessage } from '../../../src/actors/contract/result-message.js';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import {
  createFakeMessagesApi,
  type FakeMessagesApiOptions,
} from '../../../src/testing/fake-messages-api.js';
import { createFolder } from '../../support/troupe.js';

/** A folder to work in, a home, and a fake of the Messages API that the options lead to. */
export async function createQueries(answers: FakeMessagesApiOptions) {
  const folder = await createFolder();
  const cwd = join(folder, 'work');
  const home = join(folder, 'home');
  await mkdir(cwd);
  const api = await createFakeMessagesApi(answers);
  onTestFinished(() => api.close());
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: folder,
    TROUPE_HOME: home,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test',
  };
  const told: string[] = [];
  return {
    api,
    cwd,
    home,
    env,
    /** Lines for stderr. */
    told,
    at: (name: string): string => join(cwd, name),
    ask: (prompt: Parameters<typeof query>[0]['prompt'], options: QueryOptions = {}) =>
      query({
        prompt,
        options: { cwd, env, stderr: (line) => void told.push(line), ...options },
      }),
  };
}

export async function collect(messages: AsyncIterable<SessionMessage>): Promise<SessionMessage[]> {
  const all: SessionMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

/** The last message, which is the result. */
export async function resultOf(
  messages: AsyncIterable<SessionMessage>,
): Promise<ResultMessage & { readonly session_id: string }> {
  const last = (await collect(messages)).at(-1);
  if (last?.type !== 'result') throw new Error(`The last message is ${last?.type}.`);
  return last;
}

export function user(content: SDKUserMessage['message']['content']): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  };
}

/** Prompts that a test gives one by one. */
export function createPrompts(): AsyncIterable<SDKUserMessage> & { say(text: string): void } {
  const waiting: string[] = [];
  let wake = (): void => {};
  return {
    say(text) {
      waiting.push(text);
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const text = waiting.shift();
        if (text !== undefined) yield user(text);
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
