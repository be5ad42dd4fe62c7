import type { World, RunCommand } from '../../command.js';
import { Writable } from 'node:stream';
import type { Approver } from '../../../api/serve/mcp/mcp-server.js';
import type { ServedAgents } from '../../../api/serve/serve-types.js';
import { UsageError } from '../../../api/errors.js';
import type { CommandLine } from '../../arguments/command-line.js';
import { oneOf } from '../../arguments/flag-readers.js';
import type { FlagName } from '../../arguments/flags.js';
import { openStdout } from '../../output/output-writer.js';
import { serveAgents, serveHttp } from '../../serve/run-server.js';
import { warn } from '../../output/print.js';

/** Flags of HTTP only. */
const HTTP_FLAGS = ['--host', '--port', '--token-file'] as const satisfies readonly FlagName[];

/** `troupe mcp serve`: be an MCP server for one client on stdin and stdout, or for many over HTTP. @returns the exit code */
export const run: RunCommand = async (line, world) => {
  const isHttp = line.given.has('--http');
  const idle = HTTP_FLAGS.find((flag) => !isHttp && line.given.has(flag));
  if (idle !== undefined) throw new UsageError(`${idle} needs --http.`);
  const approver = oneOf(line, '--approver') ?? 'client';
  return serveAgents(line, world, ({ agents }, signal) =>
    isHttp
      ? serveOverHttp({ line, world, agents, approver }, signal)
      : serveOverStdio(agents, approver, signal),
  );
};

/** Nothing but the protocol goes to stdout. */
async function serveOverStdio(
  agents: ServedAgents,
  approver: Approver,
  signal: AbortSignal,
): Promise<void> {
  const { stdin } = process;
  signal.addEventListener('abort', () => stdin.destroy());
  const { serveMcpStdio } = await import('../../../api/serve/mcp/serve-stdio.js');
  const out = openStdout(() => output.destroy());
  const forward = async (text: string, done: () => void): Promise<void> => {
    await out.data(text);
    done();
  };
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      void forward(text, done);
    },
  });
  if (stdin.isTTY)
    warn([
      'waiting for an MCP client on stdin: a client starts this command by itself, or use --http.',
    ]);
  await serveMcpStdio({ input: stdin, output }, { agents, approver, warn: warnOfClient });
}

async function serveOverHttp(
  {
    line,
    world,
    agents,
    approver,
  }: {
    readonly line: CommandLine;
    readonly world: World;
    readonly agents: ServedAgents;
    readonly approver: Approver;
  },
  signal: AbortSignal,
): Promise<void> {
  const { MCP_PATH, serveMcpHttp } = await import('../../../api/serve/mcp/serve-http.js');
  const clients = serveMcpHttp({ agents, approver, warn: warnOfClient });
  await serveHttp(line, world, signal, () => ({ ...clients, path: MCP_PATH }));
}

function warnOfClient(text: string): void {
  warn([`the MCP client: ${text}`]);
}
