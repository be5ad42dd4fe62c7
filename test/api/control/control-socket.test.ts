import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openControlSocket } from '../../../src/api/control/control-socket.js';
import { Listener } from '../../../src/api/control/protocol.js';
import type { Orchestrator } from '../../../src/actors/contract/orchestrator.js';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { createFolder } from '../../support/troupe.js';

/** The tree of an idle process, and how often it was read. */
function createQuiet({ label = 'orchestrator' }: { readonly label?: string } = {}) {
  const seen = { trees: 0 };
  const tree: InspectedActor = {
    id: 'orchestrator',
    kind: 'orchestrator',
    label,
    state: 'open',
    since: 0,
    waitingFor: [],
    children: [],
  };
  const troupe: Pick<Orchestrator, 'inspect' | 'task' | 'approvals'> = {
    inspect: () => {
      seen.trees += 1;
      return tree;
    },
    task: () => undefined,
    approvals: {
      list: () => [],
      decide: () => Promise.resolve({ status: 'unknown' }),
      onRequest: () => () => {},
    },
  };
  return { troupe, seen, tree };
}

/** Listens for what was given, and says where. */
async function listen(
  troupe: Pick<Orchestrator, 'inspect' | 'task' | 'approvals'>,
  folder?: string,
) {
  const home = folder ?? (await createFolder());
  const control = await openControlSocket(troupe, { home, cwd: home });
  const run = join(home, 'run');
  const [file = ''] = readdirSync(run).filter((name) => name.endsWith('.json'));
  const { socket } = Listener.parse(JSON.parse(readFileSync(join(run, file), 'utf8')));
  return { control, socket };
}

async function connect(path: string, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const client = createConnection({ path, ...options });
  onTestFinished(() => void client.destroy());
  client.on('error', () => {}); // it may be dropped
  await once(client, 'connect');
  return client;
}

async function readAll(client: Socket): Promise<string> {
  let text = '';
  for await (const chunk of client) text += String(chunk);
  return text;
}

const TREE = '{"id":1,"method":"tree"}\n';

describe('the control socket', () => {
  it('answers what was said before the client closed its side, in its order', async () => {
    const { troupe, tree } = createQuiet();
    const { control, socket } = await listen(troupe);
    const client = await connect(socket, { allowHalfOpen: true });
    client.write(TREE.slice(0, 9));
    client.write(`${TREE.slice(9)}what?\n{"id":5,"method":"output","from":0}\n`);
    client.write('{"id":6,"method":"requests"}\n');
    client.write(
      '{"id":7,"method":"decide","requestId":"ask_1","answer":{"behavior":"deny"},"by":"troupe deny"}\n',
    );
    client.write('{"id":8,"method":"decide","requestId":"ask_1","answer":{},"by":"me"}\n');
    client.end('{"id":2,"method":"kill","task":"a1w6m2oh8","reason":"x"}');
    const answers = (await readAll(client)).trimEnd().split('\n');
    expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: 1, result: tree },
      { id: null, error: expect.objectContaining({ code: 'BAD_REQUEST' }) as unknown },
      {
        id: 5,
        error: {
          code: 'BAD_REQUEST',
          message: 'this is not a request: "task" is required (a string).',
        },
      },
      { id: 6, result: [] },
      { id: 7, result: { status: 'unknown' } },
      {
        id: 8,
        error: {
          code: 'BAD_REQUEST',
          message: 'this is not a request: "answer.behavior" is required (one of "allow", "deny").',
        },
      },
      { id: 2, error: { code: 'USAGE', message: 'There is no task a1w6m2oh8.' } },
    ]);
    await control.close();
  });

  it('does no more for a client than it reads, and is closed whether or not it reads', async () => {
    const { troupe, seen } = createQuiet({ label: 'x'.repeat(1_000_000) });
    const { control, socket } = await listen(troupe);
    const rude = await connect(socket);
    rude.write(TREE.repeat(500));
    await expect.poll(() => seen.trees).toBeGreaterThan(0);
    const other = await connect(socket, { allowHalfOpen: true });
    other.end(TREE);
    expect((await readAll(other)).length).toBeGreaterThan(1_000_000);
    expect(seen.trees).toBeLessThan(5);
    await control.close();
  });

  it('is not kept from anybody by connections that say nothing, or no end of a line', async () => {
    const { troupe } = createQuiet();
    const { control, socket } = await listen(troupe);
    const idle = await Promise.all(Array.from({ length: 100 }, () => connect(socket)));
    const endless = await connect(socket);
    endless.write('x'.repeat(5_000_000));
    await expect.poll(() => endless.closed).toBe(true);
    const client = await connect(socket, { allowHalfOpen: true });
    client.end(TREE);
    expect(await readAll(client)).toContain('"result"');
    await expect.poll(() => idle.filter(({ closed }) => closed).length).toBeGreaterThan(30);
    await control.close();
  });

  it('is in a folder of its own if its home and that for temporary files are too long', async () => {
    const long = join(await createFolder(), 'x'.repeat(120));
    mkdirSync(long);
    vi.stubEnv('TMPDIR', long);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { troupe, tree } = createQuiet();
    const { control, socket } = await listen(troupe, long);
    const modes = [dirname(socket), socket].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    const client = await connect(socket, { allowHalfOpen: true });
    client.end(TREE);
    expect(JSON.parse(await readAll(client))).toEqual({ id: 1, result: tree });
    await control.close();
    expect(() => statSync(dirname(socket))).toThrow('ENOENT');
    expect(readdirSync(long)).toEqual(['run']);
  });
});
