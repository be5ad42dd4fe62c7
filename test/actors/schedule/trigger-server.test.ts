import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openTriggerServer,
  type TriggerEndpoint,
} from '../../../src/actors/schedule/trigger-server.js';
import { createToken } from '../../../src/actors/services/bearer-token.js';
import { createTimers } from '../../../src/actors/services/timers.js';
import { createGate } from '../../support/gate.js';
import { createSimulatedTime } from '../../support/simulated-time.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;

/** A server with one endpoint, `/it`, that takes what comes when `take` resolves. */
async function openServer(take: () => Promise<void> = async () => {}) {
  const time = createSimulatedTime();
  const { token, tokenHash } = createToken();
  const endpoint: TriggerEndpoint = { tokenHash, busyFor: () => 0, take };
  const endpoints = new Map([['it', endpoint]]);
  const server = await openTriggerServer((id) => endpoints.get(id), createTimers(time));
  onTestFinished(() => {
    const closed = server.close();
    time.advance(1_000);
    return closed;
  });
  const { port } = new URL(server.url);
  const head = `POST /it HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\n`;
  const whole = `${head}Content-Length: 2\r\n\r\nhi`;
  return { ...time, server, endpoints, head, whole, call: () => dial(Number(port)) };
}

/** A connection, and all that it is sent until it is closed. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => (heard += String(data))).on('error', () => {}); // it may be dropped
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  return { socket, closed, heard: () => heard, ask: (text: string) => ask(socket, text) };
}

/** Sends a request on an open connection. @returns the first line of the answer */
async function ask(socket: Socket, text: string): Promise<string | undefined> {
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return String(answer).split('\r\n', 1)[0];
}

describe('a trigger server that closes', () => {
  it('answers first what it has taken', async () => {
    const [began, held] = [createGate(), createGate()];
    const { server, whole, call } = await openServer(() => {
      began.open();
      return held.opened;
    });
    const { socket, closed } = await call();
    socket.write(whole);
    await began.opened;
    const end = server.close();
    held.open();
    await end;
    expect(await closed).toMatch(/^HTTP\/1\.1 202 Accepted\r\n.*\{"accepted":true\}\n/s);
  });

  it('answers also the second of two requests on one connection', async () => {
    const gates = [createGate(), createGate()];
    const began = createGate();
    let count = 0;
    const { server, whole, call } = await openServer(() => {
      count += 1;
      if (count === 2) began.open();
      return gates[count - 1]?.opened ?? Promise.resolve();
    });
    const { socket, closed, heard } = await call();
    socket.write(whole + whole);
    await began.opened;
    const end = server.close();
    gates[0]?.open();
    await expect.poll(heard).toContain(' 202 Accepted');
    gates[1]?.open();
    await end;
    expect((await closed).match(/ 202 Accepted/g)).toHaveLength(2);
  });

  it('waits a second for that at most, and not for what it has not taken', async () => {
    const began = createGate();
    const { server, head, whole, advance, call } = await openServer(() => {
      began.open();
      return new Promise(() => {});
    });
    const [hanging, half, silent] = [await call(), await call(), await call()];
    half.socket.write(`${head}Content-Length: 2\r\n\r\nh`);
    hanging.socket.write(whole);
    await began.opened;
    const end = server.close();
    expect([await half.closed, await silent.closed]).toEqual(['', '']);
    advance(999);
    expect(hanging.socket.closed).toBe(false);
    advance(1);
    await end;
    expect(await hanging.closed).toBe('');
  });
});

describe('a trigger server', () => {
  it('stays open to others when a client holds connections open', async () => {
    const { head, whole, call } = await openServer();
    const holders = [];
    for (let count = 0; count < 64; count += 1) holders.push(await call());
    for (const { socket } of holders) socket.write(`${head}Content-Le`);
    const client = await call();
    expect(await client.ask(whole)).toBe('HTTP/1.1 202 Accepted');
    expect(await holders[0]?.closed).toBe('');
    expect(holders.filter(({ socket }) => !socket.closed)).toHaveLength(63);
  });

  it('drops nobody whose request is under way', async () => {
    const [began, held] = [createGate(), createGate()];
    let count = 0;
    const { whole, call } = await openServer(() => {
      count += 1;
      if (count === 64) began.open();
      return held.opened;
    });
    const clients = [];
    for (let each = 0; each < 64; each += 1) clients.push(await call());
    const answers = clients.map(({ ask: post }) => post(whole));
    await began.opened;
    const late = await call();
    expect(await late.closed).toBe('');
    held.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 202 Accepted']));
  });

  it('takes nothing for a trigger that is closed while its request comes in', async () => {
    let taken = 0;
    const { endpoints, head, call } = await openServer(async () => {
      taken += 1;
    });
    const { socket, ask: post } = await call();
    expect(await post(`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\nh`)).toBe(
      'HTTP/1.1 100 Continue',
    ); // the server has looked up the endpoint
    endpoints.clear();
    expect(await ask(socket, 'i')).toBe('HTTP/1.1 404 Not Found');
    expect(taken).toBe(0);
  });

  it.runIf(isDeep)(
    'drops who does not come to the point within six seconds',
    async () => {
      const { head, call } = await openServer();
      const [silent, slow] = [await call(), await call()];
      slow.socket.write(head);
      const began = Date.now();
      await Promise.all([silent.closed, slow.closed]);
      expect(Date.now() - began).toBeLessThan(7_000);
    },
    15_000,
  );
});
