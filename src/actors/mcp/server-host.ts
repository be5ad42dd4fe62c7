import type { McpPeer } from '../../extensions/mcp/sdk-peers.js';
import type { McpServers } from '../../extensions/mcp/server-config.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Service, ServiceEnd } from '../../processes/service.js';

/** What a server last wrote to stderr, for the message that says why it ended. */
const KEPT_STDERR_CHARS = 1_000;

export type ServerHostOptions = {
  readonly server: string;
  readonly config: McpServers[string];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes: ProcessSupervisor;
};

/** Where one server runs: in a process, or in this one. */
export interface ServerHost {
  /** Forget the run before. */
  reset(): void;
  start(signal: AbortSignal): Promise<McpPeer>;
  /** How the server's process has ended. */
  outcome(): ServiceEnd | undefined;
  /** The end of what the server wrote to stderr, for the end of a sentence. */
  lastWords(): string;
  close(): Promise<void>;
  /** End what the server has left. */
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
    await sweep(); // what the one before has left
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
