import {
  isRemoteServer,
  type McpServerConfig,
} from '../../extensions/mcp/servers/server-config.js';
import type { Environment } from '../../files/folders.js';

/** Looks for a login at a server that has refused the connection. */
export interface LoginWatch {
  /** Call `onLogin` when the user has logged in, in this process or another one. */
  start(onLogin: () => void, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function createLoginWatch({
  config,
  env,
}: {
  readonly config: McpServerConfig;
  readonly env: () => Environment;
}): LoginWatch {
  let stop = (): void => {};
  return {
    stop: () => stop(),
    async start(onLogin, signal) {
      if (!isRemoteServer(config)) return;
      const { watchLogin } = await import('../../extensions/mcp/login/sdk-login-store.js');
      if (signal.aborted) return;
      stop();
      stop = watchLogin(env(), config.url, onLogin);
    },
  };
}
