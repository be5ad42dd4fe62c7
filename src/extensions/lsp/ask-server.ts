import { pathToFileURL } from 'node:url';
import type {
  LspAnswer,
  LspPosition,
  LspQuery,
  LspSymbol,
} from '../../tools/capabilities/language-servers.js';
import type { LanguageServer } from './language-server.js';
import {
  CallItems,
  documentSymbols,
  Hover,
  IncomingCalls,
  Locations,
  OutgoingCalls,
  symbolOfCall,
  WorkspaceSymbols,
  type CallItem,
} from './protocol.js';
import type { RequestLimits } from './server-channel.js';

const REQUEST_MS = 60_000;
/** Time for a server to look at a file for the first time. */
const DIAGNOSTICS_MS = 10_000;

const LOCATION_METHODS = {
  goToDefinition: 'textDocument/definition',
  goToImplementation: 'textDocument/implementation',
  findReferences: 'textDocument/references',
} as const;

/** Ask a server that runs. Rejects with an `LspError`. */
export async function askServer(
  server: LanguageServer,
  query: LspQuery,
  signal: AbortSignal,
): Promise<LspAnswer> {
  const { operation, path } = query;
  const document = server.sync(path, query.text);
  const textDocument = { uri: pathToFileURL(path).href };
  const limits = { limitMs: REQUEST_MS, signal };
  switch (operation) {
    case 'goToDefinition':
    case 'goToImplementation':
    case 'findReferences': {
      const context = { includeDeclaration: true };
      const params = { textDocument, position: toPosition(query), context };
      const method = LOCATION_METHODS[operation];
      return {
        kind: 'locations',
        locations: await server.request(method, params, Locations, limits),
      };
    }
    case 'hover': {
      const params = { textDocument, position: toPosition(query) };
      return {
        kind: 'hover',
        text: await server.request('textDocument/hover', params, Hover, limits),
      };
    }
    case 'documentSymbol': {
      const schema = documentSymbols(path);
      const method = 'textDocument/documentSymbol';
      return {
        kind: 'symbols',
        symbols: await server.request(method, { textDocument }, schema, limits),
      };
    }
    case 'workspaceSymbol': {
      const params = { query: query.query };
      const method = 'workspace/symbol';
      return {
        kind: 'symbols',
        symbols: await server.request(method, params, WorkspaceSymbols, limits),
      };
    }
    case 'prepareCallHierarchy':
    case 'incomingCalls':
    case 'outgoingCalls': {
      const params = { textDocument, position: toPosition(query) };
      const method = 'textDocument/prepareCallHierarchy';
      const items = await server.request(method, params, CallItems, limits);
      return { kind: 'symbols', symbols: await askCalls(server, operation, items, limits) };
    }
    case 'diagnostics': {
      const sent = server.reopen(document);
      const isJudged = await server.judged(sent, { limitMs: DIAGNOSTICS_MS, signal });
      signal.throwIfAborted();
      const diagnostics = sent.diagnostics.map((one) => ({ path, ...one }));
      return { kind: 'diagnostics', diagnostics, isPartial: !isJudged };
    }
    default:
      return operation satisfies never;
  }
}

async function askCalls(
  server: LanguageServer,
  operation: 'prepareCallHierarchy' | 'incomingCalls' | 'outgoingCalls',
  items: readonly CallItem[],
  limits: RequestLimits,
): Promise<readonly LspSymbol[]> {
  if (operation === 'prepareCallHierarchy') return items.map((item) => symbolOfCall(item));
  const schema = operation === 'incomingCalls' ? IncomingCalls : OutgoingCalls;
  const ask = (item: CallItem) =>
    server.request(`callHierarchy/${operation}`, { item }, schema, limits);
  return (await Promise.all(items.map(ask))).flat();
}

function toPosition({ line, character }: LspPosition): LspPosition {
  return { line: line - 1, character: character - 1 };
}
