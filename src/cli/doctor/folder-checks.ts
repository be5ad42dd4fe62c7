import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireHome, userFolders } from '../../api/files/folders.js';
import { messageOf } from '../../api/errors.js';
import type { SettingsLayers } from '../../api/types.js';
import { listAgents } from '../../api/extensions/list-agents.js';
import { findIdleSettings, findNearKeys } from '../../api/settings/unread.js';
import {
  SETTING_SOURCES,
  loadSettings,
  loadSettingsFile,
  settingsFiles,
} from '../../api/settings/settings.js';
import { createTrustStore } from '../../api/settings/trust.js';
import { allSessions, readLock } from '../../api/sessions/sessions.js';
import type { SettingsArguments } from '../arguments/run-arguments.js';
import { describeWaiting, isFolderTrusted } from '../run/run-settings.js';
import { found, type Check } from './check.js';

type Env = Readonly<Record<string, string | undefined>>;
type Folder = { readonly cwd: string; readonly env: Env };

/** Check the folder of sessions. It may be missing: the first run makes it. */
export function checkHome(env: Env): readonly Check[] {
  const { troupe: home } = userFolders(env);
  try {
    requireHome(home);
  } catch (error) {
    return [found('home', 'fail', messageOf(error))];
  }
  const stats = statSync(home, { throwIfNoEntry: false });
  if (stats === undefined)
    return [found('home', 'ok', `${home} does not exist yet; the first run makes it.`)];
  const mode = (stats.mode & 0o777).toString(8);
  if ((stats.mode & 0o077) === 0) return [found('home', 'ok', `${home}, its owner's only`)];
  const help = `Run: chmod 700 ${home}`;
  return [found('home', 'warn', `Other users can read ${home} (mode ${mode}).`, help)];
}

/** Check each settings file by itself, so that two invalid files are both reported. */
export async function checkSettings(
  { settings, settingSources = SETTING_SOURCES }: SettingsArguments,
  { cwd, env }: Folder,
): Promise<readonly Check[]> {
  const files = settingsFiles({ cwd, env, sources: settingSources });
  const loaded = await Promise.all([
    ...files.map((file) => attempt(() => loadSettingsFile(file, () => false))),
    ...settings.map((one) => attempt(() => loadSettings(one, 'flagSettings'))),
  ]);
  const problems = loaded.filter((one) => typeof one === 'string');
  if (problems.length > 0) return problems.map((why) => found('settings', 'fail', why));
  const read = loaded.filter((one) => typeof one === 'object');
  const { restricting, others } = findIdleSettings(read);
  const count = read.length === 0 ? 'none' : `${read.length} read. See troupe config.`;
  return [
    found('settings', 'ok', [count, ...others].join(' ')),
    ...[...read.flatMap(findNearKeys), ...restricting].map((line) =>
      found('settings', 'warn', line),
    ),
  ];
}

async function attempt<T>(load: () => Promise<T>): Promise<T | string> {
  try {
    return await load();
  } catch (error) {
    return messageOf(error);
  }
}

export async function checkTrust(
  { cwd, env }: Folder,
  waiting: SettingsLayers['waiting'],
): Promise<Check> {
  try {
    const covering = await createTrustStore(userFolders(env).troupe).findCovering(cwd);
    const [waits] = describeWaiting(waiting);
    if (waits !== undefined) return found('trust', 'warn', waits);
    return covering === undefined
      ? found('trust', 'ok', 'This folder is not trusted, and no setting waits for trust.')
      : found('trust', 'ok', `Trusted: ${covering}`);
  } catch (error) {
    return found('trust', 'fail', messageOf(error));
  }
}

export async function checkAgents(
  { settingSources, trustsFolder, addDirectories }: SettingsArguments,
  { cwd, env }: Folder,
): Promise<readonly Check[]> {
  const additionalFolders = addDirectories.map((folder) => resolve(cwd, folder));
  const sources = settingSources === undefined ? {} : { sources: settingSources };
  const isTrusted = (): Promise<boolean> => isFolderTrusted({ trustsFolder }, { cwd, env });
  const place = { cwd, env, ...sources, isTrusted, additionalFolders };
  const { agents, warnings, missing, notes } = await listAgents(place);
  const problems = [...warnings, ...missing];
  if (problems.length > 0) return tellSome(problems);
  const own = agents.filter(({ source }) => source !== 'built-in').length;
  return [
    found(
      'agents',
      'ok',
      `${own} from files${notes.length === 0 ? '' : `, with ${notes.length} notes`}. See troupe agents.`,
    ),
  ];
}

/** Further problems are only counted. */
const MOST_TOLD = 8;

function tellSome(problems: readonly string[]): readonly Check[] {
  const more = problems.length - MOST_TOLD;
  const told = problems.slice(0, MOST_TOLD).map((why) => found('agents', 'warn', why));
  return more > 0
    ? [...told, found('agents', 'warn', `And ${more} more.`, 'See troupe agents.')]
    : told;
}

/** Check for locks of ended processes. They block nothing. */
export function checkLocks(env: Env): Check {
  const sessions = allSessions(userFolders(env).troupe);
  const stale = sessions.filter(({ directory }) => readLock(directory)?.state === 'stale');
  if (stale.length === 0) return found('locks', 'ok', 'There is no lock of an ended process.');
  const ids = stale.slice(0, 5).map(({ id }) => id);
  const more = stale.length > ids.length ? `, and ${stale.length - ids.length} more` : '';
  return found(
    'locks',
    'warn',
    `The programs of these sessions ended without closing them: ${ids.join(', ')}${more}.`,
    'Nothing is blocked. Resume one with troupe --resume ID.',
  );
}
