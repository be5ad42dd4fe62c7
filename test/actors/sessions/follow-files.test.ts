import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { FollowingSession } from '../../../src/actors/sessions/apply-files.js';
import { followFiles } from '../../../src/actors/sessions/follow-files.js';
import type { LiveFiles } from '../../../src/actors/options/live-files.js';
import { withDefaults } from '../../../src/actors/options/settings.js';
import { createEventBus } from '../../../src/actors/services/event-bus.js';
import { createPermissionState } from '../../../src/actors/services/permission-state.js';
import { createAppStateStore } from '../../../src/actors/services/app-state-store.js';
import { assembleOptions } from '../../../src/api/options/assemble-options.js';
import { createFiles } from '../../support/files.js';

const DENIES = '{ "permissions": { "deny": ["Bash"] } }';

/** An agent, as far as hooks hear of it. */
const AGENT = {
  parts: {
    activeSkills: { effort: () => undefined },
    judgingContext: () => ({ mode: 'default' }),
    toolContext: { files: { cwd: '/' } },
  },
};

/**
 * The permissions of a session that follows the settings of a folder.
 *
 * @param judge a hook of `ConfigChange`: whether it refuses the change of a file
 */
async function follow(
  times: NonNullable<Parameters<typeof followFiles>[1]>,
  judge?: (file: string) => Promise<boolean>,
) {
  const folder = await createFiles({ 'p/.claude/settings.json': DENIES, 'h/x': '' });
  const cwd = join(folder, 'p');
  const env = { HOME: join(folder, 'h') };
  const { options, followed } = await assembleOptions({
    cwd,
    env,
    additionalDirectories: [],
    directoryOption: { option: '', hint: '' },
    isTrusted: () => true,
    permissionMode: undefined,
    allowedTools: [],
    disallowedTools: [],
    allowsBypass: false,
    pluginFolders: [],
    discovers: true,
    mcpOption: '',
    usesOnlyGivenServers: true,
    isRoot: false,
    readsContext: true,
    usesSkills: true,
    agents: [],
    knowsAgents: true,
    agent: undefined,
    effort: undefined,
    model: undefined,
    chooseModel: async () => ({ model: undefined, modelName: undefined }),
    fallbackModel: undefined,
    maxConcurrentAgents: undefined,
    sandbox: undefined,
    resumes: false,
    persists: false,
  });
  const bus = createEventBus();
  const told: string[] = [];
  bus.on('settings.changed', (line) => told.push(line.replaceAll(folder, '')));
  const permissions = createPermissionState(
    createAppStateStore({
      toolPermissionContext: options.permissions,
      mainLoopModel: '',
      verbose: false,
      tasks: {},
      todos: {},
      agentNameRegistry: {},
    }),
  );
  const session = {
    bus,
    permissions,
    agents: { ofTask: () => 'a', live: new Map([['a', AGENT]]) },
    watching: { again: () => {}, end: () => Promise.resolve() },
    options: {},
    hooks: {
      hasAny: () => judge !== undefined,
      run: async (_event: string, _cause: unknown, { file_path: file }: { file_path: string }) => {
        const decision = (await judge?.(file)) === true ? 'block' : undefined;
        return [{ output: { decision } }];
      },
    },
    factory: {},
  } as unknown as FollowingSession; // as far as files concern it
  const settings = withDefaults(options, {
    permissions: options.permissions,
    known: { tools: [], agents: [] },
  });
  const liveFiles = options.liveFiles as LiveFiles; // options of files have them
  const replaceServers = async (): Promise<void> => {};
  const files = followFiles(
    { liveFiles, settings, since: Infinity, sessions: () => [session], replaceServers },
    times,
  );
  onTestFinished(files.close);
  const file = join(cwd, '.claude/settings.json');
  return { file, files, told, followed, settings, denied: () => permissions.get().alwaysDenyRules };
}

/** Replace a file at once: nobody sees it half-written. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

it('an invalid file is reported with its place once it stays so, and its rules stay in effect', async () => {
  const { file, files, told, denied } = await follow({ settleMs: 1, faultMs: 1 });
  await replace(file, '{\n  "permissions": {');
  await files.look();
  expect(denied()).toEqual({ projectSettings: ['Bash'] });
  await expect
    .poll(() => told)
    .toEqual([
      '/p/.claude/settings.json:2:19: This is not JSON: expected "," or "}", found the end of the text. Its last good version stays in effect.',
    ]);
  await replace(file, '{}');
  await files.look();
  expect([told.at(-1), denied()]).toEqual([
    '/p/.claude/settings.json changed. In effect now: permissions.',
    {},
  ]);
});

it('a change that comes while hooks judge another one has no effect before they have judged it', async () => {
  const judged: string[] = [];
  const { file, files, denied } = await follow({ settleMs: 1e6 }, async (path) => {
    const local = file.replace('settings.json', 'settings.local.json');
    judged.push(path);
    if (path === file) await replace(local, DENIES);
    return path === local;
  });
  await replace(file, '{}');
  await files.look();
  expect(judged.map((path) => basename(path))).toEqual(['settings.json', 'settings.local.json']);
  expect(denied()).toEqual({});
});

it('files that change with each reading are reported once, and read again until that works', async () => {
  let count = 0;
  const times = { settleMs: 1e6, faultMs: 1 };
  const { file, files, told, denied } = await follow(times, async (path) => {
    if (count++ < 25) await replace(path, `{ "count": ${count} }`);
    return false;
  });
  await replace(file, '{}');
  await files.look();
  const reported =
    'Changed settings have no effect: their files change faster than they are read. They are read again until that works.';
  expect([told, denied()]).toEqual([[reported], { projectSettings: ['Bash'] }]);
  await expect.poll(denied).toEqual({});
  expect(told).toEqual([reported, '/p/.claude/settings.json changed. In effect now: permissions.']);
});

it('rules of a file that is missing for a moment stay; they end if it stays missing', async () => {
  const { file, files, told, denied } = await follow({ goneMs: 30 });
  await rm(file);
  await files.look();
  expect([told, denied()]).toEqual([[], { projectSettings: ['Bash'] }]);
  await expect.poll(denied).toEqual({});
  await writeFile(file, DENIES);
  await files.look();
  expect(denied()).toEqual({ projectSettings: ['Bash'] });
});

it('settings that only new sessions have are named once', async () => {
  const { file, files, told, settings } = await follow({});
  const fixed = { model: 'opus', sandbox: { enabled: true }, outputStyle: 'Concise' };
  await writeFile(file, JSON.stringify({ ...fixed, permissions: { defaultMode: 'plan' } }));
  await files.look();
  await writeFile(file, JSON.stringify({ ...fixed, model: 'haiku', language: 'de' }));
  await files.look();
  expect(told).toEqual([
    '/p/.claude/settings.json changed. In effect now: permissions.',
    'Changed, but only in effect in new sessions: sandbox, model, outputStyle, permissions.defaultMode.',
    'Changed, but only in effect in new sessions: language.',
  ]);
  expect(settings.context).toMatchObject({ outputStyle: { name: 'Concise' }, language: 'de' });
});

it('changed settings that the program reads at each use are named as in effect', async () => {
  const { file, files, told, followed } = await follow({});
  const line = { type: 'command', command: 'date' };
  await writeFile(file, JSON.stringify({ permissions: { deny: ['Bash'] }, statusLine: line }));
  await files.look();
  expect([told, followed.statusLine]).toEqual([
    ['/p/.claude/settings.json changed. In effect now: statusLine.'],
    line,
  ]);
});
