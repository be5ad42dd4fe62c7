import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { withBuiltInAgents } from '../../context/built-in-agents.js';
import { messageOf } from '../../core/errors.js';
import { isInside } from '../../files/is-inside.js';
import { watchPaths, type PathChange } from '../../files/watch-paths.js';
import { hookCause } from '../agents/parts/hook-subject.js';
import type { Settings } from '../options/settings.js';
import type { SessionRuntime } from './session-runtime.js';
import { followRules } from './follow-rules.js';
import type { ConfigSource, LiveFiles, LiveOptions } from '../options/live-files.js';

/** The parts of a session that follow files. */
export type FollowingSession = Pick<
  SessionRuntime,
  'agents' | 'bus' | 'factory' | 'hooks' | 'options' | 'permissions' | 'watching'
>;

/** Follows the files of an orchestrator's options. */
export interface FileFollower {
  /** The system has reported a change that no look has taken up. */
  readonly isDue: boolean;
  /** Take up all changes. Never rejects. */
  look(): Promise<void>;
  close(): void;
}

export type FollowerTimes = {
  /** Time for more changes before one takes effect, ms. */
  readonly settleMs?: number;
  /** Time after which an invalid file is reported, ms. */
  readonly faultMs?: number;
  /** Time after which a missing file counts as removed, ms. */
  readonly goneMs?: number;
};

/**
 * Watch the files of options, and give running sessions the new values. A file that is invalid, missing for a moment, or
 * refused by a hook keeps its last good version.
 *
 * @param since the time when the options were read, epoch ms
 */
export function followFiles(
  { liveFiles, settings, since }: FollowerInput,
  sessions: () => Iterable<FollowingSession>,
  { settleMs = 100, faultMs = 500, goneMs = 2_000 }: FollowerTimes = {},
): FileFollower {
  const paths = liveFiles.paths();
  const timers = new Set<NodeJS.Timeout>();
  const state: State = {
    refused: new Set(),
    gone: new Map(),
    told: new Set(),
    fixed: new Set(),
    present: undefined,
  };
  let isDue = false;
  let looking = Promise.resolve();

  const later = (ms: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void look();
    }, ms).unref();
    timers.add(timer);
  };
  const watch = watchPaths(
    paths.map(({ path }) => path),
    () => {
      if (!isDue) later(settleMs);
      isDue = true;
    },
  );
  const early = paths.flatMap(({ path }): readonly PathChange[] =>
    (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since
      ? [{ path, event: 'change' }]
      : [],
  );
  let changes: readonly PathChange[] = early;

  const take = async (): Promise<void> => {
    isDue = false;
    const found = [...changes, ...watch.look()];
    changes = [];
    const changed = settle(found, state, goneMs, (path) => sourceOf(path, paths));
    if (state.gone.size > 0) later(goneMs);
    if (changed.size === 0 && state.faults === undefined) return;
    for (const [path, source] of changed)
      if (await isRefused(path, source, sessions())) state.refused.add(path);
      else state.refused.delete(path);
    const kept = new Set([...state.refused, ...state.gone.keys()]);
    const { options, faults, fixed } = await liveFiles.reload(kept);
    if (faults.length > 0 && state.faults === undefined) later(faultMs); // it may be half-written
    for (const fault of state.faults === undefined ? [] : faults)
      if (!state.told.has(fault)) {
        state.told.add(fault);
        tell(sessions(), `${fault} Its last good version stays in effect.`);
      }
    if (faults.length === 0) state.told.clear();
    state.faults = faults.length === 0 || state.faults !== undefined ? undefined : faults;
    const parts = apply(settings, state.present ?? liveFiles.first, options, sessions());
    state.present = options;
    const names = [...changed.keys()].filter((path) => !state.refused.has(path));
    if (parts.length > 0 && names.length > 0)
      tell(sessions(), `${names.join(', ')} changed. In effect now: ${parts.join(', ')}.`);
    const waiting = fixed.filter((name) => !state.fixed.has(name));
    for (const name of waiting) state.fixed.add(name);
    if (waiting.length > 0)
      tell(sessions(), `Changed, but only in effect in new sessions: ${waiting.join(', ')}.`);
  };
  const look = (): Promise<void> =>
    (looking = looking.then(take).catch((error: unknown) => {
      tell(sessions(), `Changed settings have no effect: ${messageOf(error)}`);
    }));
  if (early.length > 0) later(0);

  return {
    get isDue() {
      return isDue;
    },
    look,
    close() {
      watch.close();
      timers.forEach(clearTimeout);
    },
  };
}

