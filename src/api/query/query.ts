import { toThinking } from '../../model/choice/to-thinking.js';
import { UsageError } from '../../core/errors.js';
import {
  backgroundTasks,
  describeSession,
  listServers,
  listStyles,
  stopTask,
  toContextUsageReport,
  toPermissionMode,
} from './describe-session.js';
import type { OpenQuery } from './open-query.js';
import type { QueryOptions } from './query-options.js';
import type { Query, SDKUserMessage, UnsupportedQueryMethods } from './query-types.js';
import { toSdkMessage, type SDKMessage } from './sdk-messages.js';
import { UNSUPPORTED_METHODS, unsupportedError } from './unsupported.js';
import { requireTexts } from '../../core/text/require-text.js';

/** A prompt, or a stream of prompts, and options. */
export type QueryRequest = {
  /** The prompt, or prompts that are sent as they come; the session ends after the last of them. */
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  /** Options with the names of the Claude Agent SDK. */
  readonly options?: QueryOptions;
};

/**
 * Run one session with the options and messages of the Claude Agent SDK, in this process. If the session cannot begin,
 * the first `next` rejects; a run that ends in an error ends with a `result` that says so.
 *
 * @throws AbortError from the iteration, after `options.abortController` has aborted and everything has ended
 * @example for await (const message of query({ prompt: 'What is in this folder?', options: { allowedTools: ['Bash(ls
 * *)'] } })) if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
 */
export function query(request: QueryRequest): Query {
  const { prompt, options } = requireTexts('query', request, []);
  return createQuery(async () => {
    const { openQuery } = await import('./open-query.js'); // a program without queries does not need it
    return openQuery(prompt, options);
  });
}

/**
 * A query that begins when its messages or its methods are needed.
 *
 * @param dispose called when the query has ended, also if it never began
 */
export function createQuery(
  begin: () => Promise<OpenQuery>,
  dispose: () => Promise<void> = async () => {},
): Query {
  const { open, stop } = createOpening(begin, dispose);

  async function* read(): AsyncGenerator<SDKMessage, void, undefined> {
    const opened = await open();
    try {
      for await (const message of opened.session) yield toSdkMessage(message);
      opened.check();
    } finally {
      await stop();
    }
  }
  const messages = read();

  const initialise = async () => {
    const { prepared, session } = await open();
    return describeSession(session, prepared.options);
  };

  const self: Query = {
    next: () => messages.next(),
    async return() {
      await stop(); // ends a wait in `next`
      return messages.return();
    },
    async throw(error: unknown) {
      await stop();
      return messages.throw(error);
    },
    [Symbol.asyncIterator]: () => self,
    [Symbol.asyncDispose]: stop,
    close: () => void stop(),

    async interrupt() {
      (await open()).session.interrupt();
    },
    async setPermissionMode(mode) {
      const known = toPermissionMode(mode); // code in JavaScript can pass anything
      (await open()).session.setPermissionMode(known);
    },
    async setModel(model) {
      await (await open()).session.setModel(model);
    },
    async streamInput(prompts) {
      await (await open()).feed(prompts);
    },
    async stopTask(taskId) {
      await stopTask((await open()).session, taskId, 'the program stopped the query');
    },
    async setMaxThinkingTokens(tokens) {
      (await open()).session.setThinking(toThinking(tokens));
    },
    async getContextUsage() {
      return toContextUsageReport((await open()).session.contextUsage());
    },
    async backgroundTasks(toolUseId) {
      return backgroundTasks((await open()).session, toolUseId);
    },
    supportedCommands: async () => (await initialise()).commands,
    supportedModels: async () => (await initialise()).models,
    supportedAgents: async () => (await initialise()).agents,
    accountInfo: async () => (await initialise()).account,
    initializationResult: initialise,
    reinitialize: initialise,
    async applyFlagSettings(settings) {
      const { applyFlagSettings } = await import('./apply-flag-settings.js');
      await applyFlagSettings((await open()).session, settings);
    },
    ...rejectingMethods(),
    ...changingMethods(open),
    mcpServerStatus: async () => listServers((await open()).session),
  };
  return self;
}

/** Methods that change what a session has from files and servers. */
function changingMethods(
  open: () => Promise<OpenQuery>,
): Pick<
  Query,
  | 'reconnectMcpServer'
  | 'reloadOutputStyles'
  | 'reloadPlugins'
  | 'reloadSkills'
  | 'rewindFiles'
  | 'setMcpServers'
  | 'toggleMcpServer'
> {
  return {
    async rewindFiles(userMessageId, options) {
      const { rewindFiles } = await import('./rewind-files.js');
      return rewindFiles((await open()).session, userMessageId, options);
    },
    reloadPlugins: async (choices) => {
      const { reloadPlugins } = await import('./reload-session.js');
      return reloadPlugins((await open()).session, choices);
    },
    reloadSkills: async () => {
      const { reloadSkills } = await import('./reload-session.js');
      return reloadSkills((await open()).session);
    },
    setMcpServers: async (servers) => (await open()).setServers(servers),
    toggleMcpServer: async (name, isEnabled) => (await open()).mcp.toggle(name, isEnabled),
    reconnectMcpServer: async (name) => (await open()).mcp.reconnect(name),
    async reloadOutputStyles() {
      return { available_output_styles: await listStyles((await open()).prepared.options) };
    },
  };
}

function rejectingMethods(): UnsupportedQueryMethods {
  const methods = Object.entries(UNSUPPORTED_METHODS).map(([name, subtype]) => [
    name,
    () => Promise.reject(unsupportedError(subtype, `${name}()`)),
  ]);
  return Object.fromEntries(methods) as UnsupportedQueryMethods; // their names are the type's
}

/** Begin once, when it is needed, and not after the end. */
function createOpening(begin: () => Promise<OpenQuery>, dispose: () => Promise<void>) {
  let opening: Promise<OpenQuery> | undefined;
  let isEnded = false;
  return {
    open(): Promise<OpenQuery> {
      if (isEnded) return Promise.reject(new UsageError('The query has ended.'));
      return (opening ??= begin());
    },
    async stop(): Promise<void> {
      isEnded = true;
      const opened = await opening?.catch(() => undefined); // the caller that began it gets the error
      await opened?.close();
      await dispose();
    },
  };
}
