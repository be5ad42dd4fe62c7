import type { z } from 'zod';
import { AgentDefinition } from '../../core/agents/agent-definition.js';
import {
  describeRefusal,
  mainIssue,
  quotedField,
  withFullStop,
} from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { describeUnknownKey } from '../../core/text/unknown-key.js';
import { parseRule } from '../../permissions/rules/rule.js';

const Definition = AgentDefinition.strict();

/**
 * Check the definition of an agent. Return it unchanged.
 *
 * @throws UsageError that names the agent and the field
 * @example const reviewer = defineAgent({ name: 'reviewer', description: 'Reads a change and says what is wrong with
 * it.', prompt: 'You review changes. Name files and lines.', tools: ['Read', 'Grep', 'Glob'], }) const troupe =
 * createOrchestrator({ agents: [reviewer] })
 */
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  const name = JSON.stringify((definition as Partial<AgentDefinition> | undefined)?.name); // code in JavaScript can pass anything
  const parsed = Definition.safeParse(definition);
  if (!parsed.success) {
    const why = describe(parsed.error, definition);
    throw new UsageError(`The agent ${name} is invalid: ${why}`);
  }
  for (const field of ['tools', 'disallowedTools'] as const)
    for (const rule of definition[field] ?? []) {
      const read = parseRule(rule);
      if (!read.ok)
        throw new UsageError(`The agent ${name} is invalid: "${field}": ${read.message}`);
    }
  return definition;
}

function describe(error: z.ZodError, definition: unknown): string {
  const issue = mainIssue(error);
  if (issue?.code === 'unrecognized_keys')
    return describeUnknownKey(String(issue.keys[0]), Object.keys(Definition.shape), 'field');
  return withFullStop(describeRefusal(error, definition, quotedField('the definition')));
}
