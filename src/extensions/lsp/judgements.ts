import type { Service } from '../../processes/run/service.js';
import type { OpenDocument, OpenDocuments } from './open-documents.js';
import {
  CompilerDiagnostics,
  pathOfUri,
  PublishedDiagnostics,
  PulledDiagnostics,
  type ServerCapabilities,
} from './protocol.js';
import type { RequestLimits, ServerChannel } from './server-channel.js';

/** A server that publishes diagnostics in parts, without a version, has no longer pause between them. */
const QUIET_MS = 250;

/** Receives the diagnostics of open documents. */
export interface Judgements {
  /** Another publication may follow, and none if nothing differs from the last one. */
  readonly isPublished?: true;
  /** Handle the notification that a server has looked at a file. */
  publish(params: unknown): void;
  /**
   * Resolve with true when the server has looked at the text of a document, and its diagnostics are in it; with false
   * if that takes too long, or the server does not say it.
   */
  judged(document: OpenDocument, limits: RequestLimits): Promise<boolean>;
}

/** @param documents a function, since the documents are made later */
export function createJudgements(
  service: Pick<Service, 'ended'>,
  documents: () => Pick<OpenDocuments, 'find'>,
): Judgements {
  const events = new EventTarget();
  void service.ended.then(() => events.dispatchEvent(new Event(ENDED)));
  return {
    isPublished: true,
    publish(params) {
      const { data } = PublishedDiagnostics.safeParse(params);
      const document = data && documents().find(pathOfUri(data.uri));
      if (document === undefined || (data?.version ?? document.version) < document.version) return;
      document.diagnostics = data?.diagnostics ?? [];
      document.isJudged = true;
      document.isOfVersion = data?.version === document.version;
      events.dispatchEvent(new Event(document.uri));
    },
    async judged(document, { limitMs, signal }) {
      const end = Date.now() + limitMs;
      while (!document.isOfVersion) {
        const leftMs = Math.max(0, end - Date.now());
        const waitMs = document.isJudged ? Math.min(QUIET_MS, leftMs) : leftMs;
        const isNext = await nextEvent(events, document.uri, { limitMs: waitMs, signal });
        if (!isNext || Date.now() >= end) return document.isJudged;
      }
      return true;
    },
  };
}

/** The same for a server that is asked for diagnostics instead of publishing them. */
function createPulledJudgements(channel: ServerChannel): Judgements {
  return {
    publish() {},
    async judged(document, limits) {
      const { uri, version } = document;
      const params = { textDocument: { uri } };
      const answer = await channel
        .request('textDocument/diagnostic', params, PulledDiagnostics, limits)
        .catch(() => undefined); // too late, or refused
      if (answer === undefined || document.version !== version) return false;
      document.diagnostics = answer.items;
      document.isJudged = true;
      return true;
    },
  };
}

/**
 * The same for a server that forwards requests to the TypeScript compiler. It publishes syntax errors first and does not
 * say when the others follow, but the compiler's answers are complete.
 */
function createCompilerJudgements(channel: ServerChannel): Judgements {
  return {
    publish() {},
    async judged(document, limits) {
      const { path, version } = document;
      const ask = (command: string) =>
        channel.request(
          'workspace/executeCommand',
          { command: COMPILER_COMMAND, arguments: [command, { file: path }] },
          CompilerDiagnostics,
          limits,
        );
      const answers = await Promise.all([
        ask('syntacticDiagnosticsSync'),
        ask('semanticDiagnosticsSync'),
      ]).catch(() => undefined); // too late, or refused
      if (answers === undefined || document.version !== version) return false;
      document.diagnostics = answers.flat();
      document.isJudged = true;
      return true;
    },
  };
}

/** Choose by the server's capabilities. */
export function chooseJudgements(
  { diagnosticProvider, executeCommandProvider }: ServerCapabilities,
  channel: ServerChannel,
  published: Judgements,
): Judgements {
  if (diagnosticProvider) return createPulledJudgements(channel);
  const { commands = [] } = executeCommandProvider ?? {};
  return commands.includes(COMPILER_COMMAND) ? createCompilerJudgements(channel) : published;
}

const COMPILER_COMMAND = 'typescript.tsserverRequest';
const ENDED = 'ended';

/** Whether the event comes in time. */
async function nextEvent(
  target: EventTarget,
  type: string,
  { limitMs, signal }: RequestLimits,
): Promise<boolean> {
  if (signal.aborted) return false;
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      const options = { once: true, signal: over.signal };
      target.addEventListener(type, () => resolve(true), options);
      target.addEventListener(ENDED, () => resolve(false), options);
      signal.addEventListener('abort', () => resolve(false), options);
      timer = setTimeout(resolve, limitMs, false);
    });
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
