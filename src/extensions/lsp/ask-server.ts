import { pathToFileURL } from 'node:url';
import type { LspAnswer, LspPosition, LspQuery } from '../../tools/language-servers.js';
import type { LanguageServer } from './language-server.js';
import { documentSymbols, Hover, Locations, WorkspaceSymbols } from './protocol.js';

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

function toPosition({ line, character }: LspPosition): LspPosition {
  return { line: line - 1, character: character - 1 };
}
