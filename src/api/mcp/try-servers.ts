import { setTimeout as delay } from 'node:timers/promises';
import { connectMcpClient } from '../../extensions/mcp/client/sdk-client.js';
import { createServerHost } from '../../actors/mcp/server-host.js';
import {
  isRemoteServer,
  type McpFileServerConfig,
  type McpServers,
} from '../../extensions/mcp/servers/server-config.js';
import type { McpAuthorization } from '../../extensions/mcp/login/sdk-authorized-fetch.js';
import { given } from '../../core/json/given.js';
import type { Environment } from '../../files/folders.js';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../processes/process-supervisor.js';

/** Timeout from the start of a server to its list of tools. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Wait for the end of a server whose pipe is broken: how it ended says more than the error of the pipe. */
const END_SEEN_WITHIN_MS = 1_000;

type Folder = { readonly cwd: string; readonly env: Environment };

/** The answer of an MCP server. */
export type TriedServer = {
  readonly name: string;
  /** The command line, or the address without what follows the path. */
  readonly place: string;
} & ({ readonly tools: number } | { readonly error: unknown });

/** Start these MCP servers, ask each for its tools, and end them again. */
export async function tryServers(
  servers: McpServers,
  folder: Folder,
): Promise<readonly TriedServer[]> {
  const processes = createProcessSupervisor({ env: folder.env });
  try {
    const tried = Object.entries(servers).flatMap(
      ([name, config]) =>
        config.type === 'sdk' ? [] : [tryServer(processes, name, config, folder)], // servers of programs are not in files
    );
    return await Promise.all(tried);
  } finally {
    await processes.close();
  }
}

async function tryServer(
  processes: ProcessSupervisor,
  name: string,
  config: McpFileServerConfig,
  folder: Folder,
): Promise<TriedServer> {
  const place = placeOfServer(config);
  try {
    return { name, place, tools: await countTools(processes, name, config, folder) };
  } catch (error) {
    return { name, place, error };
  }
}

/** Start a server, count its tools, and end it again. @param tokens those of the user's login if absent */
export async function countTools(
  processes: ProcessSupervisor,
  server: string,
  config: McpFileServerConfig,
  { cwd, env }: Folder,
  tokens?: McpAuthorization,
): Promise<number> {
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const host = createServerHost({
    server,
    config,
    cwd,
    env: () => env,
    processes,
    ...given({ tokens }),
  });
  try {
    const peer = await host.start(signal);
    const ended = peer.ended.then((how) => {
      throw new Error(`it ended (${how})`);
    });
    const listing = connectMcpClient(peer, {
      server,
      signal,
      timeoutMs: CONNECT_TIMEOUT_MS,
      onNote: () => {},
      roots: () => [cwd],
    })
      .then((client) => client.listTools(signal))
      .catch(async (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EPIPE')
          await Promise.race([ended, delay(END_SEEN_WITHIN_MS)]);
        throw error;
      });
    listing.catch(() => {}); // reported already, or the server has ended
    ended.catch(() => {}); // reported already, or the end was requested
    const tools = await (isRemoteServer(config) ? listing : Promise.race([listing, ended]));
    return tools.length;
  } finally {
    await host.close();
  }
}

/** The command line of a server, or its address without what follows the path. */
function placeOfServer(config: McpFileServerConfig): string {
  if (!isRemoteServer(config)) return [config.command, ...(config.args ?? [])].join(' ');
  const { origin, pathname } = new URL(config.url);
  return `${origin}${pathname}`;
}
