import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionKept } from '../../../src/core/permission-kept.js';
import type { PermissionUpdate } from '../../../src/core/permission-types.js';
import { loadLayers } from '../../../src/settings/files/load-layers.js';
import type { SettingSource } from '../../../src/settings/files/settings-files.js';
import { readAudit } from '../../../src/journal/readers/read-audit.js';
import { JournalDamagedError } from '../../../src/journal/read-journal.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { playParts } from '../../support/scripts.js';
import { ASK_FIRST, createFolder, createTroupe } from '../../support/troupe.js';

const RULE = { toolName: 'Change', ruleContent: 'it' };

function always(destination: PermissionUpdate['destination']): PermissionUpdate {
  return { type: 'addRules', rules: [RULE], behavior: 'allow', destination };
}

/** A session that uses Change twice for the same; the first ask is answered with `updates`. */
async function answerAlways(
  updates: readonly PermissionUpdate[],
  {
    sources,
    isTrusted = false,
    ownFile = false,
    prepare = async () => {},
  }: {
    readonly sources?: readonly SettingSource[];
    readonly isTrusted?: boolean | 'thisRun';
    readonly ownFile?: boolean;
    readonly prepare?: (cwd: string) => Promise<void>;
  } = {},
) {
  const { tool, ran } = createChangeTool();
  const change = { tools: [{ name: 'Change', input: { what: 'it' } }] };
  const person = await createFolder();
  let asks = 0;
  const { troupe, cwd } = await createTroupe(
    playParts({ main: [change, change, { text: 'Done.' }] }),
    {
      tools: [tool],
      permissions: ASK_FIRST,
      env: { ...process.env, HOME: person, TROUPE_HOME: join(person, '.troupe') },
      ...(sources === undefined ? {} : { persistPermissions: sources }),
      isTrusted,
      ownFileIfUntrusted: ownFile,
      canUseTool: () => {
        asks += 1;
        return Promise.resolve({ behavior: 'allow', updatedPermissions: updates });
      },
    },
  );
  await prepare(cwd);
  const session = troupe.session({ prompt: 'Go.' });
  const kept: PermissionKept[] = [];
  session.events.on('permission.kept', (one) => kept.push(one));
  let keptBeforeIt = 0;
  session.events.on('permission.decided', () => (keptBeforeIt = kept.length));
  await session.outcome;
  const audit = readAudit(session).filter(
    (line) => !(line instanceof JournalDamagedError) && /kept/i.test(line.type),
  );
  return { asks, ran, cwd, person, kept, keptBeforeIt, audit };
}

