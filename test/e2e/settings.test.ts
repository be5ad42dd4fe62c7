import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agent, answer, bash, requestsOf, results, textOf } from './support/answers.js';
import { withoutDenied } from './support/denied-lines.js';
import { createPlace, type Place } from './support/place.js';

/** Writes a settings file to a path that may be outside the working folder. */
async function save(path: string, settings: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(settings, null, 2));
}

const homeOf = (place: Place): string => join(dirname(place.cwd), 'home');

/** Runs one prompt; a sub-agent runs each command, since one that fails would cancel those beside it. */
async function use(
  place: Place,
  commands: readonly string[],
  {
    args = [],
    env = {},
  }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<{ code: number | null; stderr: string; texts: readonly string[]; model: unknown }> {
  const parts = commands.map((command) => [
    command,
    [{ tools: [bash(command)] }, { text: 'Seen.' }],
  ]);
  const api = await place.api({
    handler: answer({
      go: [
        ...(commands.length === 0 ? [] : [{ tools: commands.map((one) => agent(one)) }]),
        { text: 'Done.' },
      ],
      ...(Object.fromEntries(parts) as Parameters<typeof answer>[0]), // as just made
    }),
  });
  const { code, stderr } = await place.call(['-p', 'go', ...args], { api, env });
  const texts = commands.map((command) => {
    const [result] = results(requestsOf(api, command)[1]);
    return textOf(result?.content);
  });
  return {
    code,
    stderr: withoutDenied(stderr),
    texts,
    model: requestsOf(api, 'go')[0]?.body['model'],
  };
}

describe.concurrent('settings by layer', () => {
  it('takes the highest model, and the rules of all', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const managed = join(dirname(place.cwd), 'managed.json');
    await save(join(homeOf(place), '.claude/settings.json'), {
      model: 'user-model',
      env: { FROM_USER: 'u', BOTH: 'u' },
      permissions: { allow: ['Bash(printenv *)'] },
    });
    await save(join(place.troupeHome, 'settings.json'), { model: 'higher-user-model' });
    await save(place.at('.claude/settings.json'), {
      model: 'project-model',
      env: { BOTH: 'p' },
      permissions: { deny: ['Bash(touch a*)'], allow: ['Bash(touch *)'] },
    });
    await save(place.at('.troupe/settings.local.json'), {
      permissions: { allow: ['Bash(mkdir *)'] },
    });
    await save(managed, { permissions: { deny: ['Bash(touch b*)'] } });
    const env = { TROUPE_MANAGED_SETTINGS: managed };
    const commands = [
      'printenv FROM_USER',
      'printenv BOTH',
      'touch a',
      'touch b',
      'touch c',
      'mkdir d',
    ];
    const { code, stderr, texts, model } = await use(place, commands, { args: ['--trust'], env });
    expect({ code, stderr, model }).toEqual({ code: 0, stderr: '', model: 'project-model' });
    expect(texts.slice(0, 2).map((text) => text.trim())).toEqual(['u', 'p']);
    expect(texts[2]).toContain('Bash(touch a*) (project settings)');
    expect(texts[3]).toContain('Bash(touch b*) (managed settings)');
    expect([place.has('c'), place.has('d')]).toEqual([true, true]);

    const limited = await use(place, ['touch e'], { args: ['--setting-sources', 'user'], env });
    expect(limited).toMatchObject({ stderr: '', model: 'higher-user-model' });
    expect(place.has('e')).toBe(false);

    const flag = ['--trust', '--settings', '{"model":"flag-model"}'];
    expect(await use(place, [], { args: flag })).toMatchObject({ model: 'flag-model' });
    expect(await use(place, [], { args: [...flag, '--model', 'm'] })).toMatchObject({ model: 'm' });
  });

  it.for(['home', 'project'] as const)(
    'exits with 2 and shows the place in a broken file of %s',
    async (whose, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const folder = whose === 'home' ? homeOf(place) : place.cwd;
      const file = join(folder, '.claude/settings.json');
      await save(file, {});
      await writeFile(file, '{\n  "permissions": {\n    "allow": ["Bash("]\n  }\n}\n');
      for (const args of [['-p', 'go'], ['config']]) {
        const { code, stdout, stderr } = await place.call(args, {
          env: { ANTHROPIC_API_KEY: 'k' },
        });
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining(`troupe: ${file}:3:15: "permissions.allow.0": `),
        });
      }
    },
  );

  it('reads further folders of --add-dir without asking', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const [one, two] = ['one', 'two'].map((name) => join(place.temporary, name)) as [
      string,
      string,
    ];
    for (const folder of [one, two]) await save(join(folder, 'a.json'), { here: folder });
    const commands = [one, two].map((folder) => `cat ${folder}/a.json`);
    const without = await use(place, commands);
    expect(without.texts.every((text) => /[Pp]ermission/.test(text))).toBe(true);
    const { texts } = await use(place, commands, { args: ['--add-dir', one, '../tmp/two'] });
    expect(texts).toEqual([expect.stringContaining(one), expect.stringContaining(two)]);
  });

  it("means a user's /path from the user's own settings folder", async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const own = join(homeOf(place), '.claude');
    await save(join(own, 'settings.json'), { permissions: { allow: ['Read(/notes/**)'] } });
    await save(join(own, 'notes/a.json'), { text: 'a note' });
    await save(join(own, 'other.json'), { text: 'another' });
    const { texts } = await use(place, [`cat ${own}/notes/a.json`, `cat ${own}/other.json`]);
    expect(texts).toEqual([
      expect.stringContaining('a note'),
      expect.stringMatching(/[Pp]ermission/),
    ]);
  });
});

