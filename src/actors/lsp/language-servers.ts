import { untilAborted } from '../../core/until-aborted.js';
import type { TaskId } from '../../core/ids.js';
import { pathToFileURL } from 'node:url';
import { settlesWithin } from '../../processes/start/settles-within.js';
import type {
  ChangedFile,
  LanguageServers,
  LspDiagnostic,
} from '../../tools/capabilities/language-servers.js';
import type { LanguageServer } from '../../extensions/lsp/language-server.js';
import { chooseServer } from './choose-server.js';
import {
  createRunningServers,
  type RunningServers,
  type RunningServersOptions,
} from './running-servers.js';

/** How long a changed file waits for the errors in it. */
const CHANGE_MS = 1_000;
/** How long the server may take; a later result has what comes after {@link CHANGE_MS}. */
const LOOK_MS = 30_000;
/** Files of one agent whose errors are compared. */
const MOST_FILES = 100;

/** Longer texts are not sent to a server. */
const MOST_CHARS = 8 * 1024 * 1024;

type ErrorCounts = ReadonlyMap<string, number>;

/** A file that an agent has changed. */
type WatchedFile = {
  readonly root: string;
  readonly path: string;
  /** The newest text for the server. */
  text: string;
  /** The errors that were there before, or that the agent knows; undefined until the server has looked. */
  known: ErrorCounts | undefined;
  /** Resolves when `known` is there. */
  readonly ready: Promise<void>;
};

/** Make the language servers of a session. @returns a function that makes those of one agent */
export function languageServersOfSession(
  { taskId }: { readonly taskId: TaskId },
  settings: RunningServersOptions['settings'],
  {
    processes,
    changeMs = CHANGE_MS,
  }: Pick<RunningServersOptions, 'processes'> & { readonly changeMs?: number },
): () => LanguageServers {
  const servers = createRunningServers({ settings, processes, taskId });
  return () => createLanguageServers(servers, changeMs);
}

/** The language servers of a session, for one agent. */
function createLanguageServers(servers: RunningServers, changeMs: number): LanguageServers {
  /** By path, the one that was changed last at the end. */
  const watched = new Map<string, WatchedFile>();

  const watch = (server: LanguageServer, file: ChangedFile): WatchedFile => {
    const { root, path, before, text } = file;
    const { signal } = new AbortController();
    const lookBefore = async (): Promise<void> => {
      if (before === undefined) return;
      const document = server.find(path) ?? server.sync(path, before);
      if (!document.isJudged) await server.judged(document, { limitMs: LOOK_MS, signal });
    };
    const learn = (): void => {
      made.known = countsOf(errorsOf(server, path));
    };
    const ready = lookBefore().then(learn);
    const made: WatchedFile = { root, path, text, known: undefined, ready };
    const [oldest = ''] = watched.keys();
    if (watched.size >= MOST_FILES) watched.delete(oldest);
    return made;
  };

  const look = async (file: ChangedFile, signal: AbortSignal): Promise<void> => {
    const { root, path, text, before = '' } = file;
    const server = servers.find(root, path);
    if (server === undefined || Math.max(text.length, before.length) > MOST_CHARS) return;
    const entry = watched.get(path) ?? watch(server, file);
    entry.text = text;
    watched.delete(path);
    watched.set(path, entry);
    await entry.ready;
    const document = server.sync(path, entry.text);
    await server.judged(document, { limitMs: LOOK_MS, signal });
  };

  return {
    startsUnasked({ root, path }) {
      if (servers.find(root, path) !== undefined) return undefined;
      const chosen = chooseServer(servers.settings, root, path);
      return chosen?.isFound === true ? chosen.config.command : undefined;
    },
    async ask(query, signal) {
      const { root, path, text } = query;
      const server = await untilAborted(servers.start(root, path), signal);
      const entry = watched.get(path);
      if (entry !== undefined) entry.text = text;
      const { askServer } = await import('../../extensions/lsp/ask-server.js');
      return askServer(server, query, signal);
    },
    async changed(files, signal) {
      if (files.every(({ root }) => servers.list(root).length === 0)) return;
      for (const file of files) tellAll(servers, file);
      const looking = Promise.allSettled(files.map((file) => look(file, signal)));
      await settlesWithin(looking, changeMs);
    },
    newErrors: () =>
      [...watched.values()].flatMap((entry) => {
        const { root, path, known } = entry;
        const server = servers.find(root, path);
        const document = server?.find(path);
        if (server === undefined || document?.isJudged !== true || known === undefined) return [];
        const errors = errorsOf(server, path);
        entry.known = countsOf(errors);
        return withoutKnown(errors, known);
      }),
  };
}

/** A change of any file may matter to any server: a manifest, a configuration. */
function tellAll(servers: RunningServers, { root, path, before }: ChangedFile): void {
  const uri = pathToFileURL(path).href;
  const type = before === undefined ? CREATED : CHANGED;
  for (const server of servers.list(root))
    server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
}

/** Kinds of changes, as the protocol numbers them. */
const CREATED = 1;
const CHANGED = 2;

function errorsOf(server: LanguageServer, path: string): readonly LspDiagnostic[] {
  const { diagnostics = [] } = server.find(path) ?? {};
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((one) => ({ ...one, path }));
}

/** Errors of one kind are only counted: a change above an error moves it. */
function countsOf(errors: readonly LspDiagnostic[]): ErrorCounts {
  const counts = new Map<string, number>();
  for (const error of errors) counts.set(keyOf(error), (counts.get(keyOf(error)) ?? 0) + 1);
  return counts;
}

function withoutKnown(
  errors: readonly LspDiagnostic[],
  known: ErrorCounts,
): readonly LspDiagnostic[] {
  const left = new Map(known);
  return errors.filter((error) => {
    const count = left.get(keyOf(error)) ?? 0;
    left.set(keyOf(error), count - 1);
    return count <= 0;
  });
}

function keyOf({ code = '', source = '', message }: LspDiagnostic): string {
  return `${source}\0${code}\0${message}`;
}
