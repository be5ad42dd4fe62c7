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

/** `manual` is another name of `default`. */
const Mode = z
  .enum([...EXTERNAL_PERMISSION_MODES, 'manual'])
  .describe('What happens where no rule decides. `manual` is another name of `default`.');

const Permissions = z.looseObject({
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
  permissions: Permissions.optional(),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Environment variables of the session and of what it runs.'),
  model: z.string().min(1).optional().describe('Model id or alias.'),
  agent: z.string().min(1).optional().describe('The agent that the session is run by.'),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** The published form: `schemas/settings.schema.json`. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    ...z.toJSONSchema(Settings, { io: 'input' }),
    title: 'Troupe settings',
  };
}
