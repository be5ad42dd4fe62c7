import { setTimeout as delay } from 'node:timers/promises';
import { connectMcpClient } from '../extensions/mcp/sdk-client.js';
import { peerOfService } from '../extensions/mcp/sdk-peers.js';
import type { McpServerConfig, McpServers } from '../extensions/mcp/server-config.js';
import type { Environment } from '../files/folders.js';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../processes/process-supervisor.js';

/** Timeout from the start of a server to its list of tools. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Wait for the end of a server whose pipe is broken: how it ended says more than the error of the pipe. */
const END_SEEN_WITHIN_MS = 1_000;

type Folder = { readonly cwd: string; readonly env: Environment };

/** The answer of an MCP server. */
export type TriedServer = {
  readonly name: string;
  readonly command: readonly string[];
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
  config: McpServerConfig,
  folder: Folder,
): Promise<TriedServer> {
  const command = [config.command, ...(config.args ?? [])];
  try {
    return { name, command, tools: await countTools(processes, name, config, folder) };
  } catch (error) {
    return { name, command, error };
  }
}

async function countTools(
  processes: ProcessSupervisor,
  name: string,
  { command, args = [], env: own = {} }: McpServerConfig,
  { cwd, env }: Folder,
): Promise<number> {
  const service = await processes.startService({
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
    return tools.length;
  } finally {
    listing.catch(() => {}); // reported already, or the server has ended
    ended.catch(() => {}); // reported already, or the end was requested
    await service.end();
  }
}
