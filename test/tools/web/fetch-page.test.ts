import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetchPage, type FetchOptions } from '../../../src/tools/web/fetch-page.js';
import { pages, serve, type Page } from './hostile-server.js';

/** Everything may be fetched, and no name leads anywhere, unless the test says otherwise. */
function fetchFrom(url: string, options: Partial<FetchOptions> = {}) {
  const { signal } = new AbortController();
  const resolve = (host: string) => Promise.reject(new Error(`${host} was looked up`));
  return fetchPage(url, { signal, approve: () => Promise.resolve(), resolve, ...options });
}

async function textOf(page: Page): Promise<string> {
  const { url } = await serve(pages({ '/': page }));
  const fetched = await fetchFrom(url('/'));
  return fetched.type === 'page' ? fetched.text : fetched.type;
}

const html = { 'content-type': 'text/html; charset=utf-8' };

describe('fetchPage', () => {
  it('converts HTML to Markdown', async () => {
    const body = '<title>T</title><h1>One</h1><p><a href="two">Two</a></p>';
    const { url } = await serve(pages({ '/docs/': { headers: html, body } }));
    expect(await fetchFrom(url('/docs/'))).toEqual({
      type: 'page',
      url: url('/docs/'),
      status: 200,
      contentType: 'text/html',
      title: 'T',
      text: `# One\n\n[Two](${url('/docs/two')})`,
      isCut: false,
    });
  });

  it.each([
    ['application/json', '{"a": [1, "<b>"]}'],
    ['text/plain; charset=utf-8', '<html> as text'],
    ['application/vnd.api+json', '{}'],
    ['image/svg+xml', '<svg/>'],
    ['application/octet-stream', 'just text'],
  ])('returns %s as it is', async (type, body) => {
    expect(await textOf({ headers: { 'content-type': type }, body })).toBe(body);
  });

  it('recognises HTML without a content type', async () => {
    const body = '<!-- hi -->\n<!DOCTYPE html><p>page</p>';
    expect(await textOf({ headers: {}, body })).toBe('page');
  });

  it.each([
    ['image/png', 'image/png'],
    ['application/pdf', 'application/pdf'],
    ['application/zip', 'application/zip'],
  ])('refuses %s with advice', async (type, named) => {
    await expect(textOf({ headers: { 'content-type': type }, body: 'x' })).rejects.toMatchObject({
      code: 'WEB_UNSUPPORTED',
      message: expect.stringMatching(
        new RegExp(
          `^http://127\\.0\\.0\\.1:\\d+/ is ${named}, which WebFetch does not read: it reads HTML`,
        ),
      ) as string,
    });
  });

  it('refuses binary data that is called text', async () => {
    const body = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]);
    const reading = textOf({ headers: { 'content-type': 'text/plain' }, body });
    await expect(reading).rejects.toMatchObject({ code: 'WEB_UNSUPPORTED' });
  });

  it.each([
    [404, '404 Not Found'],
    [500, '500 Internal Server Error'],
    [418, "418 I'm a Teapot"],
    [799, '799'],
  ])('tells the status %d', async (status, told) => {
    const { url } = await serve(pages({ '/': { status, body: '<p>trust me</p>' } }));
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({
      code: 'WEB_STATUS',
      message: `${url('/')} answered ${told}, so there is no page to read.`,
    });
  });

  it('tells that nobody answers', async () => {
    const { url, port } = await serve((_request, response) => void response.destroy());
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({
      code: 'WEB_UNREACHABLE',
      message: `http://127.0.0.1:${port}/ could not be fetched: socket hang up. Check the address.`,
    });
  });
});

describe('fetchPage and compression', () => {
  const text = 'page '.repeat(1_000);
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('reads %s', async (encoding, body) => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
    expect(await textOf({ headers, body })).toBe(text);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('stops a %s bomb at the limit', async (encoding, compress) => {
    const body = compress(Buffer.alloc(4 * 1024 * 1024));
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
    const { url } = await serve(pages({ '/': { headers, body } }));
    await expect(fetchFrom(url('/'), { maxBytes: 1024 * 1024 })).rejects.toMatchObject({
      code: 'WEB_TOO_LARGE',
      message: `${url('/')} is larger than 1 MB, the most that WebFetch reads. Fetch a smaller page.`,
    });
  });

  it.each([
    ['an unknown compression', 'zip', Buffer.from('x'), 'WEB_UNSUPPORTED'],
    ['data that is not compressed', 'gzip', Buffer.from('x'.repeat(100)), 'WEB_UNREACHABLE'],
  ])('bears %s', async (_what, encoding, body, code) => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
    await expect(textOf({ headers, body })).rejects.toMatchObject({ code });
  });
});

