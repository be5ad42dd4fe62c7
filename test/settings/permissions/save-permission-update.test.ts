import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
  lstat,
  chmod,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionUpdate } from '../../../src/core/permission-types.js';
import { loadLayers } from '../../../src/settings/files/load-layers.js';
import { savePermissionUpdate } from '../../../src/settings/permissions/save-permission-update.js';

let folder: string;
let cwd: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
  cwd = join(folder, 'proj');
  env = { HOME: join(folder, 'home') };
  await mkdir(cwd);
  await mkdir(join(folder, 'home'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const allow = (
  ruleContent: string,
  destination: PermissionUpdate['destination'] = 'localSettings',
): PermissionUpdate => ({
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent }],
  behavior: 'allow',
  destination,
});
const save = (update: PermissionUpdate): Promise<string | undefined> =>
  savePermissionUpdate(update, { cwd, env });

async function write(path: string, text: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe('savePermissionUpdate', () => {
  it('makes the file if none is there, and what it wrote is read back', async () => {
    const file = await save(allow('npm test *'));
    expect(file).toBe(join(cwd, '.claude/settings.local.json'));
    const { layers } = await loadLayers({ cwd, env, sources: ['local'], isTrusted: () => true });
    expect(layers.map(({ settings }) => settings)).toEqual([
      { permissions: { allow: ['Bash(npm test *)'] } },
    ]);
  });

  it('keeps comments, order, unknown keys and the way the file is indented', async () => {
    const file = await write(
      join(cwd, '.claude/settings.local.json'),
      `{
    // what we agreed on
    "team": { "colour": "red" },
    "permissions": {
        "allow": [
            // everybody
            "Read",
        ],
        "deny": ["Bash(git push *)"]
    }
}
`,
    );
    await save(allow('npm test *'));
    await save(allow('npm test *'));
    expect(await readFile(file, 'utf8')).toBe(`{
    // what we agreed on
    "team": { "colour": "red" },
    "permissions": {
        "allow": [
            // everybody
            "Read",
            "Bash(npm test *)",
        ],
        "deny": ["Bash(git push *)"]
    }
}
`);
  });

  it('takes rules and directories out again, and sets the mode', async () => {
    const file = await write(
      join(cwd, '.claude/settings.json'),
      '{"permissions":{"allow":["Read","Bash(a)","Bash(b)"],"additionalDirectories":["/x","/y"]}}',
    );
    const destination = 'projectSettings';
    const rules = [{ toolName: 'Bash', ruleContent: 'a' }, { toolName: 'Read' }];
    await save({ type: 'removeRules', rules, behavior: 'allow', destination });
    await save({ type: 'removeDirectories', directories: ['/x'], destination });
    await save({ type: 'addDirectories', directories: ['/z', '/y'], destination });
    await save({ type: 'setMode', mode: 'acceptEdits', destination });
    await save({ type: 'replaceRules', rules, behavior: 'deny', destination });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      permissions: {
        allow: ['Bash(b)'],
        additionalDirectories: ['/y', '/z'],
        defaultMode: 'acceptEdits',
        deny: ['Bash(a)', 'Read'],
      },
    });
  });

  it('keeps the rights of a file, and a link to it', async () => {
    const real = await write(join(folder, 'dotfiles/settings.json'), '{}');
    await chmod(real, 0o644);
    await mkdir(join(folder, 'home/.claude'));
    const link = join(folder, 'home/.claude/settings.json');
    await symlink(real, link);
    await save(allow('ls', 'userSettings'));
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({
      permissions: { allow: ['Bash(ls)'] },
    });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o644);
  });

  it("prefers Troupe's own file if there is one", async () => {
    const own = await write(join(cwd, '.troupe/settings.local.json'), '{}');
    await write(join(cwd, '.claude/settings.local.json'), '{}');
    expect(await save(allow('ls'))).toBe(own);
  });

  it('leaves a file that it cannot read as it is, and says where it is wrong', async () => {
    const file = await write(join(cwd, '.claude/settings.local.json'), '{ "permissions": [] }');
    await expect(save(allow('ls'))).rejects.toThrow(`${file}:1:18: "permissions"`);
    expect(await readFile(file, 'utf8')).toBe('{ "permissions": [] }');
  });

  it('loses none of many updates at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => save(allow(`run ${index}`))));
    const text = await readFile(join(cwd, '.claude/settings.local.json'), 'utf8');
    const { permissions } = JSON.parse(text) as { permissions: { allow: string[] } };
    expect(permissions.allow.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `Bash(run ${index})`).toSorted(),
    );
  });

  it('writes nothing for what ends with the session', async () => {
    expect(await save(allow('ls', 'session'))).toBeUndefined();
    expect(await save(allow('ls', 'cliArg'))).toBeUndefined();
  });
});

