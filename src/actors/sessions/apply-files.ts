import type { SessionContext } from '../../context/context-keys.js';
import { isDeepStrictEqual } from 'node:util';
import { withBuiltInAgents } from '../../context/built-in-agents.js';
import { given } from '../../core/json/given.js';
import { hookCause } from '../agents/parts/hook-subject.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import { announceServers } from '../mcp/server-control.js';
import type { ConfigSource, LiveFiles, LiveOptions, Reloaded } from '../options/live-files.js';
import type { Settings } from '../options/settings.js';
import { followRules } from './follow-rules.js';
import type { SessionRuntime } from './session-runtime.js';

/** The parts of a session that follow files. */
export type FollowingSession = Pick<
  SessionRuntime,
  'agents' | 'bus' | 'factory' | 'hooks' | 'options' | 'permissions' | 'watching'
>;

/** The effect of the files so far. */
export type LiveState = {
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
  /** Changes that no look could take up, since the files did not rest. */
  owed?: Changed | undefined;
  /** Faults of the newest look, which are reported if they stay. */
  faults?: readonly string[] | undefined;
};

/** The owners of what follows files. */
export type Following = {
  readonly liveFiles: LiveFiles;
  readonly settings: Settings;
  readonly sessions: () => Iterable<FollowingSession>;
  /** Have other MCP servers. Resolves when the new ones have connected or failed, or after a while. */
  readonly replaceServers: (servers: McpServers) => Promise<void>;
};

/** Changed files, each with its origin. */
export type Changed = ReadonlyMap<string, ConfigSource>;

/** How often files are read that change meanwhile. */
const MOST_ROUNDS = 10;

/**
 * Read the files again, and give running sessions what differs. What hooks have not judged has no effect.
 *
 * @param findMore the changes since the last look; undefined without one
 * @returns the parts that differ, for people
 */
export async function takeUp(
  { liveFiles, settings, sessions, replaceServers }: Following,
  state: LiveState,
  first: Changed,
  findMore: () => Changed | undefined,
): Promise<readonly string[]> {
  const changed = new Map(first);
  let unjudged = first;
  let read: Reloaded | undefined;
  const isStale = (): boolean => {
    const more = findMore();
    unjudged = more ?? unjudged;
    for (const [path, source] of unjudged) changed.set(path, source);
    return more !== undefined;
  };
  for (let rounds = 1; read === undefined; rounds++) {
    if (rounds > MOST_ROUNDS) {
      state.owed = changed;
      throw new Error(
        'their files change faster than they are read. They are read again until that works.',
      );
    }
    await judge(unjudged, state, sessions);
    read = await liveFiles.reload(new Set([...state.refused, ...state.gone.keys()]), isStale);
  }
  const { options, faults, fixed, followed } = read;
  tellFaults(faults, state, sessions);
  const before = state.present ?? liveFiles.first;
  const parts = [...apply(settings, before, options, sessions()), ...followed];
  state.present = options;
  if (parts.includes(SERVERS)) {
    await replaceServers(options.mcpServers ?? {});
    announceServers(sessions(), changedServers(before, options));
  }
  const names = [...changed.keys()].filter((path) => !state.refused.has(path));
  if (parts.length > 0 && names.length > 0)
    tell(sessions(), `${names.join(', ')} changed. In effect now: ${parts.join(', ')}.`);
  tellFixed(fixed, state, sessions());
  return parts;
}

/** Let hooks judge changes before they are read. */
async function judge(
  changed: Changed,
  { refused }: LiveState,
  sessions: () => Iterable<FollowingSession>,
): Promise<void> {
  for (const [path, source] of changed)
    if (await isRefused(path, source, sessions())) refused.add(path);
    else refused.delete(path);
}

