import type { LimitServers } from '../../extensions/mcp/servers/server-policy.js';
import type { choosePermitted } from './choose-permitted.js';
import type { ModelLimits } from '../../model/choice/model-limits.js';
import type { Environment } from '../../files/folders.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';
import { isManaged } from '../../settings/files/settings-files.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';

/** No sources but plugins and managed files. */
export type ClosedSources = {
  readonly sources: readonly [];
  readonly additionalDirectories: readonly string[];
  readonly readsContext: false;
};

/** The parts that flags or a program give. */
export type GivenParts = {
  readonly agents: readonly unknown[];
  readonly pluginFolders: readonly string[];
  readonly mcpConfigs?: readonly string[];
  readonly mcpServers?: McpServers;
  /** Name of the option of both, for errors. */
  readonly mcpOption: string;
};

/** The limits that settings set to the sources of a session. */
export type ManagedLimits = {
  readonly limitServers: LimitServers | undefined;
  readonly limitModels: ModelLimits | undefined;
  /** The parts that only plugins and managed files have. */
  readonly locks: ReadonlySet<string>;
  /** Limits with a fault, one line each. */
  readonly warnings: readonly string[];
  /** Leave out the agents and skills of locked sources. */
  rediscover<Agents, Texts, Skills>(
    found: Promise<readonly [Agents, Texts, Skills]>,
    discover: (closed: ClosedSources) => Promise<readonly [Agents, Texts, Skills]>,
  ): Promise<readonly [Agents, Texts, Skills]>;
  /** @throws UsageError for agents, plugins and servers that nobody may give */
  refuseGiven(given: GivenParts): void;
  /**
   * Choose the model of a run within the limits.
   *
   * @throws UsageError for a model that may not be used, or an endpoint that requests may not go to
   */
  chooseModel: typeof choosePermitted;
};

/** Keys that limit in every file. */
const LIMITING = ['allowedMcpServers', 'availableModels', 'deniedMcpServers'] as const;

/** Read the limits of a workspace. Most have none, and load no code for them. */
export async function managedLimits({
  layers,
  env,
  outerEnv = env,
}: {
  readonly layers: SettingsLayers['layers'];
  readonly env: Environment;
  /** The environment without the variables of settings. */
  readonly outerEnv?: Environment;
}): Promise<ManagedLimits | undefined> {
  const isLimited = layers.some(
    (one) => isManaged(one) || LIMITING.some((key) => one.settings[key] !== undefined),
  );
  if (!isLimited) return undefined;
  const { readManagedLimits } = await import('./read-managed-limits.js');
  return readManagedLimits(layers, outerEnv);
}
