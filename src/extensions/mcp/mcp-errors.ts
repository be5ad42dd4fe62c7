import { TroupeError } from '../../core/errors.js';
import { shellWord } from '../../core/text/shell-word.js';
import type { ServiceEnd } from '../../processes/run/service.js';

/** The server could not be started, or did not answer as an MCP server does. */
export class McpConnectError extends TroupeError {
  override readonly name = 'McpConnectError';
  readonly code = 'MCP_NOT_CONNECTED';

  constructor(server: string, why: string, options?: ErrorOptions) {
    super(`The MCP server "${server}" is not connected: ${why}`, {
      ...options,
      recoverable: true,
      details: { server },
    });
  }
}

/** The server wants a login of the user, or another one than it has. */
export class McpLoginError extends TroupeError {
  override readonly name = 'McpLoginError';
  readonly code = 'MCP_LOGIN_NEEDED';

  /** @param otherwise another way than the login */
  constructor(server: string, why: string, otherwise = '') {
    const stop = /[.!?]$/.test(why) ? '' : '.';
    super(`${why}${stop} Run troupe mcp login ${shellWord(server)}${otherwise}.`, {
      recoverable: true,
      details: { server },
    });
  }
}

/** The server ended during a call. Whether the call had an effect is unknown. */
export class McpServerGoneError extends TroupeError {
  override readonly name = 'McpServerGoneError';
  readonly code = 'MCP_SERVER_GONE';

  constructor(server: string, tool: string, how: string) {
    super(
      `The MCP server "${server}" ended (${how}) while ${tool} ran: it is unknown what the tool had done by then. Troupe connects to it again; check before you repeat the call.`,
      { recoverable: true, details: { server, tool } },
    );
  }
}

/** No answer came in time. The server was notified that the call is cancelled. */
export class McpTimeoutError extends TroupeError {
  override readonly name = 'McpTimeoutError';
  readonly code = 'MCP_TIMEOUT';

  /** @param limit the setting that ended the call */
  constructor(
    server: string,
    tool: string,
    limit: 'timeout' | 'maxTotalTimeout',
    timeoutMs: number,
  ) {
    const within = `${timeoutMs / 1_000} s${limit === 'timeout' ? '' : ' in all (maxTotalTimeout)'}`;
    super(
      `The MCP server "${server}" gave no answer to ${tool} within ${within}, and the call was cancelled: it is unknown what the tool had done by then.`,
      { recoverable: true, details: { server, tool, limit, timeoutMs } },
    );
  }
}

const MAX_ERROR_CHARS = 10_000;

/** The server answered that the call failed. The message is the server's. */
export class McpToolError extends TroupeError {
  override readonly name = 'McpToolError';
  readonly code = 'MCP_TOOL_FAILED';

  constructor(text: string, options?: ErrorOptions) {
    const isLong = text.length > MAX_ERROR_CHARS;
    super(isLong ? `${text.slice(0, MAX_ERROR_CHARS)}… [${text.length} characters]` : text, {
      ...options,
      recoverable: true,
    });
  }
}

/** Describe how a server's process ended. */
export function describeEnd({ exitCode, signal }: ServiceEnd): string {
  return signal === null ? `exit code ${String(exitCode)}` : `by ${signal}`;
}
