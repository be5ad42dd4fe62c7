import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpFront, type HttpFrontOptions } from '../../../src/api/serve/http-front.js';
import { createToken } from '../../../src/actors/services/bearer-token.js';

async function openFront(
  host = '127.0.0.1',
  answer: HttpFrontOptions['answer'] = async (_, response) => void response.end('answered'),
) {
  const warnings: string[] = [];
  const { token, tokenHash } = createToken();
  const front = await openHttpFront({
    host,
    port: 0,
    tokenHash,
    isPublic: (path) => path === '/card',
    answer,
    warn: (message) => void warnings.push(message),
  });
  onTestFinished(() => front.close());
  const bearer = { authorization: `Bearer ${token}` };
  /** @returns the status and the body of a GET */
  const get = (headers: Readonly<Record<string, string>> = bearer, path = '/') =>
    new Promise<readonly [number | undefined, string]>((resolve, reject) => {
      const asked = request(new URL(path, front.url), { headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve([response.statusCode, body])).on('error', reject);
      });
      asked.on('error', reject).end();
    });
  return { bearer, get, warnings };
}

const refusal = (message: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } })}\n`;

describe('the HTTP front', () => {
  it('answers requests with the token, and all requests to public paths', async () => {
    const { get } = await openFront();
    expect(await get()).toEqual([200, 'answered']);
    expect(await get({}, '/card?x=1')).toEqual([200, 'answered']);
    const without = [401, refusal('give the token: Authorization: Bearer TOKEN')];
    expect(await get({})).toEqual(without);
    expect(await get({ authorization: 'Bearer wrong' })).toEqual(without);
  });

  it('refuses names of other sites in Host and Origin, also with the token', async () => {
    const { get, bearer } = await openFront();
    const host = [403, refusal('the Host header does not name this server')];
    const origin = [403, refusal('the Origin header names another site')];
    expect(await get({ ...bearer, host: 'evil.example' })).toEqual(host);
    expect(await get({ ...bearer, host: '10.0.0.1:80' })).toEqual(host);
    expect(await get({ host: 'evil.example' }, '/card')).toEqual(host);
    expect(await get({ ...bearer, origin: 'http://evil.example' })).toEqual(origin);
    expect(await get({ ...bearer, origin: 'null' })).toEqual(origin);
    expect(await get({ ...bearer, origin: 'http://localhost:1234' })).toEqual([200, 'answered']);
  });

  it('accepts its addresses, but no other names, if it listens on all of them', async () => {
    const { get, bearer } = await openFront('0.0.0.0');
    expect(await get({ ...bearer, host: '192.168.0.7:80' })).toEqual([200, 'answered']);
    expect((await get({ ...bearer, host: 'evil.example' }))[0]).toBe(403);
  });

  it('reports a request that fails, also in the middle of its answer, but no client that has gone', async () => {
    const { get, warnings } = await openFront(undefined, async ({ url }, response) => {
      if (url === '/begun') response.writeHead(200).write('some');
      if (url === '/gone') {
        response.destroy();
        throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
      }
      if (url === '/broken') {
        const broken = new Readable({ read: () => broken.destroy(new Error('No memory.')) });
        await pipeline(broken, response); // which destroys the response
      }
      throw new Error('No disk.');
    });
    expect(await get(undefined, '/early?token=x')).toEqual([500, refusal('the request failed')]);
    await expect(get(undefined, '/begun')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(get(undefined, '/gone')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(get(undefined, '/broken')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(warnings).toEqual([
      'GET /early failed: No disk.',
      'GET /begun failed: No disk.',
      'GET /broken failed: No memory.',
    ]);
  });
});
