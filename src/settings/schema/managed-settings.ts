import { z } from 'zod';
import type { AllowedMarketplace } from './plugin-settings.js';

/** An entry of `allowedMcpServers` or `deniedMcpServers`: exactly one of the three fields. */
export type McpServerEntry = {
  /** The name of the server, as configured. */
  readonly serverName?: string | undefined;
  /** The command and all arguments of a server that is a program. */
  readonly serverCommand?: readonly string[] | undefined;
  /** The address of a server, with `*` for any text. */
  readonly serverUrl?: string | undefined;
};

/** The parts of a setup that only plugins and managed files may have. */
export const CUSTOMIZATIONS = ['skills', 'agents', 'hooks', 'mcp'] as const;

/** Settings by which a manager restricts sessions. */
export type ManagedSettings = {
  /** True, in managed settings: no other source allows tool calls by rules. */
  readonly allowManagedPermissionRulesOnly?: boolean | undefined;
  /** The only MCP servers that may be used. */
  readonly allowedMcpServers?: readonly McpServerEntry[] | undefined;
  /** MCP servers that are never used. */
  readonly deniedMcpServers?: readonly McpServerEntry[] | undefined;
  /** True, in managed settings: `allowedMcpServers` of other files have no effect. */
  readonly allowManagedMcpServersOnly?: boolean | undefined;
  /** In managed settings: marketplaces that `troupe plugin` may not use. */
  readonly blockedMarketplaces?: readonly AllowedMarketplace[] | undefined;
  /** In managed settings: only plugins and managed files have these; true for all of them. */
  readonly strictPluginOnlyCustomization?: boolean | readonly string[] | undefined;
  /** True, in managed settings: refuse `--plugin-dir`, `--agents` and `--mcp-config`. */
  readonly disableSideloadFlags?: boolean | undefined;
  /** The only models that may be chosen: families, IDs, beginnings of IDs. */
  readonly availableModels?: readonly string[] | undefined;
  /** `exact`, in managed settings: an ID of `availableModels` allows no later version. */
  readonly availableModelsMatch?: 'prefix' | 'exact' | undefined;
  /** True: the default model must be in `availableModels`, too. */
  readonly enforceAvailableModels?: boolean | undefined;
  /** In managed settings: models that are never used. */
  readonly deniedModels?: readonly string[] | undefined;
  /** In managed settings: the endpoints that requests may go to, `anthropic` and `customEndpoint`. */
  readonly allowedProviders?: readonly string[] | undefined;
  /** In managed settings: a program that prints managed settings. */
  readonly policyHelper?: Readonly<Record<string, unknown>> | undefined;
  /** In managed settings: the oldest version of Troupe that runs. */
  readonly requiredMinimumVersion?: string | undefined;
  /** In managed settings: the newest version of Troupe that runs. */
  readonly requiredMaximumVersion?: string | undefined;
  /** In managed settings: keys that Troupe cannot obey, and that do not refuse the run. */
  readonly acceptUnsupported?: readonly string[] | undefined;
  /** `disable`: nobody can choose the mode `auto`. */
  readonly disableAutoMode?: 'disable' | undefined;
};

const FIELDS = ['serverName', 'serverCommand', 'serverUrl'];
const Entry = z
  .strictObject({
    serverName: z.string().min(1).optional(),
    serverCommand: z.array(z.string()).min(1).optional(),
    serverUrl: z.string().min(1).optional(),
  })
  .refine((entry) => Object.keys(entry).length === 1, `Give exactly one of ${FIELDS.join(', ')}.`);

export const forManaged = () => ({
  allowedMcpServers: z.array(Entry).optional().describe('The only MCP servers that may be used.'),
  deniedMcpServers: z.array(Entry).optional().describe('MCP servers that are never used.'),
  availableModels: z.array(z.string()).optional().describe('The only models.'),
  disableAutoMode: z.literal('disable').optional().describe('Removes the mode auto.'),
});
