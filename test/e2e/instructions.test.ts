import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, newestBlocks, requestsOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

const read = (file_path: string) => ({ name: 'Read', input: { file_path } });
const said = (text: string) => ({ text });

/** The texts behind the results in the newest message, with short paths. */
function reminders(place: Place, request: FakeRequest | undefined): readonly string[] {
  return newestBlocks(request)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text).replaceAll(`${place.cwd}/`, ''));
}

const reminder = (path: string, text: string, more = "the project's") =>
  `<system-reminder instructions="${path}">\nContents of ${path} (${more}):\n\n${text}\n</system-reminder>`;

function systemOf(request: FakeRequest | undefined): string {
  const system = request?.body['system'] as readonly { readonly text: string }[]; // as it is always sent
  return system.map(({ text }) => text).join('\n');
}

describe.concurrent('instructions of a folder', () => {
  it('come behind the first result of a file there, once, and stay after a resume', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'web/CLAUDE.md': 'Use tabs. @style.md',
      'web/style.md': 'Be brief.',
      'web/page/AGENTS.md': 'For pages.',
      'web/page/CLAUDE.local.md': 'My pages.',
      'web/page/a.html': 'A',
      'web/page/b.html': 'B',
      'api/CLAUDE.md': 'Never read.',
    });
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [read('web/page/a.html'), read('web/page/b.html')] },
          { tools: [read('web/page/b.html')] },
          said('Done.'),
          { tools: [read('web/page/a.html')] },
          said('Again.'),
        ],
      }),
    });
    const first = await place.call(['-p', 'go'], { api });
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(systemOf(api.requests[0])).not.toContain('Use tabs');
    const told = [
      reminder('web/CLAUDE.md', 'Use tabs. @style.md'),
      reminder('web/style.md', 'Be brief.', "the project's, imported by web/CLAUDE.md"),
      reminder('web/page/AGENTS.md', 'For pages.'),
      reminder('web/page/CLAUDE.local.md', 'My pages.', "the user's own, for this project"),
    ];
    expect(newestBlocks(api.requests[1]).map(({ type }) => type)).toEqual([
      'tool_result',
      'tool_result',
      ...told.map(() => 'text'),
    ]);
    expect(reminders(place, api.requests[1])).toEqual(told);
    expect(reminders(place, api.requests[2])).toEqual([]);
    await place.write({ 'web/CLAUDE.md': 'Changed.' });
    const second = await place.call(['-p', 'more', '--continue'], { api });
    expect(second.stdout).toBe('Again.\n');
    expect(reminders(place, api.requests[4])).toEqual([]);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });

  it('are left out with a line if they lead out of the project, or if a rule denies them', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'out/a.txt': 'A', 'denied/CLAUDE.md': 'SECRET', 'denied/a.txt': 'A' });
    await writeFile(join(place.cwd, '../far.md'), 'FAR');
    await symlink('../../far.md', place.at('out/CLAUDE.md'));
    const api = await place.api({
      handler: answer({
        go: [{ tools: [read('out/a.txt'), read('denied/a.txt')] }, said('Done.')],
      }),
    });
    const { code, stderr } = await place.call(
      ['-p', 'go', '--disallowedTools', 'Read(denied/CLAUDE.md)'],
      { api },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `troupe: ${place.at('out/CLAUDE.md')}: the instructions are left out: it is a link that leads out of the project.\n`,
    });
    expect(reminders(place, api.requests[1])).toEqual([]);
  });

  it('are for every agent except Explore and Plan', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'CLAUDE.md': 'For all.',
      'sub/CLAUDE.md': 'For sub.',
      'sub/a.txt': 'A',
      '.claude/agents/own.md': '---\nname: own\ndescription: Mine.\n---\nYou are own.\n',
    });
    const types = ['own', 'Explore'];
    const api = await place.api({
      handler: answer({
        go: [{ tools: types.map((type) => agent(type, { subagent_type: type })) }, said('Done.')],
        own: [{ tools: [read('sub/a.txt')] }, said('Done.')],
        Explore: [{ tools: [read('sub/a.txt')] }, said('Done.')],
      }),
    });
    expect((await place.call(['-p', 'go'], { api })).code).toBe(0);
    const [own, explore] = types.map((type) => requestsOf(api, type));
    expect(systemOf(own?.[0])).toMatch(/^You are own\.\n[^]*For all\./);
    expect(reminders(place, own?.[1])).toEqual([reminder('sub/CLAUDE.md', 'For sub.')]);
    expect(systemOf(explore?.[0])).not.toContain('For all.');
    expect(reminders(place, explore?.[1])).toEqual([]);
  });
});

describe.concurrent('rules with "paths"', () => {
  it('count when a file that they match is used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const rule = (paths: string, text: string) => `---\npaths: ${paths}\n---\n${text}\n`;
    await place.write({
      '.claude/rules/always.md': 'For all.',
      '.claude/rules/deep/ts.md': rule('**/*.{ts,tsx}', 'TypeScript. @../../more.txt'),
      '.claude/more.txt': 'More.',
      '.claude/rules/list.md': rule('\n  - "src/**"\n  - docs/*.md', 'Sources.'),
      '.claude/rules/other.md': rule('"*.py"', 'Python.'),
      'src/.claude/rules/own.md': rule('a.*', 'Own.'),
      'src/a.ts': 'A',
    });
    await place.write({ '../home/.claude/rules/mine.md': rule('src/a.ts', 'Mine.') });
    const api = await place.api({
      handler: answer({ go: [{ tools: [read('src/a.ts')] }, said('Done.')] }),
    });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const system = systemOf(api.requests[0]);
    expect(system).toContain('For all.');
    expect(system).not.toMatch(/TypeScript|Sources|Python|Own\.|Mine|More\./);
    const texts = reminders(place, api.requests[1]).map((text) => text.split('\n').at(-2));
    expect(texts).toEqual(['Mine.', 'TypeScript. @../../more.txt', 'More.', 'Sources.', 'Own.']);
  });
});