describe('what savePermissionUpdate refuses', () => {
  it.each<[string, PermissionUpdate]>([
    ['a mode', { type: 'setMode', mode: 'bubble', destination: 'localSettings' }],
    [
      'a rule',
      {
        type: 'addRules',
        rules: [{ toolName: 'no tool' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  ])('%s that could not be read again', async (_what, update) => {
    const file = await write(join(cwd, '.claude/settings.local.json'), '{}');
    await expect(save(update)).rejects.toMatchObject({ code: 'USAGE' });
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  it('a file that is read-only, and leaves nothing behind', async () => {
    const file = await write(join(cwd, '.claude/settings.local.json'), '{}');
    await chmod(file, 0o444);
    await expect(save(allow('ls'))).rejects.toThrow(
      `${file}: The file cannot be written: it is read-only.`,
    );
    expect(await readFile(file, 'utf8')).toBe('{}');
    expect(await readdir(join(cwd, '.claude'))).toEqual(['settings.local.json']);
  });

  it.each(['', '[]', '{ "permissions": ', '{ "permissions": { "allow": "Bash" } }', 'garbage'])(
    'a file with %j in it, which stays as it is',
    async (text) => {
      const file = await write(join(cwd, '.claude/settings.local.json'), text);
      await expect(save(allow('ls'))).rejects.toMatchObject({ code: 'USAGE' });
      expect(await readFile(file, 'utf8')).toBe(text);
      expect(await readdir(join(cwd, '.claude'))).toEqual(['settings.local.json']);
    },
  );

  it('a pipe, without waiting for somebody to write into it', async () => {
    const file = join(cwd, '.claude/settings.local.json');
    await mkdir(join(cwd, '.claude'));
    execFileSync('mkfifo', [file]);
    await expect(save(allow('ls'))).rejects.toThrow(
      `${file}: The file cannot be read: it is not a regular file.`,
    );
  });

  it('a file that is larger than any settings', async () => {
    const file = await write(join(cwd, '.claude/settings.local.json'), ' '.repeat(1_000_001));
    await expect(save(allow('ls'))).rejects.toThrow(
      `${file}: The file cannot be read: it has more than 1 MB.`,
    );
    expect((await stat(file)).size).toBe(1_000_001);
  });

  it('a folder', async () => {
    const file = join(cwd, '.claude/settings.local.json');
    await mkdir(file, { recursive: true });
    await expect(save(allow('ls'))).rejects.toThrow(
      `${file}: The file cannot be read: it is not a regular file.`,
    );
  });

  it("a folder's own file that is a link to another place", async () => {
    const real = await write(join(folder, 'home/.claude/settings.json'), '{}');
    await mkdir(join(cwd, '.claude'));
    await symlink(real, join(cwd, '.claude/settings.local.json'));
    await expect(save(allow('ls'))).rejects.toThrow('outside');
    expect(await readFile(real, 'utf8')).toBe('{}');
  });
});

describe('a rule with /p', () => {
  it('means the same when it is read back from the settings of the user', async () => {
    const rules = [{ toolName: 'Edit', ruleContent: '/src/**' }];
    const update = { type: 'addRules', rules, behavior: 'allow' } as const;
    const file = await save({ ...update, destination: 'userSettings' });
    expect(JSON.parse(await readFile(String(file), 'utf8'))).toEqual({
      permissions: { allow: [`Edit(/${cwd}/src/**)`] },
    });
    const local = await save({ ...update, destination: 'localSettings' });
    expect(JSON.parse(await readFile(String(local), 'utf8'))).toEqual({
      permissions: { allow: ['Edit(/src/**)'] },
    });
  });
});