describe('fetchPage and charsets', () => {
  it.each([
    ['the header', 'text/html; charset=iso-8859-1', Buffer.from('<p>caf\xe9', 'latin1'), 'café'],
    ['the header in quotes', 'text/html; charset="Shift_JIS"', Buffer.from([0x83, 0x65]), 'テ'],
    ['the page', 'text/html', Buffer.from('<meta charset=windows-1252><p>\x80 5', 'latin1'), '€ 5'],
    [
      'the page, in its older form',
      'text/html',
      Buffer.from(
        '<meta http-equiv="content-type" content="text/html; charset=koi8-r"><p>\xc1',
        'latin1',
      ),
      'а',
    ],
    ['a byte order mark', 'text/html; charset=ascii', Buffer.from('\ufeff<p>é'), 'é'],
    ['UTF-16 with its mark', 'text/plain', Buffer.from('\ufeffé!', 'utf16le'), 'é!'],
    ['no charset', 'text/html', Buffer.from('<p>é'), 'é'],
    ['an unknown charset', 'text/html; charset=klingon', Buffer.from('<p>é'), 'é'],
    [
      'an unknown one, then that of the page',
      'text/html; charset=x',
      Buffer.from('<meta charset="latin1"><p>\xe9', 'latin1'),
      'é',
    ],
    ['bytes that are not UTF-8', 'text/html', Buffer.from('<p>caf\xe9', 'latin1'), 'caf\ufffd'],
    ['a page that calls itself UTF-16', 'text/html', Buffer.from('<meta charset=utf-16><p>é'), 'é'],
  ])('decodes by %s', async (_what, type, body, expected) => {
    expect(await textOf({ headers: { 'content-type': type }, body })).toBe(expected);
  });
});

describe('fetchPage and redirects', () => {
  const redirect = (location: string, status = 302): Page => ({ status, headers: { location } });

  it('follows them on the same host, asking for each', async () => {
    const { url } = await serve(
      pages({ '/a': redirect('/b', 301), '/b': redirect('c#part', 307), '/c': { body: 'end' } }),
    );
    const asked: string[] = [];
    const approve = (address: string) => {
      asked.push(address);
      return Promise.resolve();
    };
    const fetched = await fetchFrom(url('/a'), { approve });
    expect(fetched).toMatchObject({ type: 'page', url: url('/c'), text: 'end' });
    expect(asked).toEqual([url('/a'), url('/b'), url('/c')]);
  });

  it('sends nothing to an address that was not approved', async () => {
    const { url, seen } = await serve(pages({ '/a': redirect('/secret') }));
    const approve = (address: string) =>
      address.endsWith('/secret') ? Promise.reject(new Error('denied')) : Promise.resolve();
    await expect(fetchFrom(url('/a'), { approve })).rejects.toThrow('denied');
    expect(seen).toEqual(['/a']);
  });

  it.each([
    'https://other.test/page',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://localhost/',
    'file:///etc/passwd',
  ])('reports a redirect to %s instead of following it', async (location) => {
    const { url } = await serve(pages({ '/': redirect(location) }));
    expect(await fetchFrom(url('/'))).toEqual({
      type: 'redirect',
      url: url('/'),
      status: 302,
      location: new URL(location).href,
    });
  });

  it('reports a redirect to another port of the same host', async () => {
    const other = await serve(pages({ '/': { body: 'other' } }));
    const { url } = await serve(pages({ '/': redirect(other.url('/')) }));
    expect(await fetchFrom(url('/'))).toMatchObject({ type: 'redirect', location: other.url('/') });
    expect(other.seen).toEqual([]);
  });

  it('refuses an address with a password on the same host', async () => {
    const { url, port } = await serve(({ headers: { host } }, response) => {
      response.writeHead(302, { location: `http://a:b@${host ?? ''}/` }).end();
    });
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({
      code: 'WEB_REFUSED',
      message: `http://a:b@127.0.0.1:${port}/: it holds a user name or password: take it out.`,
    });
  });

  it('ends a circle', async () => {
    const { url, seen } = await serve(pages({ '/': redirect('/') }));
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({
      code: 'WEB_REDIRECTS',
      message: `${url('/')} was redirected more than 10 times. Try another address.`,
    });
    expect(seen).toHaveLength(11);
  });

  it('takes a redirect without an address for an answer without a page', async () => {
    const { url } = await serve(pages({ '/': { status: 302, headers: {} } }));
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({ code: 'WEB_STATUS' });
  });
});

