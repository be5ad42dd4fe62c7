import { z } from 'zod';
import { regExpProblem } from '../../core/text/reg-exp-problem.js';
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

/** A pattern with a fault would block nothing, in silence. */
const BlockedMarketplace = z
  .looseObject({
    source: z.string(),
    hostPattern: z.string().optional(),
    pathPattern: z.string().optional(),
  })
  .superRefine((entry, { addIssue }) => {
    for (const field of ['hostPattern', 'pathPattern'] as const) {
      const problem = regExpProblem(entry[field] ?? '');
      if (problem !== undefined)
        addIssue({ code: 'custom', path: [field], message: `${problem}.` });
    }
  });

export const forManaged = () => ({
  allowManagedPermissionRulesOnly: z
    .boolean()
    .optional()
    .describe('True, in managed settings: rules of all other sources allow nothing.'),
  allowedMcpServers: z
    .array(Entry)
    .optional()
    .describe('The only MCP servers that may be used, by name, command or address.'),
  deniedMcpServers: z.array(Entry).optional().describe('MCP servers that are never used.'),
  allowManagedMcpServersOnly: z
    .boolean()
    .optional()
    .describe('True, in managed settings: allowedMcpServers of other files have no effect.'),
  blockedMarketplaces: z
    .array(BlockedMarketplace)
    .optional()
    .describe('Marketplaces that `troupe plugin` may not use. In effect in managed settings.'),
  strictPluginOnlyCustomization: z
    .union([z.boolean(), z.array(z.string())])
    .optional()
    .describe(
      `In managed settings: only plugins and managed files have ${CUSTOMIZATIONS.join(', ')}; true, or a list of these.`,
    ),
  disableSideloadFlags: z
    .boolean()
    .optional()
    .describe('True, in managed settings: refuses --plugin-dir, --agents and --mcp-config.'),
  disableAutoMode: z.literal('disable').optional().describe('Removes the mode auto.'),
});
