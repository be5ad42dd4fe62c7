import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Service } from '../../processes/run/service.js';
import type { LspServerConfig } from '../../settings/schema/lsp-settings.js';
import { answerServer } from './answer-server.js';
import { chooseJudgements, createJudgements, type Judgements } from './judgements.js';
import { createOpenDocuments, type OpenDocument, type OpenDocuments } from './open-documents.js';
import { InitializeResult } from './protocol.js';
import { openChannel, type ServerChannel } from './server-channel.js';

const STARTUP_MS = 30_000;

/** A language server that runs, with the documents that are open in it. */
export interface LanguageServer
  extends ServerChannel, Pick<OpenDocuments, 'sync' | 'find'>, Pick<Judgements, 'judged'> {
  readonly service: Service;
  /** Send a document again if the server has not looked at its text: some servers publish only what has changed. */
  reopen(document: OpenDocument): OpenDocument;
}

export type LanguageServerOptions = {
  readonly name: string;
  readonly config: LspServerConfig;
  /** Folder of the project, an absolute path. */
  readonly root: string;
};

/**
 * Initialize a server that the supervisor has started. If that fails, this kills the server and rejects with an
 * `LspError`.
 */
export async function openLanguageServer(
  service: Service,
  { name, config, root }: LanguageServerOptions,
): Promise<LanguageServer> {
  const published = createJudgements(service, () => documents);
  const channel = openChannel(service, name, {
    onRequest: (method, params) => answerServer(method, params, { config, root }),
    onNotification: { 'textDocument/publishDiagnostics': published.publish },
  });
  const documents = createOpenDocuments(
    channel.notify,
    (path) => config.extensionToLanguage[extname(path)] ?? 'plaintext',
  );
  try {
    const { capabilities } = await channel.request(
      'initialize',
      initializeParams(config, root),
      InitializeResult,
      { limitMs: config.startupTimeout ?? STARTUP_MS, signal: NEVER },
    );
    channel.notify('initialized', {});
    if (config.settings !== undefined)
      channel.notify('workspace/didChangeConfiguration', { settings: config.settings });
    const { judged, isPublished } = chooseJudgements(capabilities, channel, published);
    return {
      service,
      ...channel,
      judged,
      sync: documents.sync,
      find: documents.find,
      reopen(document) {
        if (isPublished !== true || document.isJudged) return document;
        documents.close(document.path);
        return documents.sync(document.path, document.text);
      },
    };
  } catch (error) {
    service.kill();
    throw error;
  }
}

const NEVER = new AbortController().signal;

function initializeParams({ initializationOptions }: LspServerConfig, root: string) {
  const rootUri = pathToFileURL(root).href;
  return {
    processId: null, // the reaper ends the server, in whatever namespace it runs
    clientInfo: { name: 'troupe' },
    rootPath: root,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: basename(root) }],
    capabilities: CLIENT_CAPABILITIES,
    ...(initializationOptions !== undefined && { initializationOptions }),
  };
}

/** The parts of the protocol that this client knows. Edits, commands and dialogues of servers are not among them. */
const CLIENT_CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { configuration: true, workspaceFolders: true, applyEdit: false },
  window: { workDoneProgress: false, showDocument: { support: false } },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    callHierarchy: {},
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
} as const;
