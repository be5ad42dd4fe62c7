// The server of the MCP conformance suite: `troupe mcp serve --http`, behind a proxy that adds the token, which the suite
// cannot give. The proxy changes nothing else: Host and Origin reach Troupe as the suite sends them.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = join(import.meta.dirname, '../dist/cli/main.js');
const SCRIPT = JSON.stringify({
  version: 1,
  agents: [{ steps: [{ text: 'Done.', repeat: true }] }],
});

/** @returns the address for the suite, and a function that ends the server */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-conformance-'));
  const script = join(folder, 'script.json');
  writeFileSync(script, SCRIPT);
  const token = randomBytes(16).toString('hex');
  const troupe = spawn(
    process.execPath,
    [command, 'mcp', 'serve', '--http', '--model', `scripted:${script}`],
    {
      cwd: folder,
      env: { ...process.env, HOME: folder, TROUPE_HOME: folder, TROUPE_SERVE_TOKEN: token },
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  const address = await addressOf(troupe);
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = request;
    const forwarded = send({ host: '127.0.0.1', port: address.port, method, path, headers });
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${proxy.address().port}${address.pathname}`,
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      const ended = once(troupe, 'exit');
      troupe.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function addressOf(troupe) {
  let printed = '';
  for await (const text of troupe.stderr.setEncoding('utf8')) {
    printed += text;
    const [, url] = /listening on (\S+)\n/.exec(printed) ?? [];
    if (url !== undefined) return new URL(url);
  }
  throw new Error(`the server did not start: ${printed}`);
}
