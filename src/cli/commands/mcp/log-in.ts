import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { logInToServer } from '../../../api/mcp/mcp-login.js';
import { browserOf, openBrowser } from '../../process/open-browser.js';
import { openStdout } from '../../output/output-writer.js';
import { printLines } from '../../output/print.js';
import { findRemoteServer } from './load-folder-servers.js';

/** Longest wait for the user in the browser. */
const DEADLINE_MINUTES = 10;

/**
 * `troupe mcp login`: log in at an MCP server, in a browser.
 *
 * @returns the exit code
 * @throws UsageError for a server that needs no login of a user
 */
export const run: RunCommand = async (line, world) => {
  const server = await findRemoteServer(line.words[0] ?? '', line.values('--mcp-config'), world);
  const { name, config, env } = server;
  if (config.oauth?.grant !== undefined)
    throw new UsageError(`The MCP server "${name}" needs no login: its "oauth" has a "grant".`);
  if (new Headers(config.headers).has('authorization'))
    throw new UsageError(`The MCP server "${name}" needs no login: its "headers" have a token.`);
  const browser = line.given.has('--no-browser')
    ? undefined
    : browserOf({
        env,
        platform: process.platform,
        isTerminal: process.stdin.isTTY && openStdout().isTerminal,
      });
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new Error(`nobody has logged in within ${DEADLINE_MINUTES} minutes`)),
    DEADLINE_MINUTES * 60_000,
  );
  const onAddress = (address: string): void => {
    void printLines(['To log in, open this address in a browser on this machine:', address]);
    if (browser !== undefined) openBrowser(browser, address);
  };
  try {
    const { tools, asked } = await logInToServer(server, {
      onAddress,
      signal: deadline.signal,
    });
    const has = `It has ${tools} ${tools === 1 ? 'tool' : 'tools'}.`;
    await printLines([
      asked
        ? `You are logged in at the MCP server "${name}". ${has}`
        : `The MCP server "${name}" asks for no login. ${has}`,
    ]);
    return 0;
  } finally {
    clearTimeout(timer);
  }
};