/** Report faults that have stayed since the look before. */
function tellFaults(
  faults: readonly string[],
  state: LiveState,
  sessions: () => Iterable<FollowingSession>,
): void {
  const staying = state.faults === undefined ? [] : faults;
  for (const fault of staying.filter((one) => !state.told.has(one))) {
    state.told.add(fault);
    tell(sessions(), `${fault} Its last good version stays in effect.`);
  }
  if (faults.length === 0) state.told.clear();
  state.faults = faults.length === 0 || state.faults !== undefined ? undefined : faults;
}

/** Report settings whose changes only new sessions have, once each. */
function tellFixed(
  fixed: readonly string[],
  state: LiveState,
  sessions: Iterable<FollowingSession>,
): void {
  const names = fixed.filter((name) => !state.fixed.has(name));
  for (const name of names) state.fixed.add(name);
  if (names.length > 0)
    tell(sessions, `Changed, but only in effect in new sessions: ${names.join(', ')}.`);
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
    ...(differs('plugins') ? ['plugins'] : []),
    ...(differs('mcpServers') ? [SERVERS] : []),
    ...(differs('lspServers') ? ['language servers'] : []),
    ...(differs('effort') ? [EFFORT] : []),
  ];
  if (parts.length === 0 && !differs('style') && !differs('limitServers')) return parts;
  const { env = settings.env, hooks = settings.hooks, agents = [], skills, plugins } = next;
  settings.replace?.({
    env,
    hooks,
    definitions: differs('agents') ? withBuiltInAgents(agents) : settings.definitions,
    lspServers: next.lspServers ?? {},
    ...given({
      skills,
      plugins,
      limitServers: next.limitServers,
      context: withStyle(settings.context, next),
    }),
  });
  for (const session of sessions) {
    const { bus, permissions, factory, watching } = session;
    if (parts.includes(EFFORT)) changeEffort(session, before, next);
    if (parts.includes('permissions'))
      permissions.replace(followRules(permissions.get(), before, next));
    if (parts.includes('skills') || parts.includes('agents')) factory.refreshLists();
    if (parts.includes('language servers')) factory.refreshTools();
    if (parts.includes('skills')) bus.emit('commands.changed');
    watching.again();
  }
  return parts;
}

/** The name of MCP servers among the parts that differ. */
const SERVERS = 'MCP servers';

/** New sessions have the present style. */
function withStyle(
  context: SessionContext | undefined,
  { style }: LiveOptions,
): SessionContext | undefined {
  if (style === undefined) return context;
  const { attribution: _a, language: _l, outputStyle: _o, ...others } = context ?? {};
  return { ...others, ...style };
}

/** The servers of both that are not the same. */
function changedServers(
  { mcpServers: before = {} }: LiveOptions,
  { mcpServers: next = {} }: LiveOptions,
): readonly string[] {
  return Object.keys(before).filter(
    (name) => Object.hasOwn(next, name) && !isDeepStrictEqual(before[name], next[name]),
  );
}

const EFFORT = 'effort';

/** Change the effort of a main agent, unless somebody has chosen another one meanwhile. */
function changeEffort(
  { agents, options }: FollowingSession,
  { effort: before }: LiveOptions,
  { effort }: LiveOptions,
): void {
  const id = agents.ofTask(options.taskId);
  const main = id === undefined ? undefined : agents.live.get(id);
  if (main?.parts.effort === before && main !== undefined) main.parts.effort = effort;
}

/** Whether rules or folders differ. A running session keeps its mode. */
function haveOtherRules({ permissions: before }: LiveOptions, { permissions: next }: LiveOptions) {
  const parts = [
    'allowsManagedRulesOnly',
    'alwaysAllowRules',
    'alwaysAskRules',
    'alwaysDenyRules',
    'additionalWorkingDirectories',
  ] as const;
  return parts.some((part) => !isDeepStrictEqual(before[part], next[part]));
}

export function tell(sessions: Iterable<FollowingSession>, message: string): void {
  for (const { bus } of sessions) bus.emit('settings.changed', message);
}
