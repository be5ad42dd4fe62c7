import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { LoadedSettings } from '../../../src/settings/files/load-settings.js';
import { applyPolicy } from '../../../src/settings/programs/apply-policy.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

const managed = (settings: object, file = '/a/managed.json'): LoadedSettings => ({
  settings: Settings.parse(settings),
  source: 'policySettings',
  file,
});
const apply = (...layers: readonly LoadedSettings[]) =>
  applyPolicy(layers, { cwd: '/', env: { PATH: process.env['PATH'] } });
const rulesOf = (layers: readonly LoadedSettings[]) =>
  layers.map(({ file, settings }) => [file, settings.permissions?.deny]);

describe('managed settings that cannot be obeyed', () => {
  it.each([
    ['forceLoginOrgUUID', { forceLoginOrgUUID: 'a' }],
    ['forceRemoteSettingsRefresh', { forceRemoteSettingsRefresh: true }],
    ['sandbox.filesystem', { sandbox: { filesystem: { denyWrite: ['/etc'] } } }],
    ['sandbox.credentials', { sandbox: { credentials: { envVars: [{ name: 'A' }] } } }],
    ['sandbox.futureLimit', { sandbox: { futureLimit: true } }],
    ['permissions.blockReads', { permissions: { blockReads: true } }],
  ])('refuse to run, unless they are accepted: %s', async (key, settings) => {
    await expect(apply(managed(settings))).rejects.toThrow(
      `/a/managed.json: Troupe cannot obey these managed settings, and does not run without them: ${key}.`,
    );
    const accept = { acceptUnsupported: [key] };
    await expect(apply(managed({ ...settings, ...accept }))).resolves.toHaveLength(1);
    await expect(apply(managed(settings), managed(accept, '/b/c.json'))).resolves.toHaveLength(2);
    await expect(apply(managed(accept), managed(settings, '/b/c.json'))).rejects.toThrow(key);
  });

  it('run if they only loosen something or are off', async () => {
    const layer = managed({
      forceLoginOrgUUID: [],
      permissions: { denyInsteadOfPrompting: false },
      sandbox: {
        autoAllowBashIfSandboxed: true,
        failIfUnavailable: true,
        filesystem: { allowWrite: ['/tmp'], denyRead: [] },
      },
    });
    expect(await apply(layer)).toEqual([layer]);
  });
});

it('a pattern of blockedMarketplaces that is no regular expression is an error', async () => {
  const blockedMarketplaces = [{ source: 'hostPattern', hostPattern: '(evil' }];
  await expect(apply(managed({ blockedMarketplaces }))).rejects.toThrow(
    '"blockedMarketplaces.0.hostPattern": Invalid regular expression: /(evil/: Unterminated group.',
  );
});

it('a required version is one of Troupe, except in the files of Claude Code', async () => {
  const requires = (least: string, most?: string, file?: string) =>
    apply(managed({ requiredMinimumVersion: least, requiredMaximumVersion: most }, file));
  await expect(requires('99.0.0')).rejects.toThrow(
    /^\/a\/managed\.json: requiredMinimumVersion is 99\.0\.0, and this is Troupe [\d.]+\. Install Troupe 99\.0\.0 or later\.$/,
  );
  await expect(requires('0.0.1', '0.0.9')).rejects.toThrow('requiredMaximumVersion is 0.0.9');
  await expect(requires('new')).rejects.toThrow('requiredMinimumVersion is "new"');
  await expect(requires('0.0.1', '99.0.0')).resolves.toHaveLength(1);
  const theirs = '/etc/claude-code/managed-settings.d/1.json';
  await expect(requires('99.0.0', '99.0.0', theirs)).resolves.toHaveLength(1);
});

describe('policyHelper', () => {
  /** A program that is removed when the test ends. */
  async function program({ onTestFinished }: TestContext, lines: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "it's a helper-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'run'), `#!/bin/sh\n${lines}\n`);
    await chmod(join(folder, 'run'), 0o755);
    return join(folder, 'run');
  }
  const print = (text: string): string => `cat <<'END'\n${text}\nEND`;
  const deny = (rule: string) => ({ permissions: { deny: [rule] } });

  it('replaces the settings of its folder, and no others', async (test) => {
    const path = await program(test, print(JSON.stringify({ managedSettings: deny('Bash') })));
    const layers = await apply(
      managed(deny('Edit'), '/a/managed.json'),
      managed({ policyHelper: { path } }, '/a/managed-settings.d/1.json'),
      managed(deny('Read'), '/b/managed.json'),
    );
    expect(rulesOf(layers)).toEqual([
      [path, ['Bash']],
      ['/b/managed.json', ['Read']],
    ]);
  });

  it('leaves the settings beside it if it prints none', async (test) => {
    const path = await program(test, print('{}'));
    const layers = await apply(managed({ ...deny('Edit'), policyHelper: { path } }));
    expect(rulesOf(layers)).toEqual([
      ['/a/managed.json', ['Edit']],
      [path, undefined],
    ]);
  });

  it.for<readonly [string, string]>([
    ['exit 3', 'exited with 3. '],
    ['kill -9 $$', 'was ended by a signal. '],
    ['true', 'printed nothing. '],
    ['exec sleep 60', 'did not end within 1 s. '],
    [print('{"permissions": {"deny": ["Bash"]}}'), 'permissions'],
    [print('{"managedSettings": {"permissions": 1}}'), 'managedSettings.permissions'],
    [print('{"managedSettings": {"forceLoginOrgUUID": "a"}}'), 'forceLoginOrgUUID'],
    [print('{"managedSettings": {"policyHelper": {"path": "/a"}}}'), 'names a policyHelper'],
    [print('no JSON'), 'not JSON'],
  ])('refuses to run if its helper does not work: %s', async ([lines, why], test) => {
    const path = await program(test, lines);
    const layer = managed({ policyHelper: { path, timeoutMs: 1_000 } });
    await expect(apply(layer)).rejects.toThrow(why);
    await expect(apply(layer)).rejects.toThrow(path);
  });

  it.each([{ path: 'helper.sh' }, { path: '/a/../b' }, {}, { path: '/a', timeoutMs: 5 }])(
    'refuses to run if the setting is %j',
    async (policyHelper) => {
      await expect(apply(managed({ policyHelper }))).rejects.toThrow(
        '/a/managed.json: policyHelper: ',
      );
    },
  );
});
