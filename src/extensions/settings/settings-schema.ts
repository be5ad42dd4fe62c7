import { z } from 'zod';
import { EXTERNAL_PERMISSION_MODES } from '../../core/permission-types.js';
import { parseRule } from '../../permissions/rule.js';

const Rule = z
  .string()
  .superRefine((text, context) => {
    const parsed = parseRule(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
  })
  .describe('A rule: `Tool` or `Tool(content)`, such as `Bash(npm test *)` or `Read(~/notes/**)`.');

/** Other names of `default`. Nothing classifies yet, so `auto` asks as `default` does. */
const Mode = z
  .enum([...EXTERNAL_PERMISSION_MODES, 'manual', 'auto'])
  .transform((mode) => (mode === 'manual' || mode === 'auto' ? ('default' as const) : mode))
  .describe('What happens where no rule decides. `manual` and `auto` are the same as `default`.');

export const PermissionSettings = z.looseObject({
  allow: z.array(Rule).optional().describe('Runs without asking.'),
  ask: z.array(Rule).optional().describe('Asks in every mode.'),
  deny: z.array(Rule).optional().describe('Never runs; stronger than anything else.'),
  defaultMode: Mode.optional(),
  additionalDirectories: z
    .array(z.string().min(1))
    .optional()
    .describe('Further directories that belong to the workspace.'),
  disableBypassPermissionsMode: z
    .literal('disable')
    .optional()
    .describe('Takes the mode bypassPermissions away.'),
});

/** A settings file. Keys that are not known are kept as they are and have no effect. */
export const Settings = z.looseObject({
  $schema: z.string().optional(),
  permissions: PermissionSettings.optional(),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Environment variables of the session and of what it runs.'),
  model: z.string().min(1).optional().describe('Model id or alias.'),
  agent: z.string().min(1).optional().describe('The agent that the session is run by.'),
  enableAllProjectMcpServers: z
    .boolean()
    .optional()
    .describe('Starts every server of .mcp.json. Without effect in the settings of a project.'),
  enabledMcpjsonServers: z
    .array(z.string())
    .optional()
    .describe('Servers of .mcp.json to start. Without effect in the settings of a project.'),
  disabledMcpjsonServers: z
    .array(z.string())
    .optional()
    .describe('Servers of .mcp.json that are never started.'),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** The published form: `schemas/settings.schema.json`. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    ...z.toJSONSchema(Settings, { io: 'input' }),
    title: 'Troupe settings',
  };
}
