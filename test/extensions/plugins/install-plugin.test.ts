import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findInstalled,
  installPlugin,
  removePlugin,
  updatePlugin,
} from '../../../src/extensions/plugins/install-plugin.js';
import { loadPlugins } from '../../../src/extensions/plugins/load-plugins.js';
import {
  addMarketplace,
  parseMarketplaceSource,
  removeMarketplace,
} from '../../../src/extensions/plugins/marketplaces.js';
import { readMarketplaces } from '../../../src/extensions/plugins/plugin-state.js';
import { validatePlugin } from '../../../src/extensions/plugins/validate-plugin.js';
import { createFiles } from '../../support/files.js';

const SHOP = {
  'shop/.claude-plugin/marketplace.json': {
    name: 'shop',
    owner: { name: 'Ann' },
    plugins: [
      { name: 'kit', source: './plugins/kit' },
      { name: 'out', source: '../out' },
      { name: 'old', source: { source: 'npm', package: 'x' } },
      { name: 'bad', source: 5 },
    ],
  },
  'shop/plugins/kit/.claude-plugin/plugin.json': { name: 'kit', version: '1.0.0' },
  'shop/plugins/kit/commands/go.md': 'Go.',
  'shop/shared/note.md': 'Shared.',
  'outside.md': 'Secret.',
  'out/commands/x.md': 'x',
};

/** A marketplace in a folder, a project `p`, and a home `h`. */
async function createWorld() {
  const files = Object.entries(SHOP).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const folder = await createFiles({ 'p/x': '', 'h/x': '', ...Object.fromEntries(files) });
  const at = (path: string): string => join(folder, path);
  const world = { cwd: at('p'), env: { HOME: at('h'), PATH: process.env['PATH'] } };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const json = (path: string): unknown => JSON.parse(readFileSync(at(path), 'utf8'));
  const add = (text: string) => addMarketplace(parseMarketplaceSource(text, world), world);
  return { at, world, write, json, add };
}

/** Make a repository of a folder, with a commit. */
function commit(cwd: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '--message', 'x');
  return git('rev-parse', 'HEAD');
}

describe('a plugin of a marketplace', () => {
  it('is copied and enabled, updated to a new version, and removed with its copies', async () => {
    const { at, world, write, json, add } = await createWorld();
    await symlink(at('shop/shared/note.md'), at('shop/plugins/kit/commands/shared.md'));
    await symlink(at('outside.md'), at('shop/plugins/kit/commands/secret.md'));
    await symlink('go.md', at('shop/plugins/kit/commands/again.md'));
    expect(await add(at('shop'))).toMatchObject({
      name: 'shop',
      broken: new Map([['bad', expect.any(String)]]),
    });
    const installed = await installPlugin('kit', { scope: 'user' }, world);
    expect(installed).toMatchObject({ id: 'kit@shop', version: '1.0.0', before: undefined });
    const copy = at('h/.claude/plugins/cache/shop/kit/1.0.0');
    expect((await readdir(join(copy, 'commands'))).sort()).toEqual([
      'again.md',
      'go.md',
      'shared.md',
    ]);
    expect(json('h/.claude/settings.json')).toEqual({ enabledPlugins: { 'kit@shop': true } });
    expect(json('h/.claude/plugins/installed_plugins.json')).toMatchObject({
      version: 2,
      plugins: { 'kit@shop': [{ scope: 'user', installPath: copy, version: '1.0.0' }] },
    });
    const load = () => loadPlugins({ ...world, folders: [], enabled: { 'kit@shop': true } });
    expect((await load()).loaded.map(({ path }) => path)).toEqual([copy]);

    await write('shop/plugins/kit/.claude-plugin/plugin.json', '{ "name": "kit", "version": "2" }');
    expect(await updatePlugin('kit', 'user', world)).toMatchObject({
      version: '2',
      before: '1.0.0',
    });
    expect(await readdir(dirname(copy))).toEqual(['2']);

    await write('h/.claude/plugins/data/kit-shop/note', 'x');
    await expect(
      removePlugin('kit', { scope: 'project', keepsData: false }, world),
    ).rejects.toThrow('is not installed for the scope project, only for user');
    await expect(updatePlugin('kit', 'project', world)).rejects.toThrow(
      'is not installed for the scope project, only for user. Give --scope.',
    );
    expect(await removePlugin('kit', { scope: 'user', keepsData: false }, world)).toBe('kit@shop');
    expect(json('h/.claude/settings.json')).toEqual({ enabledPlugins: {} });
    expect(existsSync(dirname(copy))).toBe(false);
    expect(existsSync(at('h/.claude/plugins/data/kit-shop'))).toBe(false);
    expect(() => findInstalled('kit', world.env)).toThrow('The plugin "kit" is not installed.');
    await removeMarketplace('shop', world);
    expect(readMarketplaces(world.env)).toEqual({});
    expect(existsSync(at('shop'))).toBe(true);
  });

  it('that is invalid, or has a faulty part, is reported with its file, not with a temporary folder', async () => {
    const { at, world, write, add } = await createWorld();
    const skill = 'shop/plugins/kit/skills/deploy/SKILL.md';
    await write(skill, '---\nuser-invocable: maybe\n---\nDeploy.');
    await add(at('shop'));
    const { plugin } = await installPlugin('kit', { scope: 'user' }, world);
    expect(plugin.warnings).toEqual([
      expect.stringMatching(
        `^${at('h/.claude/plugins/cache/shop/kit/1.0.0/skills/deploy/SKILL.md')}:2: `,
      ),
    ]);
    await write('shop/plugins/kit/.claude-plugin/plugin.json', '{');
    await expect(updatePlugin('kit', 'user', world)).rejects.toThrow(
      /^The plugin "kit" is invalid: \.claude-plugin\/plugin\.json:1:2: /,
    );
  });

  it('comes from repositories, and no program of a repository runs', async () => {
    const { at, world, write, add } = await createWorld();
    await write('tool/deep/commands/go.md', 'Go.');
    const sha = commit(at('tool'));
    await write(
      'shop/.claude-plugin/marketplace.json',
      JSON.stringify({
        name: 'shop',
        plugins: [
          {
            name: 'tool',
            source: { source: 'git-subdir', url: `file://${at('tool')}`, path: 'deep', sha },
          },
          { name: 'gone', source: { source: 'url', url: `file://${at('nothing')}` } },
        ],
      }),
    );
    await write('shop/.gitattributes', '* filter=evil\n');
    commit(at('shop'));
    await write('shop/.git/hooks/post-checkout', '#!/bin/sh\ntouch ran\n');
    await add(`file://${at('shop')}`);
    const place = at('h/.claude/plugins/marketplaces/shop');
    expect(readMarketplaces(world.env)).toMatchObject({
      shop: { source: { source: 'git', url: `file://${at('shop')}` }, installLocation: place },
    });
    expect(existsSync(join(place, 'ran'))).toBe(false);
    const { version } = await installPlugin('tool@shop', { scope: 'local' }, world);
    expect(version).toBe(sha.slice(0, 12));
    expect(findInstalled('tool', world.env).entries).toMatchObject([
      { scope: 'local', projectPath: at('p'), gitCommitSha: sha },
    ]);
    await expect(installPlugin('gone@shop', { scope: 'user' }, world)).rejects.toThrow(
      'cannot be fetched: ',
    );
    const left = await readdir(at('h/.claude/plugins'));
    expect(left.filter((name) => name.startsWith('.'))).toEqual([]);
    await removeMarketplace('shop', world);
    expect(existsSync(place)).toBe(false);
  });

  it.each([
    ['out@shop', 'The plugin "out" is outside of its marketplace: ../out.'],
    ['old@shop', 'has a source of the kind "npm", which is not supported'],
    ['bad@shop', 'The plugin "bad" of "shop" is invalid'],
    ['kti@shop', 'The marketplace "shop" has no plugin "kti". Did you mean kit?'],
    ['kit@shpo', 'There is no marketplace "shpo". Did you mean shop?'],
    ['nothing', 'No marketplace has a plugin "nothing".'],
  ])('%s is refused, and nothing is installed', async (name, message) => {
    const { at, world, add } = await createWorld();
    await add(at('shop'));
    await expect(installPlugin(name, { scope: 'user' }, world)).rejects.toThrow(message);
    expect(existsSync(at('h/.claude/plugins/cache'))).toBe(false);
    expect(existsSync(at('h/.claude/settings.json'))).toBe(false);
  });

  it('is found in a marketplace of the settings, which is added', async () => {
    const { at, world } = await createWorld();
    const broken = { shop: { source: { source: 'github' } } };
    await expect(
      installPlugin('kit@shop', { scope: 'user', extra: broken }, world),
    ).rejects.toThrow(
      'extraKnownMarketplaces: the source of "shop" is invalid: "repo" is required (a string).',
    );
    const extra = { shop: { source: { source: 'directory', path: at('shop') } } };
    await installPlugin('kit@shop', { scope: 'user', extra }, world);
    expect(Object.keys(readMarketplaces(world.env))).toEqual(['shop']);
  });
});