type FollowerInput = {
  readonly liveFiles: LiveFiles;
  readonly settings: Settings;
  readonly since: number;
};

type State = {
  /** Paths whose change a hook has refused. */
  readonly refused: Set<string>;
  /** Missing files, with the time when they were missed. */
  readonly gone: Map<string, number>;
  /** Faults that were reported. */
  readonly told: Set<string>;
  /** Settings that were reported, since only new sessions have their changes. */
  readonly fixed: Set<string>;
  /** The options in effect; undefined: the first ones. */
  present: LiveOptions | undefined;
  /** Faults of the newest look, which are reported if they stay. */
  faults?: readonly string[] | undefined;
};

/** The changes that count now. A missing file counts when it has been missing for some time. */
function settle(
  found: readonly PathChange[],
  { gone }: State,
  goneMs: number,
  toSource: (path: string) => ConfigSource,
): ReadonlyMap<string, ConfigSource> {
  const changed = new Map<string, ConfigSource>();
  const now = performance.now();
  for (const { path, event } of found) {
    if (event === 'unlink' && toSource(path) !== 'skills') gone.set(path, now);
    else changed.set(path, toSource(path));
    if (event !== 'unlink') gone.delete(path);
  }
  for (const [path, at] of gone)
    if (now - at >= goneMs) {
      gone.delete(path);
      changed.set(path, toSource(path));
    }
  return changed;
}

function sourceOf(path: string, paths: ReturnType<LiveFiles['paths']>): ConfigSource {
  return paths.find((one) => isInside(path, one.path))?.source ?? 'skills';
}

/** Let the hooks of all sessions judge a change. Managed settings cannot be refused. */
async function isRefused(
  path: string,
  source: ConfigSource,
  sessions: Iterable<FollowingSession>,
): Promise<boolean> {
  let refused = false;
  for (const { agents, hooks, options } of sessions) {
    const agentId = agents.ofTask(options.taskId);
    const agent = agentId === undefined ? undefined : agents.live.get(agentId);
    if (agent === undefined || !hooks.hasAny('ConfigChange')) continue;
    const cause = hookCause(agent.parts, [source]);
    const { signal } = new AbortController();
    const said = await hooks.run('ConfigChange', cause, { source, file_path: path }, signal);
    refused ||= said.some(({ output }) => output.decision === 'block');
  }
  return refused && source !== 'policy_settings';
}

/** Give the sessions their new options. @returns the parts that differ, for people */
function apply(
  settings: Settings,
  before: LiveOptions,
  next: LiveOptions,
  sessions: Iterable<FollowingSession>,
): readonly string[] {
  const differs = (name: keyof LiveOptions): boolean =>
    !isDeepStrictEqual(before[name], next[name]);
  const parts = [
    ...(haveOtherRules(before, next) || differs('forbidsBypass') || differs('forbidsAuto')
      ? ['permissions']
      : []),
    ...(differs('hooks') ? ['hooks'] : []),
    ...(differs('env') ? ['environment of commands'] : []),
    ...(differs('skills') ? ['skills'] : []),
    ...(differs('agents') ? ['agents'] : []),
  ];
  if (parts.length === 0) return parts;
  const { env = settings.env, hooks = settings.hooks, skills, agents = [] } = next;
  settings.replace?.({
    env,
    hooks,
    definitions: differs('agents') ? withBuiltInAgents(agents) : settings.definitions,
    ...(skills !== undefined && { skills }),
  });
  for (const { permissions, factory, watching } of sessions) {
    if (parts.includes('permissions'))
      permissions.replace(followRules(permissions.get(), before, next));
    if (parts.includes('skills') || parts.includes('agents')) factory.refreshLists();
    watching.again();
  }
  return parts;
}

/** Whether rules or folders differ. A running session keeps its mode. */
function haveOtherRules({ permissions: before }: LiveOptions, { permissions: next }: LiveOptions) {
  const parts = [
    'alwaysAllowRules',
    'alwaysAskRules',
    'alwaysDenyRules',
    'additionalWorkingDirectories',
  ] as const;
  return parts.some((part) => !isDeepStrictEqual(before[part], next[part]));
}

function tell(sessions: Iterable<FollowingSession>, message: string): void {
  for (const { bus } of sessions) bus.emit('settings.changed', message);
}