describe.concurrent('trust', () => {
  const SETTINGS = {
    model: 'project-model',
    env: { ANTHROPIC_MODEL: 'x', SET: 'yes' },
    permissions: { allow: ['Bash(touch *)'], deny: ['Bash(ls *)'], defaultMode: 'acceptEdits' },
  } as const;
  const COMMANDS = ['touch a', 'ls -l', 'mkdir b'];

  it('lets an untrusted folder restrict and nothing else, and says what waits', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await save(place.at('.claude/settings.json'), SETTINGS);
    const { code, stderr, texts, model } = await use(place, COMMANDS, { args: ['--model', 'm'] });
    expect({ code, model }).toEqual({ code: 0, model: 'm' });
    expect(stderr).toBe(
      `troupe: This folder is not trusted, so these settings wait: permissions.allow, permissions.defaultMode, env, model of ${place.at('.claude/settings.json')}. "troupe config" shows them. To apply them: troupe trust, or --trust for one run.\n`,
    );
    expect(texts[1]).toContain('Bash(ls *) (project settings)');
    expect([place.has('a'), place.has('b')]).toEqual([false, false]);
    expect(await place.files()).toEqual(['.claude/settings.json']);

    const allowed = await use(place, COMMANDS, { args: ['--trust'] });
    expect(allowed).toMatchObject({ code: 0, stderr: '', model: 'project-model' });
    expect([place.has('a'), place.has('b')]).toEqual([true, true]);
    expect((await use(place, COMMANDS)).stderr).toContain('not trusted'); // it was for one run
  });

  it('makes settings wait, which a run without a key says before its error', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const file = place.at('.claude/settings.json');
    await save(file, { model: 'scripted:hello.yaml', permision: {} });
    const asStream = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    for (const args of [['What is here?'], asStream]) {
      const { code, stderr } = await place.call(['-p', ...args], {
        env: { ANTHROPIC_API_KEY: '' },
      });
      expect(code).toBe(2);
      expect(stderr.trimEnd().split('\n')).toEqual([
        `troupe: This folder is not trusted, so these settings wait: model of ${file}. "troupe config" shows them. To apply them: troupe trust, or --trust for one run.`,
        `troupe: ${file}:3:16: "permision" is not known and has no effect. Did you mean "permissions"?`,
        expect.stringContaining('No key for the model.'),
      ]);
    }
  });

  it('is given, listed and taken back', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await save(place.at('.claude/settings.json'), SETTINGS);
    expect(await place.call(['trust', '--list'])).toMatchObject({
      code: 0,
      stdout: 'No folder is trusted.\n',
    });
    expect(await place.call(['trust'])).toMatchObject({
      code: 0,
      stdout: `Troupe trusts ${place.cwd} and all below it. To undo this: troupe trust --remove\n`,
    });
    const file = join(place.troupeHome, 'trust.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      folders: { [place.cwd]: { trustedAt: expect.any(String) as string } },
    });
    expect((await place.call(['trust', '--list', '--json'])).lines).toEqual([
      [{ folder: place.cwd, trustedAt: expect.any(String) as string }],
    ]);
    expect(await use(place, COMMANDS)).toMatchObject({ stderr: '', model: 'project-model' });

    expect(await place.call(['trust', '--remove'])).toMatchObject({
      code: 0,
      stdout: `${place.cwd} is not trusted any more.\n`,
    });
    expect((await use(place, [])).stderr).toContain('not trusted');
    expect(await place.call(['trust', '--remove'])).toMatchObject({
      code: 2,
      stderr: `troupe: ${place.cwd} is not trusted. See troupe trust --list.\n`,
    });
  });

  it.for(['/proc/nope/home', '/etc/hostname'])(
    'is refused if it cannot be written down: %s',
    async (home, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const { code, stdout, stderr } = await place.call(['trust'], { env: { TROUPE_HOME: home } });
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^troupe: [^\n]*Set TROUPE_HOME[^\n]*\n$/),
      });
    },
  );

  it('makes the folder for the list, however deep', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const home = join(place.temporary, 'a/b/c');
    expect(await place.call(['trust'], { env: { TROUPE_HOME: home } })).toMatchObject({ code: 0 });
    expect((await stat(join(home, 'trust.json'))).isFile()).toBe(true);
  });

  it('exits with 2 if the list is broken', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await save(place.at('.claude/settings.json'), SETTINGS);
    const file = join(place.troupeHome, 'trust.json');
    await save(file, { version: 1, folders: [] });
    const { code, stderr } = await place.call(['config']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`troupe: ${file}:3:14: "folders" must be an object`),
    });
  });
});