describe('a remembered rule', () => {
  it('is in the file before anybody acts on it, and holds at once', async () => {
    const { asks, ran, cwd, kept, keptBeforeIt, audit } = await answerAlways(
      [always('localSettings')],
      { sources: ['user', 'project', 'local'], isTrusted: true },
    );
    const file = join(cwd, '.claude/settings.local.json');
    expect({ asks, ran, keptBeforeIt }).toEqual({ asks: 1, ran: ['it', 'it'], keptBeforeIt: 1 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      permissions: { allow: ['Change(it)'] },
    });
    const requestId = kept[0]?.requestId;
    expect(kept).toEqual([{ requestId, update: always('localSettings'), status: 'kept', file }]);
    expect(audit).toEqual([
      expect.objectContaining({ type: 'permission.kept', requestId, rules: ['Change(it)'], file }),
    ]);
  });

  it.each([false, 'thisRun'] as const)('says where it waits for trust: %s', async (isTrusted) => {
    const { kept } = await answerAlways([always('projectSettings')], {
      sources: ['project'],
      isTrusted,
    });
    expect(kept).toEqual([
      expect.objectContaining({ status: 'kept', note: expect.stringContaining('troupe trust') }),
    ]);
  });

  it.each([false, 'thisRun'] as const)(
    'is kept outside a folder that later runs do not trust, in a place that needs no trust: %s',
    async (trust) => {
      const { kept, cwd, person } = await answerAlways([always('localSettings')], {
        sources: ['user', 'project', 'local'],
        isTrusted: trust,
        ownFile: true,
      });
      const [saved] = kept;
      const file = saved?.status === 'kept' ? saved.file : '';
      expect(file.startsWith(join(person, '.troupe/folders/'))).toBe(true);
      expect(existsSync(join(cwd, '.claude'))).toBe(false);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const env = { HOME: person };
      const isTrusted = (): boolean => false;
      const found = await loadLayers({ cwd, env, isTrusted });
      expect(found.waiting).toEqual([]);
      expect(found.layers).toEqual([
        expect.objectContaining({
          source: 'localSettings',
          file,
          settings: { permissions: { allow: ['Change(it)'] } },
        }),
      ]);
      const elsewhere = await loadLayers({ cwd: person, env, isTrusted });
      expect(elsewhere.layers).toEqual([]);
    },
  );

  it('says that git would commit the file', async () => {
    const { kept } = await answerAlways([always('localSettings')], {
      sources: ['local'],
      isTrusted: true,
      prepare: async (cwd) => void execFileSync('git', ['init', '--quiet', cwd]),
    });
    expect(kept).toEqual([
      expect.objectContaining({
        status: 'kept',
        note: expect.stringContaining('"/.claude/settings.local.json" to .gitignore'),
      }),
    ]);
  });

  it('says nothing of a file that git ignores', async () => {
    const { kept } = await answerAlways([always('localSettings')], {
      sources: ['local'],
      isTrusted: true,
      prepare: async (cwd) => {
        execFileSync('git', ['init', '--quiet', cwd]);
        await writeFile(join(cwd, '.gitignore'), '.claude/\n');
      },
    });
    expect(kept.map((one) => 'note' in one)).toEqual([false]);
  });

  it('needs no trust in the settings of the user', async () => {
    const { kept, person } = await answerAlways([always('userSettings')], { sources: ['user'] });
    const file = join(person, '.claude/settings.json');
    expect(kept.map(({ requestId: _, update: __, ...saved }) => saved)).toEqual([
      { status: 'kept', file },
    ]);
  });

  it('counts for the session and is reported if the file cannot be written', async () => {
    const broken = '{ "permissions": [] }';
    const { asks, ran, kept, audit, cwd } = await answerAlways([always('localSettings')], {
      sources: ['local'],
      prepare: async (folder) => {
        await mkdir(join(folder, '.claude'));
        await writeFile(join(folder, '.claude/settings.local.json'), broken);
        await chmod(join(folder, '.claude/settings.local.json'), 0o600);
      },
    });
    expect({ asks, ran }).toEqual({ asks: 1, ran: ['it', 'it'] });
    expect(kept).toEqual([
      expect.objectContaining({
        status: 'failed',
        message: expect.stringContaining('permissions'),
      }),
    ]);
    expect(audit).toEqual([expect.objectContaining({ type: 'permission.notKept' })]);
    expect(await readFile(join(cwd, '.claude/settings.local.json'), 'utf8')).toBe(broken);
  });

  it('counts for the session and is reported if its layer is not read', async () => {
    const { asks, kept, cwd } = await answerAlways([always('localSettings')], {
      sources: ['user'],
    });
    expect({ asks, isThere: existsSync(join(cwd, '.claude')) }).toEqual({
      asks: 1,
      isThere: false,
    });
    expect(kept).toEqual([
      expect.objectContaining({
        status: 'failed',
        message: 'the local settings are not read here',
      }),
    ]);
  });

  it.each([
    ['no layer is to be written', undefined, 'localSettings'],
    ['it is for the session', ['user', 'project', 'local'], 'session'],
  ] as const)('is written nowhere if %s', async (_why, sources, destination) => {
    const { asks, kept, cwd, person } = await answerAlways(
      [always(destination)],
      sources === undefined ? {} : { sources },
    );
    expect({ asks, kept }).toEqual({ asks: 1, kept: [] });
    expect([cwd, person].filter((folder) => existsSync(join(folder, '.claude')))).toEqual([]);
  });
});
