import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { createPlace, type CallOptions } from './support/place.js';
import { CLIENT, isResult, say } from './support/stream-client.js';

const KEY = 'sk-HELPER-0001';

/** A place whose user has a helper: each run of it is a line in `runs`, and prints the key with that number. */
async function createHelped(onTestFinished: TestContext['onTestFinished']) {
  const place = await createPlace(onTestFinished);
  const helper = 'echo run >> "$RUNS"; printf "sk-HELPER-%04d\\n" "$(wc -l < "$RUNS")"';
  const settings = JSON.stringify({ apiKeyHelper: helper, env: { RUNS: place.at('runs') } });
  await place.write({ '../home/.claude/settings.json': settings });
  const runs = async (): Promise<number> =>
    place.has('runs') ? (await place.text('runs')).trim().split('\n').length : 0;
  return { place, runs };
}

/** Options of a command that has no key, but the address of an endpoint. */
const withoutKey = (url: string, env: Readonly<Record<string, string>> = {}): CallOptions => ({
  env: { ANTHROPIC_BASE_URL: url, ...env },
});

/** All that Troupe and the command have written in the folders of the test. */
function writtenIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

describe.concurrent('the setting apiKeyHelper', () => {
  it('gives the key of all requests of a run, in both headers, and is kept nowhere', async ({
    onTestFinished,
  }) => {
    const { place, runs } = await createHelped(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [{ name: 'Glob', input: { pattern: '*' } }] }, { text: 'ok' }],
    });
    const flags = ['-p', 'go', '--output-format', 'stream-json', '--verbose'];
    const { code, stdout, stderr } = await place.call(flags, withoutKey(api.url));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ apiKeySource: 'apiKeyHelper' });
    const signed = api.requests.map(({ headers }) => [headers['x-api-key'], headers.authorization]);
    expect(signed).toEqual([
      [KEY, `Bearer ${KEY}`],
      [KEY, `Bearer ${KEY}`],
    ]);
    expect(await runs()).toBe(1);
    const written = [place.troupeHome, place.temporary].map(writtenIn).join('\n');
    expect(`${written}${stdout}`).not.toContain('sk-HELPER');
  });

  it('is asked for another key if the endpoint refuses the first', async ({ onTestFinished }) => {
    const { place, runs } = await createHelped(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }], apiKey: 'sk-HELPER-0002' });
    expect(await place.call(['-p', 'go'], withoutKey(api.url))).toMatchObject({
      code: 0,
      stdout: 'ok\n',
      stderr: '',
    });
    expect(await runs()).toBe(2);
  });

  it('gives the keys of another command as soon as the settings name it', async ({
    onTestFinished,
  }) => {
    const { place } = await createHelped(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }, { text: 'two' }] });
    const troupe = place.start([...CLIENT], { ...withoutKey(api.url), input: 'open' });
    troupe.send(say('go'));
    await troupe.line('the first answer', isResult);
    const settings = JSON.stringify({ apiKeyHelper: 'echo sk-OTHER' });
    await place.write({ '../home/.claude/settings.json': settings });
    troupe.send(say('/reload-plugins'));
    const reloaded = await troupe.line('the reload', (line) => line['num_turns'] === 0);
    expect(reloaded['result']).toContain('In effect now: environment of commands, apiKeyHelper.');
    troupe.send(say('continue'));
    troupe.endInput();
    await troupe.ended;
    expect(api.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, 'sk-OTHER']);
  });

  it('holds as long as the settings say at present', async ({ onTestFinished }) => {
    const { place } = await createHelped(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'ok' }) });
    const troupe = place.start([...CLIENT], { ...withoutKey(api.url), input: 'open' });
    troupe.send(say('one'));
    await troupe.line('the first answer', isResult);
    const { env, ...settings } = JSON.parse(await place.text('../home/.claude/settings.json')) as {
      readonly env: object;
    };
    const changed = { ...settings, env: { ...env, CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '0' } };
    await place.write({ '../home/.claude/settings.json': JSON.stringify(changed) });
    troupe.send(say('/reload-plugins'));
    await troupe.line('the reload', (line) => line['num_turns'] === 0);
    for (const prompt of ['two', 'three']) troupe.send(say(prompt));
    troupe.endInput();
    await troupe.ended;
    expect(api.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'sk-HELPER-0001',
      'sk-HELPER-0002',
      'sk-HELPER-0003',
    ]);
  });

  it.for(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])(
    'does not run if the environment has %s',
    async (name, { onTestFinished }) => {
      const { place, runs } = await createHelped(onTestFinished);
      const api = await place.api({ replies: [{ text: 'ok' }], apiKey: 'outer' });
      const options = withoutKey(api.url, { [name]: 'outer' });
      expect(await place.call(['-p', 'go'], options)).toMatchObject({ code: 0, stdout: 'ok\n' });
      expect(await runs()).toBe(0);
    },
  );

  it('of a project waits until its folder is trusted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const settings = JSON.stringify({ apiKeyHelper: 'touch ran; echo sk-OF-PROJECT' });
    await place.write({ '.claude/settings.json': settings });
    const api = await place.api({ replies: [{ text: 'ok' }], apiKey: 'sk-OF-PROJECT' });
    const waits = `The setting apiKeyHelper of ${place.at('.claude/settings.json')} waits until this folder is trusted`;
    const options = withoutKey(api.url);
    expect(await place.call(['-p', 'go'], options)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(waits),
    });
    expect((await place.call(['config'])).stdout).toMatch(/^apiKeyHelper +touch ran; echo sk-/m);
    expect(place.has('ran')).toBe(false);
    expect(await place.call(['-p', 'go', '--trust'], options)).toMatchObject({
      code: 0,
      stdout: 'ok\n',
    });
    expect(place.has('ran')).toBe(true);
  });

  it('says how it ended without a key, and shows and keeps no key of a failed one', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const helper = 'set -x; KEY=sk-INLINE; echo fetching; echo "$KEY"; exit 7';
    await place.write({ 'helper.json': JSON.stringify({ apiKeyHelper: helper }) });
    const flags = ['--settings', 'helper.json'];
    const { code, stdout, stderr } = await place.call(['-p', 'go', ...flags]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'troupe: The command of the setting apiKeyHelper gave no key: it exited with 7. It must print only the key: run it yourself to see its output.\n',
    });
    const config = await place.call(['config', ...flags]);
    expect(config.stdout).toMatch(/^apiKeyHelper +\(hidden\) +/m);
    const written = [place.troupeHome, place.temporary].map(writtenIn).join('\n');
    expect(stderr + config.stdout + written).not.toContain('sk-INLINE');
  });
});
