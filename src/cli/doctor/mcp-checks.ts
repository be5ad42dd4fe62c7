import { loadServers } from '../../api/options/load-servers.js';
import type { Workspace } from '../../api/options/workspace.js';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../api/errors.js';
import { nameSome, unmistakable } from '../../api/text.js';
import type { LoadedMcpConfig, McpServerConfig, ProcessKeeper } from '../../api/types.js';
import { connectMcpClient } from '../../extensions/mcp/sdk-client.js';
import { peerOfService } from '../../extensions/mcp/sdk-peers.js';
import { findUnreadServers, type UnreadServers } from '../../api/unread.js';
import { createProcessKeeper } from '../../processes/process-keeper.js';
import type { McpArguments, SettingsArguments } from '../arguments/run-arguments.js';
import { found, type Check } from './check.js';

/** From the start of a server to its list of tools. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A server that reads nothing more has ended, as a rule; how it ended says more than the broken pipe. */
const END_SEEN_WITHIN_MS = 1_000;

type Folder = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly layers: Workspace['layers'];
};

/** The servers that a run would start. @param connects starts them, and ends them again */
export async function checkMcp(
  sources: McpArguments & Pick<SettingsArguments, 'settingSources'>,
  folder: Folder,
  { connects }: { readonly connects: boolean },
): Promise<readonly Check[]> {
  let loaded: LoadedMcpConfig;
  try {
    const choices = { ...sources, mcpOption: '--mcp-config' };
    loaded = await loadServers(choices, sources.settingSources, folder);
  } catch (error) {
    return [found('mcp', 'fail', messageOf(error))];
  }
  const warnings = [
    ...loaded.warnings.map((why) => found('mcp', 'warn', why)),
    ...describeUnread(await findUnreadServers(folder)),
  ];
  const servers = Object.entries(loaded.servers);
  if (servers.length === 0)
    return [...warnings, found('mcp', 'ok', 'A run here starts no server.')];
  if (!connects) {
    const names = servers.map(([name]) => name).join(', ');
    const message = `A run here starts ${names} (not tried: see doctor --mcp).`;
    return [...warnings, found('mcp', 'ok', message)];
  }
  const keeper = createProcessKeeper({ env: folder.env });
  try {
    const tried = servers.flatMap(
      ([name, config]) => (config.type === 'sdk' ? [] : [tryServer(keeper, name, config, folder)]), // no file has one
    );
    return [...warnings, ...(await Promise.all(tried))];
  } finally {
    await keeper.close();
  }
}

/** The servers that another program would start in this folder. */
function describeUnread(unread: UnreadServers | undefined): readonly Check[] {
  if (unread === undefined) return [];
  const { file, forAll, forFolder } = unread;
  const place = unmistakable(file);
  return [
    ...(forAll.length === 0
      ? []
      : [
          found(
            'mcp',
            'warn',
            `Troupe does not read the servers of ${place}: ${namesOf(forAll)}.`,
            `To start them: --mcp-config ${place}`,
          ),
        ]),
    ...(forFolder.length === 0
      ? []
      : [
          found(
            'mcp',
            'warn',
            `Troupe does not read the servers of ${place} for this folder: ${namesOf(forFolder)}.`,
            'To start them: copy them into .mcp.json, or into a file for --mcp-config.',
          ),
        ]),
  ];
}

function namesOf(names: readonly string[]): string {
  return unmistakable(nameSome(names, MOST_NAMED));
}

const MOST_NAMED = 10;

async function tryServer(
  keeper: ProcessKeeper,
  name: string,
  config: McpServerConfig,
  { cwd, env }: Folder,
): Promise<Check> {
  const { command, args = [], env: own = {} } = config;
  try {
    const service = await keeper.startService({
      taskId: `mcp:${name}`,
      command,
      args,
      cwd,
      env: { ...env, ...own },
    });
    const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    const ended = service.ended.then(({ exitCode, signal: by }) => {
      throw new Error(`it ended (${by ?? `exit code ${String(exitCode)}`})`);
    });
    const listing = connectMcpClient(peerOfService(service), {
      server: name,
      signal,
      timeoutMs: CONNECT_TIMEOUT_MS,
      onToolsChanged: () => {},
    })
      .then((client) => client.listTools(signal))
      .catch(async (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EPIPE')
          await Promise.race([ended, delay(END_SEEN_WITHIN_MS)]);
        throw error;
      });
    try {
      const tools = await Promise.race([listing, ended]);
      return found('mcp', 'ok', `${name} answers: ${tools.length} tools.`);
    } finally {
      listing.catch(() => {}); // told already, or ended with the server
      ended.catch(() => {}); // told already, or it was told to end
      await service.end();
    }
  } catch (error) {
    const help = `Look at its command: ${[command, ...args].join(' ')}`;
    return found('mcp', 'warn', `${name} does not answer: ${messageOf(error)}`, help);
  }
}
