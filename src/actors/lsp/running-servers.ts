import { messageOf } from '../../core/errors.js';
import type { LanguageServer } from '../../extensions/lsp/language-server.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import { LspError } from '../../tools/lsp/lsp-error.js';
import { chooseServer, type ChosenServer, type ServerSettings } from './choose-server.js';

/** Servers of one session that run at the same time. One more ends the one that was not used for the longest time. */
const MOST_SERVERS = 8;
const MAX_RESTARTS = 3;

/** The owner of a session's language servers: one for each language and project folder. */
export interface RunningServers {
  readonly settings: ServerSettings;
  /** The server of a file if it runs. */
  find(root: string, path: string): LanguageServer | undefined;
  /** All servers of a folder that run. */
  list(root: string): readonly LanguageServer[];
  /** The server of a file, which is started if it does not run. Rejects with an {@link LspError}. */
  start(root: string, path: string): Promise<LanguageServer>;
}

export type RunningServersOptions = {
  readonly settings: ServerSettings & { readonly isTrusted: unknown };
  readonly processes: Pick<ProcessSupervisor, 'startService'>;
  /** The task of the session: when it ends, the supervisor ends its servers. */
  readonly taskId: string;
};

type Entry = { readonly starting: Promise<LanguageServer>; server?: LanguageServer };

export function createRunningServers({
  settings,
  processes,
  taskId,
}: RunningServersOptions): RunningServers {
  /** By their keys, the one that was used last at the end. */
  const entries = new Map<string, Entry>();
  /** How often each has ended by itself. */
  const ends = new Map<string, number>();

  const open = async ({ name, config }: ChosenServer, root: string): Promise<LanguageServer> => {
    const { command, args = [], env = {} } = config;
    const { openLanguageServer } = await import('../../extensions/lsp/language-server.js');
    const service = await processes
      .startService({
        taskId,
        command,
        args,
        cwd: root,
        env: { ...settings.env, ...env },
        confine: { env },
      })
      .catch((error: unknown) => {
        const why = messageOf(error);
        throw new LspError('not_started', `The language server "${name}": ${why}`);
      });
    return openLanguageServer(service, { name, config, root });
  };

  const begin = (chosen: ChosenServer, root: string, key: string): Entry => {
    checkRestarts(chosen, ends.get(key) ?? 0);
    endOutdated(entries, chosen, root);
    endOldest(entries);
    const entry: Entry = { starting: open(chosen, root) };
    entries.set(key, entry);
    const forget = (): void => {
      if (entries.get(key) !== entry) return; // this session ended it
      entries.delete(key);
      ends.set(key, (ends.get(key) ?? 0) + 1);
    };
    const keep = (server: LanguageServer): void => {
      entry.server = server;
      void server.service.ended.then(forget);
    };
    entry.starting.then(keep, forget);
    return entry;
  };

  return {
    settings,
    find(root, path) {
      const chosen = entries.size === 0 ? undefined : chooseServer(settings, root, path);
      return chosen && entries.get(keyOf(chosen, root))?.server;
    },
    list: (root) =>
      [...entries].flatMap(([key, { server }]) =>
        server !== undefined && key.endsWith(`\0${root}`) ? [server] : [],
      ),
    async start(root, path) {
      const chosen = chooseServer(settings, root, path);
      if (chosen === undefined) throw noServerError(path);
      if (settings.isTrusted === false) throw new LspError('untrusted', UNTRUSTED);
      const key = keyOf(chosen, root);
      const entry = entries.get(key) ?? begin(chosen, root, key);
      entries.delete(key);
      entries.set(key, entry);
      return entry.starting;
    },
  };
}

/** @throws LspError if the server has ended too often */
function checkRestarts({ name, config }: ChosenServer, ends: number): void {
  const most = config.restartOnCrash === false ? 0 : (config.maxRestarts ?? MAX_RESTARTS);
  if (ends <= most) return;
  const times = ends === 1 ? 'once' : `${ends} times`;
  throw new LspError(
    'not_started',
    `The language server "${name}" has ended by itself ${times} and is not started again in this session. Use Grep and Read instead.`,
  );
}

function endOldest(entries: Map<string, Entry>): void {
  if (entries.size < MOST_SERVERS) return;
  const oldest = [...entries].find(([, { server }]) => server !== undefined);
  if (oldest === undefined) return; // all of them are starting
  const [key, { server }] = oldest;
  entries.delete(key);
  void server?.service.end();
}

/** By server, its settings and folder: settings may change while it runs. */
function keyOf({ name, config }: ChosenServer, root: string): string {
  return `${name}\0${JSON.stringify(config)}\0${root}`;
}

/** End a server that runs with earlier settings. */
function endOutdated(entries: Map<string, Entry>, { name }: ChosenServer, root: string): void {
  for (const [key, { starting }] of entries) {
    if (!key.startsWith(`${name}\0`) || !key.endsWith(`\0${root}`)) continue;
    entries.delete(key);
    starting.then(
      ({ service }) => service.end(),
      () => {},
    );
  }
}

function noServerError(path: string): LspError {
  return new LspError(
    'no_server',
    `There is no language server for ${path}. Use Grep and Read instead. A person can name one in the setting lspServers.`,
  );
}

const UNTRUSTED =
  'Language servers run code of the project, and this folder is not trusted, so none is started. Use Grep and Read instead. A person can trust the folder: troupe trust.';
