import type { McpAuthorization } from '../../extensions/mcp/login/sdk-authorized-fetch.js';
import type { McpPeer } from '../../extensions/mcp/transport/sdk-peers.js';
import { describeEnd } from '../../extensions/mcp/mcp-errors.js';
import {
  isRemoteServer,
  type McpHttpServerConfig,
  type McpServerConfig,
  type McpSSEServerConfig,
} from '../../extensions/mcp/servers/server-config.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Service } from '../../processes/run/service.js';
import type { Environment } from '../../files/folders.js';

/** Characters of a server's last stderr output, kept for the message about its end. */
const KEPT_STDERR_CHARS = 1_000;

export type ServerHostOptions = {
  readonly server: string;
  /** ID of the connection; the name if absent. */
  readonly id?: string;
  readonly config: McpServerConfig;
  readonly cwd: string;
  /** Environment at present: each start of the server gets it. */
  readonly env: () => Environment;
  readonly processes: ProcessSupervisor;
  /** The tokens for a server at an address; those of the user's login if absent. */
  readonly tokens?: McpAuthorization;
};

/** The host of one server: another process, an address, or this process. */
export interface ServerHost {
  /** Forget the previous run. */
  reset(): void;
  start(signal: AbortSignal): Promise<McpPeer>;
  /** How the server's process ended, in words. */
  outcome(): string | undefined;
  /** The server's last stderr output, to end a sentence with. */
  lastWords(): string;
  close(): Promise<void>;
  /** Kill the processes that the server left. */
  sweep(): Promise<void>;
}

export function createServerHost({
  server,
  id = server,
  config,
  cwd,
  env,
  processes,
  tokens: given,
}: ServerHostOptions): ServerHost {
  const taskId = `mcp:${id}`;
  let service: Service | undefined;
  let peer: McpPeer | undefined;
  let stderr = '';
  let tokens = given;

  const sweep = async (): Promise<void> => {
    if (config.type !== 'sdk' && !isRemoteServer(config)) await processes.sweep(taskId);
  };

  const startRemote = async (
    remote: McpHttpServerConfig | McpSSEServerConfig,
    signal: AbortSignal,
  ): Promise<McpPeer> => {
    const { url, headers = {}, headersHelper: command } = remote;
    const now = env();
    const printed =
      command === undefined
        ? {}
        : await import('../../extensions/mcp/servers/print-headers.js').then(({ printHeaders }) =>
            printHeaders(processes, { server, url, command, cwd, env: now, signal }),
          );
    const { peerOfAddress } = await import('../../extensions/mcp/transport/sdk-http-peer.js');
    const { createAuthorization } = await import('../../extensions/mcp/login/sdk-authorization.js');
    signal.throwIfAborted();
    tokens ??= createAuthorization({ server, config: remote, env: now });
    return peerOfAddress(remote, { headers: { ...headers, ...printed }, env: now, tokens });
  };

  const startPeer = async (signal: AbortSignal): Promise<McpPeer> => {
    if (isRemoteServer(config)) return startRemote(config, signal);
    const { peerOfInstance, peerOfService } =
      await import('../../extensions/mcp/transport/sdk-peers.js');
    if (config.type === 'sdk') return peerOfInstance(config.instance);
    await sweep(); // processes of the previous run
    signal.throwIfAborted();
    const { command, args = [], env: own = {} } = config;
    service = await processes.startService({
      taskId,
      command,
      args,
      cwd,
      env: { ...env(), ...own },
    });
    service.stderr.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString('utf8')}`.slice(-KEPT_STDERR_CHARS);
    });
    return peerOfService(service);
  };

  return {
    sweep,
    reset() {
      stderr = '';
      service = undefined;
      peer = undefined;
    },
    async start(signal) {
      peer = await startPeer(signal);
      return peer;
    },
    outcome: () => (service?.outcome === undefined ? undefined : describeEnd(service.outcome)),
    lastWords() {
      const text = stderr.trim().replaceAll(/\s*\n\s*/g, ' | ');
      return text === '' ? '' : `, and wrote: ${text}`;
    },
    close: async () => peer?.transport.close(),
  };
}
