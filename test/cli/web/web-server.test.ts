import { describe, expect, it, onTestFinished } from 'vitest';
import { openWebServer, type WebRoutes } from '../../../src/cli/web/web-server.js';
import { createGate } from '../../support/gate.js';

/** A server with these streams and commands, and a request to it as its page makes it. */
async function serve(routes: Partial<WebRoutes>) {
  const server = await openWebServer({ files: {}, streams: {}, commands: {}, ...routes }, 0);
  onTestFinished(() => server.close());
  const { origin, hash } = new URL(server.address);
  const post = (path: string): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: {
        origin,
        authorization: `Bearer ${hash.slice('#token='.length)}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
  return { server, post };
}

const part = (name: string) => ({ event: 'part', id: name, data: name });
const PART = 'event: part\nid: one\ndata: "one"\n\n';

describe('a stream of the control room', () => {
  it('says that it is whole', async () => {
    const { post } = await serve({
      streams: {
        async *'/events'() {
          yield part('one');
        },
      },
    });
    expect(await (await post('/events')).text()).toBe(`${PART}event: end\ndata: null\n\n`);
  });

  it('says why it has failed, and ends', async () => {
    const { post } = await serve({
      streams: {
        async *'/events'() {
          yield part('one');
          throw new Error('the folder is gone');
        },
      },
    });
    expect(await (await post('/events')).text()).toBe(
      `${PART}event: failed\ndata: "the folder is gone"\n\n`,
    );
  });

  it('ends without an error of the connection when the server closes', async () => {
    const never = createGate();
    const { post, server } = await serve({
      streams: {
        async *'/events'() {
          yield part('one');
          await never.opened;
        },
      },
    });
    const answer = await post('/events');
    // The end of the connection is the end: a browser reports a chunk that is missing as an error.
    expect(answer.headers.get('transfer-encoding')).toBe(null);
    expect(answer.headers.get('connection')).toBe('close');
    const text = answer.text();
    await server.close();
    expect(await text).toBe(PART);
  });
});

describe('a command of the control room', () => {
  it('says why it has failed', async () => {
    const { post } = await serve({
      commands: {
        '/kill': () => Promise.reject(new Error('the folder is gone')),
      },
    });
    const answer = await post('/kill');
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'the folder is gone' }]);
  });
});
