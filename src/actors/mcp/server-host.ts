import type { McpPeer } from '../../extensions/mcp/sdk-peers.js';
import type { McpServers } from '../../extensions/mcp/server-config.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Service, ServiceEnd } from '../../processes/service.js';

/** Characters of a server's last stderr output, kept for the message about its end. */
const KEPT_STDERR_CHARS = 1_000;

export type ServerHostOptions = {
  readonly server: string;
  readonly config: McpServers[string];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes: ProcessSupervisor;
};

/** The host of one server: another process, or this one. */
export interface ServerHost {
  /** Forget the previous run. */
  reset(): void;
  start(signal: AbortSignal): Promise<McpPeer>;
  /** How the server's process ended. */
  outcome(): ServiceEnd | undefined;
  /** The server's last stderr output, to end a sentence with. */
  lastWords(): string;
  close(): Promise<void>;
  /** Kill the processes that the server left. */
  sweep(): Promise<void>;
}

export function createServerHost({
  server,
  config,
  cwd,
  env,
  processes,
}: ServerHostOptions): ServerHost {
  const taskId = `mcp:${server}`;
  let service: Service | undefined;
  let peer: McpPeer | undefined;
  let stderr = '';

  const sweep = async (): Promise<void> => {
    if (config.type !== 'sdk') await processes.sweep(taskId);
  };

  const startPeer = async (signal: AbortSignal): Promise<McpPeer> => {
    const { peerOfInstance, peerOfService } = await import('../../extensions/mcp/sdk-peers.js');
    if (config.type === 'sdk') return peerOfInstance(config.instance);
    await sweep(); // processes of the previous run
    signal.throwIfAborted();
    const { command, args = [], env: own = {} } = config;
    service = await processes.startService({ taskId, command, args, cwd, env: { ...env, ...own } });
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
    outcome: () => service?.outcome,
    lastWords() {
      const text = stderr.trim().replaceAll(/\s*\n\s*/g, ' | ');
      return text === '' ? '' : `, and wrote: ${text}`;
    },
    close: async () => peer?.transport.close(),
  };
}