it.each([
  ['./shop', { source: 'directory', path: '/p/shop' }],
  ['~/shop', { source: 'directory', path: '/h/shop' }],
  ['/a/.claude-plugin/marketplace.json', { source: 'directory', path: '/a' }],
  ['ann/shop', { source: 'github', repo: 'ann/shop' }],
  ['ann/shop#v1', { source: 'github', repo: 'ann/shop', ref: 'v1' }],
  ['git@x.test:a/b.git', { source: 'git', url: 'git@x.test:a/b.git' }],
  ['https://x.test/a#main', { source: 'git', url: 'https://x.test/a', ref: 'main' }],
])('%j is a source of a marketplace', (text, source) => {
  expect(parseMarketplaceSource(text, { cwd: '/p', env: { HOME: '/h' } })).toEqual(source);
});

it.each(['shop', '--upload-pack=x', 'ext::sh -c x', 'https://x.test/marketplace.json'])(
  '%j is refused as a source of a marketplace',
  (text) => {
    expect(() => parseMarketplaceSource(text, { cwd: '/p', env: {} })).toThrow(
      /Write a folder|Name the/,
    );
  },
);

it('a check names faults of a marketplace and its plugins, and fields without meaning', async () => {
  const { at, world, write } = await createWorld();
  await write('shop/plugins/kit/.claude-plugin/plugin.json', '{ "name": "kit", "comands": [] }');
  await write(
    'shop/.claude-plugin/marketplace.json',
    JSON.stringify({
      name: 'shop',
      plugins: [
        { name: 'kit', source: './plugins/kit' },
        { name: 'gone', source: './gone' },
      ],
    }),
  );
  const { errors, warnings, counts } = await validatePlugin(at('shop'), world);
  expect({ errors, warnings, counts }).toEqual({
    errors: [`gone: its folder ${at('shop/gone')} does not exist.`],
    warnings: [
      `kit: ${at('shop/plugins/kit/.claude-plugin/plugin.json')}: there is no field "comands". Did you mean "commands"?`,
    ],
    counts: { plugins: 2, 'plugins in this folder': 2 },
  });
});
