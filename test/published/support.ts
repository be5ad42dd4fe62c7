import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestContext } from 'vitest';
import type {
  FakeMessagesApi,
  FakeMessagesApiOptions,
} from '../../src/testing/fake-messages-api.js';
import { createPlace, type Place } from '../e2e/support/place.js';
import { COMMAND } from '../e2e/support/troupe-process.js';

/** The folder into which `npm run test:published` installs published programs. */
export const PUBLISHED = join(import.meta.dirname, '../../.build/published/node_modules');

export type Message = { readonly type: string; readonly [field: string]: unknown };
type Prompt = string | AsyncIterable<object>;

/** The part of a running query of the published SDK that these tests use. */
export interface Query extends AsyncIterable<Message> {
  interrupt(): Promise<unknown>;
  setModel(model?: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  setMaxThinkingTokens(tokens: number | null): Promise<void>;
  supportedModels(): Promise<
    readonly { readonly value: string; readonly resolvedModel?: string }[]
  >;
  supportedCommands(): Promise<readonly { readonly name: string }[]>;
  supportedAgents(): Promise<readonly { readonly name: string }[]>;
  mcpServerStatus(): Promise<readonly { readonly name: string; readonly status: string }[]>;
  setMcpServers(servers: Readonly<Record<string, object>>): Promise<object>;
  toggleMcpServer(name: string, isEnabled: boolean): Promise<void>;
  reconnectMcpServer(name: string): Promise<void>;
  reloadOutputStyles(): Promise<{ readonly available_output_styles: readonly string[] }>;
  initializationResult(): Promise<{ readonly available_output_styles: readonly string[] }>;
  accountInfo(): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

type Published = {
  query(given: { prompt: Prompt; options: Readonly<Record<string, unknown>> }): Query;
  tool(
    name: string,
    description: string,
    shape: object,
    call: (input: never) => Promise<object>,
  ): object;
  createSdkMcpServer(given: {
    name: string;
    tools: readonly object[];
  }): Readonly<Record<string, unknown>>;
  listSessions(given: { dir: string }): Promise<readonly Readonly<Record<string, unknown>>[]>;
  getSessionMessages(
    id: string,
    given: { dir: string },
  ): Promise<readonly { readonly message: unknown }[]>;
};

const sdk = join(PUBLISHED, '@anthropic-ai/claude-agent-sdk/sdk.mjs');
/** The SDK as it is published, not a part of Troupe. */
export const published = (await import(pathToFileURL(sdk).href)) as Published;

/** A program of the published SDK, whose command is the one that is built here. */
export interface Program {
  readonly place: Place;
  readonly api: FakeMessagesApi;
  /** Lines of the command's stderr. */
  readonly stderr: readonly string[];
  query(prompt: Prompt, options?: Readonly<Record<string, unknown>>): Query;
  /** All messages of a query. */
  run(prompt: Prompt, options?: Readonly<Record<string, unknown>>): Promise<readonly Message[]>;
}

export async function createProgram(
  onTestFinished: TestContext['onTestFinished'],
  answers: FakeMessagesApiOptions,
): Promise<Program> {
  const place = await createPlace(onTestFinished);
  const api = await place.api(answers);
  const stderr: string[] = [];
  const query: Program['query'] = (said, options = {}) => {
    const running = published.query({
      prompt: said,
      options: {
        pathToClaudeCodeExecutable: COMMAND,
        executable: process.execPath,
        cwd: place.cwd,
        env: environment(place, api),
        stderr: (text: string) => void stderr.push(text),
        ...options,
      },
    });
    onTestFinished(() => running.close());
    return running;
  };
  return { place, api, stderr, query, run: (...given) => collect(query(...given)) };
}

export function environment(place: Place, api: FakeMessagesApi): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: place.home,
    TROUPE_HOME: place.troupeHome,
    TMPDIR: place.temporary,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test',
  };
}

export async function collect(query: AsyncIterable<Message>): Promise<readonly Message[]> {
  const messages: Message[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

export function resultOf(messages: readonly Message[]): Message {
  const result = messages.find(({ type }) => type === 'result');
  if (result === undefined) throw new Error(`no result among ${JSON.stringify(messages)}`);
  return result;
}

export function prompt(text: string): object {
  return {
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
  };
}

/** Prompts that are given one by one, for a query with streaming input. */
export function createPrompts(): AsyncIterable<object> & { say(text: string): void; end(): void } {
  const waiting: object[] = [];
  let isOver = false;
  let wake = (): void => {};
  return {
    say(text) {
      waiting.push(prompt(text));
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
