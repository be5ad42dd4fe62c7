/** Logins at MCP servers, for front ends. */
import type {
  McpAuthorization,
  Challenge,
} from '../../extensions/mcp/login/sdk-authorized-fetch.js';
import { logIn } from '../../extensions/mcp/login/sdk-login.js';
import type {
  McpHttpServerConfig,
  McpSSEServerConfig,
} from '../../extensions/mcp/servers/server-config.js';
import type { Environment } from '../../files/folders.js';
import { createProcessSupervisor } from '../../processes/process-supervisor.js';
import { countTools } from './try-servers.js';

export { logOut } from '../../extensions/mcp/login/sdk-logout.js';
export { isRemoteServer } from '../../extensions/mcp/servers/server-config.js';

export type RemoteServer = {
  readonly name: string;
  readonly config: McpHttpServerConfig | McpSSEServerConfig;
};

/**
 * Log in at a server, and connect to it.
 *
 * @param onAddress called with the address that the user opens in a browser
 * @returns the number of its tools, and whether it asked for a login
 * @throws an error that says why the login or the connection failed
 */
export async function logInToServer(
  { name, config, ...folder }: RemoteServer & { readonly cwd: string; readonly env: Environment },
  { onAddress, signal }: { onAddress: (address: string) => void; readonly signal: AbortSignal },
): Promise<{ readonly tools: number; readonly asked: boolean }> {
  const processes = createProcessSupervisor({ env: folder.env });
  try {
    const { tokens, asked } = withoutToken();
    const found = await countTools(processes, name, config, folder, tokens).catch(
      (error: unknown) => {
        if (asked() === undefined) throw error;
      },
    );
    const challenge = asked();
    if (found !== undefined || challenge === undefined) return { tools: found ?? 0, asked: false };
    await logIn({ config, env: folder.env, challenge, onAddress, signal });
    return { tools: await countTools(processes, name, config, folder), asked: true };
  } finally {
    await processes.close();
  }
}

/** Requests without a token: the server says what it asks for. */
function withoutToken(): { readonly tokens: McpAuthorization; asked(): Challenge | undefined } {
  let challenge: Challenge | undefined;
  return {
    asked: () => challenge,
    tokens: {
      token: () => Promise.resolve(undefined),
      renew(_refused, asked) {
        challenge = asked;
        return Promise.resolve(undefined);
      },
      refuse: (_status, said) => Promise.resolve(new Error(said)),
    },
  };
}