describe.concurrent('sources of instructions', () => {
  it('are a manager, the user, notes of earlier sessions and of teams, the folders and those of --add-dir', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const notes = `../home/.claude/projects/${place.cwd.replaceAll(/[^0-9A-Za-z]/g, '-')}/memory`;
    await place.write({
      '../managed/managed-settings.json': '{}',
      '../managed/CLAUDE.md': 'MANAGED',
      '../home/.claude/CLAUDE.md': 'USER',
      [`${notes}/MEMORY.md`]: `NOTES\n${'.\n'.repeat(198)}LAST\nTOO LONG`,
      [`${notes}/team/MEMORY.md`]: 'SHARED',
      'more/CLAUDE.md': 'MORE',
      'CLAUDE.md': 'PROJECT',
      'CLAUDE.local.md': 'LOCAL',
    });
    const api = await place.api({
      handler: answer({ go: [{ tools: [agent('below')] }, said('Done.')], below: [said('Done.')] }),
    });
    const env = {
      TROUPE_MANAGED_SETTINGS: place.at('../managed/managed-settings.json'),
      CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
    };
    const { stderr } = await place.call(['-p', 'go', '--add-dir', 'more'], { api, env });
    expect(stderr).toBe('');
    const told = (prompt: string): string | undefined =>
      systemOf(requestsOf(api, prompt)[0])
        .match(/MANAGED|USER|NOTES|LAST|TOO LONG|SHARED|MORE|PROJECT|LOCAL/g)
        ?.join(' ');
    expect(told('go')).toBe('MANAGED USER NOTES LAST SHARED MORE PROJECT LOCAL');
    expect(told('below')).toBe('MANAGED USER MORE PROJECT LOCAL');
  });

  it('are in managed settings too, and notes are in the folder that settings name', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const notesIn = (folder: string, claudeMd: string): string =>
      JSON.stringify({ autoMemoryDirectory: folder, claudeMd });
    await place.write({
      '../managed/managed-settings.json': '{ "claudeMd": "OF A MANAGER" }',
      '../home/.claude/settings.json': notesIn('~/notes', 'OF A USER'),
      '../home/notes/MEMORY.md': 'NOTES OF THE USER',
      '../home/notes/team/MEMORY.md': 'NOTES OF TEAMS',
      '.claude/settings.json': notesIn(place.at('notes'), 'OF A PROJECT'),
      'notes/MEMORY.md': 'NOTES OF THE PROJECT',
    });
    const api = await place.api({ handler: () => said('Done.') });
    const env = { TROUPE_MANAGED_SETTINGS: place.at('../managed/managed-settings.json') };
    const { code, stderr } = await place.call(['-p', 'go'], { api, env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('so these settings wait: autoMemoryDirectory of '),
    });
    const trusted = await place.call(['-p', 'go', '--trust'], { api, env });
    const idle = 'only in managed settings these have an effect: claudeMd.';
    expect([
      trusted.code,
      trusted.stderr.split('\n').filter((line) => !line.endsWith(idle)),
    ]).toEqual([0, ['']]);
    expect(
      api.requests.map((request) => systemOf(request).match(/\b(?:NOTES )?OF [A-Z ]+/g)),
    ).toEqual([
      ['OF A MANAGER', 'NOTES OF THE USER', 'NOTES OF TEAMS'],
      ['OF A MANAGER', 'NOTES OF THE PROJECT'],
    ]);
  });

  it('are left out by settings, except those of a manager', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const notes = `../home/.claude/projects/${place.cwd.replaceAll(/[^0-9A-Za-z]/g, '-')}/memory`;
    await place.write({
      '../managed/managed-settings.json': '{}',
      '../managed/CLAUDE.md': 'MANAGED',
      [`${notes}/MEMORY.md`]: 'NOTES',
      [`${notes}/team/MEMORY.md`]: 'SHARED',
      '../home/.claude/settings.json': JSON.stringify({
        claudeMdExcludes: ['**/*.local.md', place.at('sub/CLAUDE.md'), '**/managed/**'],
        autoMemoryEnabled: false,
      }),
      'CLAUDE.md': 'PROJECT',
      'CLAUDE.local.md': 'LOCAL',
      'sub/CLAUDE.md': 'SUB',
      'sub/a.txt': 'A',
    });
    const api = await place.api({
      handler: answer({ go: [{ tools: [read('sub/a.txt')] }, said('Done.')] }),
    });
    const env = { TROUPE_MANAGED_SETTINGS: place.at('../managed/managed-settings.json') };
    const { code, stderr } = await place.call(['-p', 'go'], { api, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const system = systemOf(api.requests[0]);
    expect(system.match(/MANAGED|PROJECT|LOCAL|NOTES/g)).toEqual(['MANAGED', 'PROJECT']);
    expect(reminders(place, api.requests[1])).toEqual([]);
  });
});
