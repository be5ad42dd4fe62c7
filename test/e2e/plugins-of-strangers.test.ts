import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { createPlace, type Place } from './support/place.js';

const MARKETPLACE = '.claude-plugin/marketplace.json';

/** A place with a marketplace in `shop` that has these plugins. */
async function placeWithShop(
  onTestFinished: TestContext['onTestFinished'],
  plugins: readonly object[],
  name = 'shop',
): Promise<Place> {
  const place = await createPlace(onTestFinished);
  await place.write({
    [`shop/${MARKETPLACE}`]: JSON.stringify({ name, plugins }),
    'shop/kit/commands/go.md': 'Go.',
  });
  return place;
}

const plugin = (place: Place, ...words: readonly string[]) => place.call(['plugin', ...words]);

describe.concurrent('a marketplace of a stranger', () => {
  it('gives no file outside of it', async ({ onTestFinished }) => {
    const place = await placeWithShop(onTestFinished, [
      { name: 'linked', source: './linked' },
      { name: 'above', source: './../secret' },
    ]);
    await place.write({ 'secret/key': 'secret' });
    await symlink(place.at('secret'), place.at('shop/linked'));
    await plugin(place, 'marketplace', 'add', './shop');
    for (const [name, source] of [
      ['linked', './linked'],
      ['above', './../secret'],
    ] as const)
      expect(await plugin(place, 'install', name)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `troupe: The plugin "${name}" is outside of its marketplace: ${source}.\n`,
      });
    const files = await place.files();
    expect(files.filter((file) => file.endsWith('key'))).toEqual(['secret/key']);
    expect(place.has('../home/.claude/plugins/cache')).toBe(false);
  });

  it('adds nothing to a plugin that is installed, and does not rename it', async ({
    onTestFinished,
  }) => {
    const kit = { name: 'kit', source: './kit' };
    const place = await placeWithShop(onTestFinished, [kit]);
    await plugin(place, 'marketplace', 'add', './shop');
    await plugin(place, 'install', 'kit');
    const api = await place.api({ replies: Array.from({ length: 3 }, () => ({ text: 'Gone.' })) });
    const run = () => place.call(['-p', '/kit:go'], { api });
    const command = { type: 'command', command: 'touch ran' };
    const hooks = { SessionStart: [{ hooks: [command] }] };
    for (const plugins of [[{ ...kit, hooks }], []]) {
      await place.write({ [`shop/${MARKETPLACE}`]: JSON.stringify({ name: 'shop', plugins }) });
      expect(await run()).toMatchObject({ code: 0, stdout: 'Gone.\n', stderr: '' });
      expect(place.has('ran')).toBe(false);
    }
    await place.write({
      [`shop/${MARKETPLACE}`]: JSON.stringify({ name: 'shop', plugins: [{ ...kit, hooks }] }),
    });
    await plugin(place, 'update', 'kit');
    expect(await run()).toMatchObject({ code: 0 });
    expect(place.has('ran')).toBe(true);
  });

  it('has entries that cannot be used beside others that can', async ({ onTestFinished }) => {
    const place = await placeWithShop(onTestFinished, [
      { name: 'kit', source: './kit' },
      { name: '\u001B[31mred', source: './kit' },
      { name: 'gone', source: './gone' },
      { name: 'large', source: './large' },
    ]);
    await place.write({ 'shop/large/data': '' });
    await truncate(place.at('shop/large/data'), 2_000_000_000); // a hole: it takes no room
    const added = await plugin(place, 'marketplace', 'add', './shop');
    expect([added.code, added.stderr]).toEqual([
      0,
      expect.stringContaining(
        'troupe: The plugin "\\u001b[31mred" is left out: "name" must be one word ',
      ),
    ]);
    expect(await plugin(place, 'install', 'kit')).toMatchObject({ code: 0, stderr: '' });
    expect(await plugin(place, 'install', 'gone')).toMatchObject({
      code: 2,
      stderr: 'troupe: The marketplace of the plugin "gone" has no folder ./gone.\n',
    });
    expect(await plugin(place, 'install', 'large')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has more than 1,000 MB') as unknown,
    });
  });

  it.each(['skills-dir', 'inline'])('cannot have the name %s', async (name) => {
    const ends: (() => unknown)[] = [];
    const place = await placeWithShop((end) => void ends.push(end as () => unknown), [], name);
    try {
      expect(await plugin(place, 'marketplace', 'add', './shop')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `"name" must not be "inline" or "skills-dir", which plugins without a marketplace have`,
        ) as unknown,
      });
    } finally {
      for (const end of ends) await end();
    }
  });
});

it('marketplaces and plugins come from git servers and from repositories on disk', async ({
  onTestFinished,
}) => {
  const place = await createPlace(onTestFinished);
  const address = await serveGit(place.at('.'), onTestFinished);
  await place.write({
    'tool/commands/go.md': 'Go.',
    [`shop/${MARKETPLACE}`]: JSON.stringify({
      name: 'shop',
      plugins: [
        { name: 'served', source: { source: 'url', url: `${address}/tool/.git` } },
        { name: 'local', source: { source: 'git', url: `file://${place.at('tool')}` } },
      ],
    }),
  });
  for (const folder of ['tool', 'shop']) commit(place.at(folder));
  expect(await plugin(place, 'marketplace', 'add', `${address}/shop/.git`)).toMatchObject({
    code: 0,
    stdout: 'The marketplace shop has 2 plugins. To install one: troupe plugin install NAME@shop\n',
  });
  for (const name of ['served', 'local']) {
    expect(await plugin(place, 'install', name)).toMatchObject({ code: 0, stderr: '' });
    const api = await place.api({ replies: [{ text: 'Gone.' }] });
    expect(await place.call(['-p', `/${name}:go`], { api })).toMatchObject({ stdout: 'Gone.\n' });
  }
});

function commit(cwd: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '--message', 'x');
}

/** Serve the repositories of a folder with git's own program. @returns the address */
async function serveGit(
  root: string,
  onTestFinished: TestContext['onTestFinished'],
): Promise<string> {
  const folder = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(String(request.url), 'http://x');
    const program = spawn(join(folder, 'git-http-backend'), {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined, // sent once
      },
    });
    request.pipe(program.stdin);
    const chunks: Buffer[] = [];
    program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    program.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      for (const line of all.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(all.subarray(end + 4));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