describe.concurrent('troupe config', () => {
  it('says where each value comes from, and what waits', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const user = join(homeOf(place), '.claude/settings.json');
    const project = place.at('.claude/settings.json');
    await save(user, { model: 'opus', env: { SOME_TOKEN: 'abc' }, spinnerVerb: {} });
    await save(project, { permissions: { allow: ['Bash(ls *)'], deny: ['Edit'] } });
    const { code, stdout, stderr } = await place.call(['config']);
    expect({ code, lines: stdout.trimEnd().split('\n'), stderr }).toEqual({
      code: 0,
      lines: [
        `env.SOME_TOKEN  (hidden)       user settings, ${user}:4`,
        `model           opus           user settings, ${user}:2`,
        `deny            Edit           project settings, ${project}:7`,
        `allow           Bash(ls *)     project settings, ${project}:4, waits for trust`,
        `spinnerVerb     has no effect  user settings, ${user}:6`,
      ],
      stderr: expect.stringContaining(`these settings wait: permissions.allow of ${project}.`),
    });

    const json = await place.call(['config', '--json', '--trust', '--add-dir', '../tmp']);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(json.lines).toEqual([
      {
        cwd: place.cwd,
        files: [
          { source: 'userSettings', file: user },
          { source: 'projectSettings', file: project },
        ],
        values: [
          {
            key: 'env.SOME_TOKEN',
            value: '(hidden)',
            source: 'userSettings',
            file: user,
            line: 4,
            waitsForTrust: false,
          },
          {
            key: 'model',
            value: 'opus',
            source: 'userSettings',
            file: user,
            line: 2,
            waitsForTrust: false,
          },
          {
            key: 'permissions.additionalDirectories',
            value: place.temporary,
            source: 'cliArg',
            waitsForTrust: false,
          },
        ],
        rules: [
          {
            behavior: 'deny',
            rule: 'Edit',
            source: 'projectSettings',
            file: project,
            line: 7,
            waitsForTrust: false,
          },
          {
            behavior: 'allow',
            rule: 'Bash(ls *)',
            source: 'projectSettings',
            file: project,
            line: 4,
            waitsForTrust: false,
          },
        ],
        withoutEffect: [{ key: 'spinnerVerb', source: 'userSettings', file: user, line: 6 }],
      },
    ]);
  });

  it('that restrict elsewhere and have no effect are reported by every run, others by none with -p', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }] });
    const settings = {
      spinnerVerb: { type: 'command' },
      sandbox: { credentials: { files: ['x'] } },
    };
    const { stdout, stderr } = await place.call(
      ['-p', 'go', '--settings', JSON.stringify(settings)],
      { api },
    );
    expect({ stdout, stderr }).toEqual({
      stdout: 'ok\n',
      stderr:
        'troupe: These settings restrict sessions elsewhere and have no effect in Troupe: sandbox.credentials (--settings). Write rules instead: docs/use/permissions.md.\n',
    });
  });

  it('says that there is nothing', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    expect(await place.call(['config'])).toMatchObject({
      code: 0,
      stdout: 'No settings: everything is at its default.\n',
      stderr: '',
    });
  });
});

it('a run removes sessions that are older than cleanupPeriodDays', async ({ onTestFinished }) => {
  const place = await createPlace(onTestFinished);
  await save(join(homeOf(place), '.claude/settings.json'), { cleanupPeriodDays: 2 });
  await use(place, []);
  const old = await place.session();
  const days = Date.now() / 1_000 - 3 * 86_400;
  for (const name of await readdir(old)) await utimes(join(old, name), days, days);
  await utimes(old, days, days);
  await use(place, []);
  const listed = async () => (await readdir(dirname(old))).map((name) => name.split('.')[0]);
  await expect.poll(listed, { timeout: 20_000 }).not.toContain(basename(old)); // its conversation for other programs is removed, too
  expect(await listed()).toHaveLength(2);
});
