import { z } from 'zod';
import { AgentDefinition } from '../../core/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import { EXTERNAL_PERMISSION_MODES } from '../../core/permission-types.js';
import { parseJsonWithPositions } from '../../extensions/settings/json-positions.js';
import { parseRuleList } from '../../permissions/rule-list.js';

/** Fields that other programs know and that change nothing here. */
const WITHOUT_EFFECT = [
  'skills',
  'mcpServers',
  'hooks',
  'memory',
  'effort',
  'isolation',
  'color',
  'initialPrompt',
] as const;

const Mode = z
  .enum([...EXTERNAL_PERMISSION_MODES, 'manual', 'bubble'])
  .transform((mode) => (mode === 'manual' ? ('default' as const) : mode));
const Tools = z.union([z.array(z.string().min(1)), z.string()], {
  error: 'expected a list of tool names, or names with commas between them',
});

const AgentSpec = z.strictObject({
  description: AgentDefinition.shape.description,
  prompt: AgentDefinition.shape.prompt,
  tools: Tools.optional(),
  disallowedTools: Tools.optional(),
  model: z.string().min(1).optional(),
  permissionMode: Mode.optional(),
  maxTurns: z.int().positive().optional(),
  background: z.boolean().optional(),
  ...(Object.fromEntries(WITHOUT_EFFECT.map((key) => [key, z.unknown().optional()])) as Record<
    (typeof WITHOUT_EFFECT)[number], // the keys just listed
    z.ZodOptional<z.ZodUnknown>
  >),
});
const AgentSpecs = z.record(z.string().min(1, 'an agent needs a name'), AgentSpec);

export type ParsedAgents = {
  readonly agents: readonly AgentDefinition[];
  /** What was given and has no effect, in words. */
  readonly warnings: readonly string[];
};

/**
 * Reads the value of `--agents`: a JSON object from names to what each agent is made of.
 *
 * @throws UsageError with line and column of what is wrong
 */
export function parseAgents(text: string): ParsedAgents {
  const file = '--agents';
  const json = parseJsonWithPositions(text);
  if (!json.ok) {
    const { message, line, column } = json;
    const shape = '{"name": {"description": "when to use it", "prompt": "what it is told"}}';
    throw new UsageError(`This is not JSON: ${message}. Write ${shape}.`, { file, line, column });
  }
  const parsed = AgentSpecs.safeParse(json.value);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
    const path = issue?.path ?? [];
    const name = path.length === 0 ? 'the value' : `"${path.map(String).join('.')}"`;
    throw new UsageError(`${name}: ${describe(issue)}`, { file, ...json.positionOf(path) });
  }
  const entries = Object.entries(parsed.data);
  return {
    agents: entries.map(([name, spec]) => toDefinition(name, spec)),
    warnings: entries.flatMap(([name, spec]) =>
      WITHOUT_EFFECT.filter((key) => spec[key] !== undefined).map(
        (key) => `--agents: "${name}.${key}" has no effect yet.`,
      ),
    ),
  };
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type' && issue.input === undefined && issue.path.length > 1)
    return `missing: ${issue.expected} needed.`;
  if (issue?.code !== 'unrecognized_keys') return issue?.message ?? 'not valid';
  const known = Object.keys(AgentSpec.shape).filter((key) => !isWithoutEffect(key));
  return `there is no field "${issue.keys.join('", "')}". Known: ${known.join(', ')}.`;
}

function isWithoutEffect(key: string): boolean {
  return WITHOUT_EFFECT.some((one) => one === key);
}

function toDefinition(name: string, spec: z.infer<typeof AgentSpec>): AgentDefinition {
  const {
    description,
    prompt,
    tools,
    disallowedTools,
    model,
    permissionMode,
    maxTurns,
    background,
  } = spec;
  return {
    name,
    description,
    prompt,
    ...(tools === undefined ? {} : { tools: toList(tools, name) }),
    ...(disallowedTools === undefined ? {} : { disallowedTools: toList(disallowedTools, name) }),
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(background === undefined ? {} : { background }),
  };
}

function toList(tools: readonly string[] | string, name: string): string[] {
  if (typeof tools !== 'string') return [...tools];
  return [...parseRuleList(tools, `--agents: "${name}"`)];
}
