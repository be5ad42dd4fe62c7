import {
  agent,
  methods,
  PROTOCOL_VERSION,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type Stream,
} from '@agentclientprotocol/sdk';
import { userFolders } from '../../api/files/folders.js';
import { readOwnPackage } from '../../api/files/own-package.js';
import { prepareRun } from '../run/prepare-run.js';
import { listPage } from './list-page.js';
import type { OpenedSession, OpeningOptions } from './open-session.js';
import { replay } from './replay.js';
import { createSessionRegistry, type SessionRegistry } from './session-registry.js';
import { toRequestError } from './to-request-error.js';

/** The capabilities of Troupe. */
const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { additionalDirectories: {}, close: {}, list: {}, resume: {} },
};

export interface AcpServer {
  /** Resolves when the client has closed the connection. */
  readonly closed: Promise<void>;
  /** End all sessions and the connection. A second call waits for the same end. */
  close(reason: string): Promise<void>;
}

type Options = Pick<OpeningOptions, 'run' | 'warn' | 'world'>;

/** Serve a client of the Agent Client Protocol: many sessions at once, each with its own orchestrator. */
export function serveAcp(stream: Stream, options: Options): AcpServer {
  const home = userFolders(options.world.env).troupe;
  const sessions = createSessionRegistry(home);
  let capabilities: ClientCapabilities = {};
  const opening = (client: AgentContext): OpeningOptions => ({ ...options, client, capabilities });

  const app = agent({ name: 'troupe' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentCapabilities: CAPABILITIES,
        agentInfo: { name: 'troupe', title: 'Troupe', version: readOwnPackage().version },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () =>
      answer(async () => {
        await prepareRun(options.run, options.world); // throws if there is no key
        return {};
      }),
    );
  serveSessions(app, { sessions, opening, home });
  serveTurns(app, sessions);

  const connection = app.connect(stream);
  let closing: Promise<void> | undefined;
  const close = async (reason: string): Promise<void> => {
    await sessions.close(reason);
    connection.close();
  };
  return { closed: connection.closed, close: (reason) => (closing ??= close(reason)) };
}

/** Serve the requests that begin, list and end sessions. */
function serveSessions(
  app: AgentApp,
  {
    sessions,
    opening,
    home,
  }: {
    readonly sessions: SessionRegistry;
    readonly opening: (client: AgentContext) => OpeningOptions;
    readonly home: string;
  },
): void {
  app
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      answer(async () => {
        const { cwd, additionalDirectories = [], mcpServers } = params;
        const wanted = { cwd, additionalDirectories, mcpServers };
        const session = await sessions.open(wanted, opening(client));
        return { sessionId: session.sessionId, ...stateOf(session) };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      answer(async () => {
        const { found, session } = await sessions.resume(params, opening(client));
        for (const update of replay(found, session.cwd)) await session.send([update]);
        return stateOf(session);
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      answer(async () => stateOf((await sessions.resume(params, opening(client))).session)),
    )
    .onRequest(methods.agent.session.list, ({ params }) => answer(() => listPage(home, params)))
    .onRequest(methods.agent.session.close, ({ params }) =>
      answer(async () => {
        await sessions.end(params.sessionId, 'the client has closed the session');
        return {};
      }),
    );
}

/** Serve the requests to an open session. */
function serveTurns(app: AgentApp, { find }: Pick<SessionRegistry, 'find'>): void {
  app
    .onRequest(methods.agent.session.prompt, ({ params }) =>
      answer(async () => ({ stopReason: await find(params.sessionId).prompt(params.prompt) })),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => find(params.sessionId).cancel())
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      answer(() => {
        const { settings, send } = find(params.sessionId);
        settings.setMode(params.modeId);
        const configOptions = settings.options();
        void send([{ sessionUpdate: 'config_option_update', configOptions }]);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      answer(async () => {
        const { settings, send } = find(params.sessionId);
        const { currentModeId: before } = settings.modes();
        await settings.setOption(params.configId, params.value);
        const { currentModeId } = settings.modes();
        if (currentModeId !== before)
          void send([{ sessionUpdate: 'current_mode_update', currentModeId }]);
        return { configOptions: settings.options() };
      }),
    );
}

/** The settings of a session. Its commands follow the response, from which the client knows the session. */
function stateOf({ settings, greet }: OpenedSession) {
  setImmediate(() => void greet());
  return { modes: settings.modes(), configOptions: settings.options() };
}

/** Make a response. An error gets the code and the words of an error response. */
async function answer<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRequestError(error);
  }
}
