import type { World } from '../command.js';
import type {
  AgentContext,
  ClientCapabilities,
  McpServer,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { given } from '../../api/given.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import { warnOfSession } from '../headless/warn-of-session.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../run/prepare-run.js';
import { describeWaiting } from '../run/run-settings.js';
import { createAcpSession, type AcpSession } from './acp-session.js';
import { createCallUpdates } from './call-updates.js';
import { toEditorFiles } from './client-files.js';
import { commandsUpdate } from './commands-update.js';
import { createPermissionHandler, type Asking } from './permission-requests.js';
import { createQuestionHandler, toClientElicitation } from './questions.js';
import { createSessionSettings, type SessionSettings } from './session-settings.js';
import { createSessionUpdates } from './session-updates.js';
import { createSessionNews, notice } from './session-news.js';
import { toMcpConfig } from './to-mcp-config.js';

/** The session that a client wants. */
export type Wanted = {
  /** An absolute path. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** The session to resume; a new one if absent. */
  readonly resume?: string;
};

export type OpenedSession = AcpSession & {
  readonly sessionId: string;
  readonly cwd: string;
  readonly settings: SessionSettings;
  /** Send the commands of the session, and lines that its client has to know. The client must know the session. */
  greet(): Promise<void>;
  /** Resolve when everything of the session has ended. Its journal stays. */
  close(reason: string): Promise<void>;
};

export type OpeningOptions = {
  readonly run: RunArguments;
  readonly world: World;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Write a line to stderr. */
  readonly warn: (line: string) => void;
};

/**
 * Open a session with its own orchestrator: settings, trust, rules and servers are those of its folder.
 *
 * @throws UsageError, ModelAuthMissingError
 */
export async function openAcpSession(
  wanted: Wanted,
  { run, world, client, capabilities, warn }: OpeningOptions,
): Promise<OpenedSession> {
  const prepared = await prepare(wanted, { run, world, warn });
  const { cwd } = wanted;
  for (const line of [...describeWaiting(prepared.waiting), ...prepared.warnings]) warn(line);
  const { permissions, env = {}, limitModels } = prepared.options;
  const onElicitation = toClientElicitation(capabilities, () => asking);
  const editor = toEditorFiles(client, capabilities, () => asking.sessionId);
  const orchestrator = await openOrchestrator({
    ...prepared.options,
    ...given({ onElicitation, editor }),
  });
  const close = (reason: string): Promise<void> => orchestrator.close(reason);
  let asking: Asking;
  try {
    const session = orchestrator.session({
      ...prepared.start,
      permissionMode: permissions.mode, // a resumed session may have had a laxer mode
      staysOpen: true,
      includePartialMessages: true,
      replayPrompts: true,
      forwardSubagentText: false,
    });
    const { sessionId } = session;
    const warnOfDenied = warnOfSession(session, agentsOf(prepared), warn);
    const calls = createCallUpdates({ cwd });
    const toUpdates = createSessionUpdates(calls);
    const settings = createSessionSettings(session, {
      permissions,
      names: { env, limitModels },
      modelName: prepared.start.modelName ?? prepared.options.modelName,
      effort: prepared.start.effort,
    });
    const isNamed = wanted.resume !== undefined;
    const toNews = createSessionNews(session, capabilities, { isNamed });
    const opened = createAcpSession({
      session,
      client,
      settings,
      toUpdates: (message) => [...toUpdates(message), ...toNews(message)],
    });
    const folderFile = await prepared.folderFile();
    asking = { client, sessionId, calls, editor, send: opened.send, folderFile };
    orchestrator.approvals.onRequest(createPermissionHandler(asking), {
      by: 'client',
      kinds: ['permission', 'plan'],
    });
    orchestrator.approvals.onRequest(createQuestionHandler(asking, capabilities), {
      by: 'client',
      kinds: ['question'],
    });
    const tellCommands = (): Promise<void> => opened.send([commandsUpdate(session)]);
    let isGreeted = false;
    const greet = async (): Promise<void> => {
      await tellCommands();
      if (isGreeted) return;
      isGreeted = true;
      session.events.on('mcp.status', tellCommands); // prompts of servers are commands
      session.events.on('settings.changed', tellCommands);
      const waiting = describeWaiting(prepared.waiting);
      await opened.send(waiting.map((line) => waitingUpdate(line, capabilities)));
    };
    return {
      ...opened,
      sessionId,
      cwd,
      settings,
      greet,
      async close(reason) {
        await close(reason);
        warnOfDenied();
      },
    };
  } catch (error) {
    await close('the session could not begin');
    throw error;
  }
}

/** Prepare the run of a session: the choices of the command line, and those of the client. */
function prepare(
  { cwd, additionalDirectories, mcpServers, resume }: Wanted,
  { run, world, warn }: Pick<OpeningOptions, 'run' | 'warn' | 'world'>,
): Promise<PreparedRun> {
  return prepareRun(
    {
      ...run,
      addDirectories: [...run.addDirectories, ...additionalDirectories],
      mcpConfigs: [...run.mcpConfigs, ...toMcpConfig(mcpServers)],
      resume,
    },
    { ...world, cwd },
    { warn },
  );
}

function agentsOf({ missingTools, start }: PreparedRun) {
  return { missingTools, used: [start.agent] };
}

/** Tell the person that settings wait for trust: as a notice, or as words of the agent. */
function waitingUpdate(line: string, { session }: ClientCapabilities): SessionUpdate {
  if (session?.notices) return notice('This folder is not trusted', line);
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${line}\n\n` } };
}
