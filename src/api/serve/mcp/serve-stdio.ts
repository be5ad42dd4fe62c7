import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { connectMcpClient, type McpServerOptions } from './mcp-server.js';

/** Serve the one client at the other end of two streams. Resolve when it has gone and none of its agents is left. */
export async function serveMcpStdio(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  options: McpServerOptions,
): Promise<void> {
  const connection = await connectMcpClient(new StdioServerTransport(input, output), options);
  const leave = (): void => void connection.close();
  input.once('end', leave).once('close', leave);
  output.once('error', leave).once('close', leave);
  if (input.readableEnded || input.destroyed || output.destroyed) leave(); // before it was listened to
  await connection.closed;
}
