import { z } from 'zod';
import { regExpProblem } from '../../core/text/reg-exp-problem.js';
import { CUSTOMIZATIONS } from './managed-settings.js';
import { Settings } from './settings-schema.js';

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

/** Keys that are read in managed settings only: no other run loads this. */
export const forPolicy = () => ({
  allowManagedHooksOnly: z
    .boolean()
    .optional()
    .describe(
      'True, in managed settings: of all files only managed settings have hooks. It has no effect elsewhere.',
    ),
  enforceAvailableModels: z
    .boolean()
    .optional()
    .describe('True: the default model is one of them, too.'),
  allowManagedPermissionRulesOnly: z
    .boolean()
    .optional()
    .describe('True, in managed settings: rules of all other sources allow nothing.'),
  strictKnownMarketplaces: z
    .array(z.looseObject({ source: z.string() }))
    .optional()
    .describe('The only marketplaces that `troupe plugin` may use. In effect in managed settings.'),
  allowedMarketplaces: z
    .array(z.looseObject({ source: z.string() }))
    .optional()
    .describe('Another name of `strictKnownMarketplaces`.'),
  claudeMd: z
    .string()
    .optional()
    .describe('Instructions of a manager. Without effect outside of managed settings.'),
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
  availableModelsMatch: z
    .enum(['prefix', 'exact'])
    .optional()
    .describe('exact, in managed settings: an ID of availableModels allows no later version.'),
  deniedModels: z
    .array(name())
    .optional()
    .describe('In managed settings: models that are never used.'),
  allowedProviders: z
    .array(name())
    .optional()
    .describe('In managed settings: endpoints of requests, anthropic and customEndpoint.'),
  policyHelper: z
    .looseObject({})
    .optional()
    .describe('In managed settings: a program that prints managed settings.'),
  requiredMinimumVersion: name()
    .optional()
    .describe('In managed settings: the oldest version of Troupe that runs.'),
  requiredMaximumVersion: name()
    .optional()
    .describe('In managed settings: the newest version of Troupe that runs.'),
  acceptUnsupported: z
    .array(name())
    .optional()
    .describe('In managed settings: keys that Troupe cannot obey, and runs without.'),
});

const name = () => z.string().trim().min(1);

/**
 * The published form: `schemas/settings.schema.json`.
 *
 * @internal
 */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    ...z.toJSONSchema(Settings.unwrap().extend(forPolicy()), { io: 'input' }),
    title: 'Troupe settings',
  };
}
