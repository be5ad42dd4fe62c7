import { createHash } from 'node:crypto';
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { projectFolder } from '../../src/journal/sessions/find-session.js';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { firstPrompt, newestBlocks, newestText, textOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const FIXTURES = join(import.meta.dirname, '../fixtures/recorded-sessions');

type Recorded = {
  readonly id: string;
  /** The file of the main agent's system prompt and tools. */
  readonly prompt?: string;
  /** System prompt and messages of its last request. */
  readonly request?: object;
};

/** The recorded session as this version finds it: in its project's folder, with the paths of this place. */
async function bring(name: string, onTestFinished: TestContext['onTestFinished']) {
  const place = await createPlace(onTestFinished);
  const from = join(FIXTURES, name);
  const project = projectFolder(place.troupeHome, place.cwd);
  let here = (text: string): string =>
    text
      .replaceAll('recorded-work/', `${basename(project)}/`)
      .replaceAll('/recorded/', `${dirname(place.cwd)}/`);
  const recorded = JSON.parse(
    here(await readFile(join(from, 'recorded.json'), 'utf8')),
  ) as Recorded;
  const session = join(project, recorded.id);
  await cp(join(from, 'session'), session, { recursive: true });
  await cp(join(from, 'work'), place.cwd, { recursive: true });
  let request: object | undefined;
  for (const file of await readdir(join(session, 'prompts'))) {
    const text = here(await readFile(join(session, 'prompts', file), 'utf8'));
    if (file === `${recorded.prompt}.json`)
      request = { tools: (JSON.parse(text) as { tools: unknown }).tools, ...recorded.request };
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    await rm(join(session, 'prompts', file));
    await writeFile(join(session, 'prompts', `${digest}.json`), text);
    const before = here;
    here = (line) => before(line).replaceAll(basename(file, '.json'), digest);
  }
  for (const entry of await readdir(session, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) await writeFile(path, here(await readFile(path, 'utf8')));
  }
  return { place, id: recorded.id, request };
}

/** The messages that the main agent of each has when it is resumed with the prompt "And now?". */
const TOLD = {
  background: ['And now?'],
  compacted: ['And now?'],
  continued: ['And now?'],
  'killed-below': [
    '(no output)',
    expect.stringMatching(/outcome is unknown.* the sub-agent a6sqol6wn, which was lost/),
    'And now?',
  ],
  'killed-in-command': [
    expect.stringMatching(/outcome is unknown.* the task b72bxuavz, which was lost/),
    'And now?',
  ],
  team: ['And now?'],
} as const;
const NAMES = Object.keys(TOLD) as readonly (keyof typeof TOLD)[]; // its own keys

const textsOf = (request: FakeRequest | undefined): readonly string[] =>
  newestBlocks(request).map(({ text, content }) => textOf(text ?? content));

describe.concurrent('a session that was written with the first layout of the journal', () => {
  it.for(NAMES)('is read and resumed: %s', async (name, { onTestFinished }) => {
    const { place, id, request } = await bring(name, onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Resumed.' }) });
    const list = await place.call(['sessions', '--json']);
    const isCrashed = name === 'team' || name.startsWith('killed');
    expect(JSON.parse(list.stdout)).toMatchObject([
      { id: id, cwd: place.cwd, status: isCrashed ? 'crashed' : 'completed' },
    ]);
    const log = await place.call(['log', id]);
    expect({ code: log.code, stderr: log.stderr }).toEqual({ code: 0, stderr: '' });
    expect(log.stdout).toContain(`prompt from user: ${name === 'compacted' ? 'One?' : 'go'}\n`);

    const run = await place.call(['-p', '--resume', id, 'And now?'], { api });
    expect(run).toMatchObject({ code: 0, stdout: 'Resumed.\n' });
    const resumed = api.requests.find((one) => newestText(one).endsWith('And now?'));
    expect(textsOf(resumed)).toEqual(TOLD[name]);
    expect(comparePrefix([request, resumed?.body])).toBeUndefined();
    expect(api.problems).toEqual([]);
  });

  it('wakes its teammate with the message that it had not taken', async ({ onTestFinished }) => {
    const { place, id } = await bring('team', onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Resumed.' }) });
    await place.call(['-p', '--resume', id, 'And now?'], { api });
    const toAnn = api.requests.filter(({ body }) => firstPrompt(body).includes('You are ann'));
    expect(toAnn.map(newestText)).toEqual([
      expect.stringMatching(/^<team name="crew">/),
      '<message from="main">\nLook at the cache.\n</message>',
    ]);
  });

  it('runs the steps of its workflow that had not ended, and no other', async ({
    onTestFinished,
  }) => {
    const { place, id } = await bring('workflow', onTestFinished);
    const before = await place.text('log');
    await place.write({ go: '' });
    const resume = ['team', 'run', 'team.yaml', '--resume', id, '--json'];
    const { code, stdout } = await place.call(resume);
    expect({ code, report: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      report: {
        status: 'completed',
        tasks: [
          { name: 'first', status: 'done', attempts: 0 },
          { name: 'each', status: 'done', attempts: 0 },
          { name: 'wait', status: 'done', attempts: 1 },
          { name: 'last', status: 'done', attempts: 1 },
        ],
      },
    });
    expect(await place.text('log')).toBe(`${before}last\n`);
  });
});
