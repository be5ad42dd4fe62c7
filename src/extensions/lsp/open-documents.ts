import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FoundDiagnostic } from './protocol.js';

/** Documents that are open in one server. The server reads all other files from disk. */
const MOST_DOCUMENTS = 50;

/** A document that is open in a server. */
export type OpenDocument = {
  readonly uri: string;
  readonly path: string;
  version: number;
  text: string;
  /** Identifies the state of the file on disk that `text` is from. */
  signature: string;
  diagnostics: readonly FoundDiagnostic[];
  /** The server has published diagnostics since the last change. */
  isJudged: boolean;
  /** The server has said that they are for this version. */
  isOfVersion: boolean;
};

type Notify = (method: string, params: unknown) => void;

/** The documents of one server. A document that has changed on disk is closed: the server reads the file again. */
export interface OpenDocuments {
  /** Open a document or change its text. */
  sync(path: string, text: string): OpenDocument;
  /** Close a document; the server reads the file from disk. */
  close(path: string): void;
  find(path: string): OpenDocument | undefined;
}

export function createOpenDocuments(
  notify: Notify,
  languageOf: (path: string) => string,
): OpenDocuments {
  /** By path, the one that was used last at the end. */
  const documents = new Map<string, OpenDocument>();

  const close = (path: string): void => {
    const document = documents.get(path);
    if (document === undefined) return;
    documents.delete(path);
    notify('textDocument/didClose', { textDocument: { uri: document.uri } });
  };

  const closeOthers = (path: string): void => {
    const others = [...documents.values()].filter((one) => one.path !== path);
    for (const one of others) if (signatureOf(one.path) !== one.signature) close(one.path);
    const [oldest] = documents.keys();
    if (documents.size >= MOST_DOCUMENTS && !documents.has(path)) close(oldest ?? path);
  };

  const open = (path: string, text: string): OpenDocument => {
    const document: OpenDocument = {
      uri: pathToFileURL(path).href,
      path,
      version: 1,
      text,
      signature: signatureOf(path),
      diagnostics: [],
      isJudged: false,
      isOfVersion: false,
    };
    const { uri, version } = document;
    const textDocument = { uri, languageId: languageOf(path), version, text };
    notify('textDocument/didOpen', { textDocument });
    return document;
  };

  return {
    close,
    find: (path) => documents.get(path),
    sync(path, text) {
      closeOthers(path);
      const document = documents.get(path) ?? open(path, text);
      documents.delete(path);
      documents.set(path, document);
      document.signature = signatureOf(path);
      if (document.text === text) return document;
      document.text = text;
      document.version += 1;
      document.isJudged = false;
      document.isOfVersion = false;
      const { uri, version } = document;
      const textDocument = { uri, version };
      notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
      notify('textDocument/didSave', { textDocument: { uri } });
      return document;
    },
  };
}

function signatureOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
