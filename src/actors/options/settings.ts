import { resolve } from 'node:path';
import { withBuiltInAgents } from '../../context/built-in-agents.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import { given } from '../../core/json/given.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { KnownNames } from '../../permissions/rules/rule-problems.js';
import type { OrchestratorOptions } from './orchestrator-options.js';
import { joinSkills } from '../contract/program-commands.js';
import { ALL_MODELS } from '../../model/choice/model-limits.js';
import { globalClock } from '../services/timers.js';

/** The options that have a default. */
const DEFAULTS = {
  tools: [],
  agents: [],
  mcpServers: {},
  lspServers: {},
  hooks: {},
  isTrusted: true,
  persistPermissions: [],
  ownFileIfUntrusted: false,
  requireCanUseTool: false,
  persists: true,
  transcripts: false,
  streamIdleTimeoutMs: 90_000,
  streamStartTimeoutMs: 300_000,
  autoCompact: true,
  dreams: false,
  limitModels: ALL_MODELS,
  maxDepth: 5,
  /** A shell's own grace period is 300 ms; an actor that has not stopped long after it is killed. */
  graceMs: 1_000,
  verbose: false,
  clock: globalClock,
} as const satisfies OrchestratorOptions;

type Defaulted = keyof typeof DEFAULTS | 'cwd' | 'env';

/**
 * Every option of an orchestrator, checked and with its default: one frozen value that is passed down whole. A new
 * option is a property of `OrchestratorOptions`, with its check in `OrchestratorSchema` and its default here.
 */
export type Settings = Readonly<
  Omit<OrchestratorOptions, Defaulted | 'permissions'> &
    Required<Pick<OrchestratorOptions, Defaulted>> & {
      /** The permissions that sessions start with. */
      readonly permissions: ToolPermissionContext;
      /** All agent definitions, built-in ones included. */
      readonly definitions: readonly AgentDefinition[];
      /** The names that rules may use. */
      readonly known: KnownNames;
      /** Replace the values that follow their files; absent if none does. */
      readonly replace?: (values: FollowingValues) => void;
      /** Skills of folders below that of the session; absent if no option follows its files. */
      readonly nested?: NestedSkills;
    }
>;

/** Skills of folders whose files agents use. */
export type NestedSkills = {
  /** Whether nobody has looked into a folder; it counts as seen from now on. */
  readonly claim: (folder: string) => boolean;
  readonly add: (skills: readonly Skill[]) => void;
};

/** The options that the skills of a session depend on. */
export type SkillSettings = Pick<Settings, 'cwd' | 'liveFiles' | 'nested' | 'skills'>;

/** The values that follow their files while sessions run. Read them at each use. */
export type FollowingValues = Pick<
  Settings,
  'context' | 'definitions' | 'env' | 'hooks' | 'limitServers' | 'lspServers' | 'plugins' | 'skills'
>;

export function withDefaults(
  options: OrchestratorOptions,
  checked: Pick<Settings, 'permissions' | 'known'>,
): Settings {
  const settings: Settings = {
    ...DEFAULTS,
    ...given(options),
    cwd: resolve(options.cwd ?? process.cwd()),
    env: options.env ?? process.env,
    definitions: withBuiltInAgents(options.agents ?? []),
    ...checked,
  };
  return Object.freeze(options.liveFiles === undefined ? settings : following(settings));
}

function following(settings: Settings): Settings {
  let values: FollowingValues = settings;
  let nested: readonly Skill[] = [];
  const seen = new Set<string>();
  let { skills } = settings;
  const names = new Set((settings.commands ?? []).map(({ name }) => name));
  const ofProgram = (skills ?? []).filter(
    ({ name, file }) => file === undefined && names.has(name),
  );
  const join = (): void => {
    const all = values.skills && joinSkills(ofProgram, values.skills);
    skills = nested.length === 0 ? all : [...(all ?? []), ...nested];
  };
  return {
    ...settings,
    get context() {
      return values.context;
    },
    get definitions() {
      return values.definitions;
    },
    get env() {
      return values.env;
    },
    get hooks() {
      return values.hooks;
    },
    get limitServers() {
      return values.limitServers;
    },
    get lspServers() {
      return values.lspServers;
    },
    get plugins() {
      return values.plugins;
    },
    get skills() {
      return skills;
    },
    replace(next: FollowingValues) {
      values = next;
      join();
    },
    nested: {
      claim: (folder: string) => !seen.has(folder) && seen.add(folder).size > 0,
      add(added: readonly Skill[]) {
        nested = [...nested, ...added];
        join();
      },
    },
  } as Settings; // `skills` is undefined or absent
}