describe('fetchPage and names', () => {
  it('connects to the address that was checked, and looks the name up once', async () => {
    const { port } = await serve(pages({ '/': { body: 'here' } }));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const fetched = await fetchFrom(`http://app.localhost:${port}/`, { resolve });
    expect(fetched).toMatchObject({ text: 'here' });
    expect(answers).toEqual([['169.254.169.254']]);
  });

  it('checks the name again for each redirect', async () => {
    const { port, seen } = await serve(
      pages({ '/': { status: 302, headers: { location: '/b' } } }),
    );
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const fetching = fetchFrom(`http://app.localhost:${port}/`, { resolve });
    await expect(fetching).rejects.toMatchObject({
      code: 'WEB_REFUSED',
      message: 'app.localhost leads to a metadata service: it cannot be fetched.',
    });
    expect(seen).toEqual(['/']);
  });

  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['10.1.2.3', 'a private address'],
    ['169.254.169.254', 'a metadata service'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['64:ff9b::a00:1', 'a private address'],
    ['garbage', 'an address that cannot be read'],
  ])('refuses a name that leads to %s, beside a public address too', async (address, what) => {
    const resolve = () => Promise.resolve(['93.184.216.34', address]);
    await expect(fetchFrom('http://rebind.test:1/', { resolve })).rejects.toMatchObject({
      code: 'WEB_REFUSED',
      message: `rebind.test leads to ${what}: it cannot be fetched.`,
    });
  });

  it.each([
    [
      () => Promise.reject(new Error('no such name')),
      'none.test cannot be resolved: no such name. Check the address.',
    ],
    [() => Promise.resolve([]), 'none.test has no address. Check the name.'],
  ])('tells that a name leads nowhere', async (resolve, message) => {
    await expect(fetchFrom('https://none.test/', { resolve })).rejects.toMatchObject({
      code: 'WEB_UNREACHABLE',
      message,
    });
  });
});

describe('fetchPage and time', () => {
  const late = { code: 'WEB_TOO_SLOW' };

  it('ends an endless body at the limit of size', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const pour = (): void => void (response.write('x'.repeat(65_536)) && setImmediate(pour));
      response.on('drain', pour);
      pour();
    });
    await expect(fetchFrom(url('/'), { maxBytes: 1024 * 1024 })).rejects.toMatchObject({
      code: 'WEB_TOO_LARGE',
    });
  });

  it('reads nothing of a body that says that it is too large', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '99999999999' });
      response.write('x');
    });
    await expect(fetchFrom(url('/'))).rejects.toMatchObject({ code: 'WEB_TOO_LARGE' });
  });

  it.each([
    ['a server that never answers', () => {}],
    [
      'a body that drips',
      (response: {
        write(text: string): unknown;
        on(event: 'close', listener: () => void): unknown;
      }) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends %s when the time is over', async (_what, answer) => {
    const { url } = await serve((_request, response) => answer(response));
    await expect(fetchFrom(url('/'), { timeoutMs: 100 })).rejects.toMatchObject({
      ...late,
      message: `${url('/')} took longer than 0.1 s. Try again later, or another address.`,
    });
  });

  it('ends a name look-up when the time is over', async () => {
    const resolve = () => new Promise<readonly string[]>(() => {});
    const fetching = fetchFrom('https://slow.test/', { resolve, timeoutMs: 20 });
    await expect(fetching).rejects.toMatchObject(late);
  });

  it('ends when its signal is aborted, and closes the connection', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const { url } = await serve((_request, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<p>');
      controller.abort(new Error('interrupted'));
    });
    await expect(fetchFrom(url('/'), { signal: controller.signal })).rejects.toThrow('interrupted');
    await closed;
  });
});
