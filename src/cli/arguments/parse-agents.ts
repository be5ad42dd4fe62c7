import { z } from 'zod';
import type { AgentDefinition } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { describeRefusal, describeUnknownKey, mainIssue, quotedField } from '../../api/text.js';
import { AgentSpec } from '../../api/extensions/agents.js';
import { parseJsonWithPositions } from '../../api/json.js';

const AgentSpecs = z.record(z.string().min(1, 'an agent needs a name'), AgentSpec);

/**
 * Read agents from JSON text: an object from names to definitions.
 *
 * @param file the name of the text in messages
 * @throws UsageError with line and column of the mistake
 */
export function parseAgents(text: string, file = '--agents'): readonly AgentDefinition[] {
  const json = parseJsonWithPositions(text);
  if (!json.ok) {
    const { message, line, column } = json;
    const shape = '{"name": {"description": "when to use it", "prompt": "its instructions"}}';
    throw new UsageError(`This is not JSON: ${message}. Write ${shape}.`, { file, line, column });
  }
  const parsed = AgentSpecs.safeParse(json.value);
  if (!parsed.success) {
    const { error } = parsed;
    const path = mainIssue(error)?.path ?? [];
    throw new UsageError(describe(error, json.value), { file, ...json.positionOf(path) });
  }
  return Object.entries(parsed.data).map(([name, spec]) => ({ name, ...spec }));
}

const nameOf = quotedField('the value');

function describe(error: z.ZodError, value: unknown): string {
  const issue = mainIssue(error);
  if (issue?.code !== 'unrecognized_keys') return describeRefusal(error, value, nameOf);
  const known = Object.keys(AgentSpec.unwrap().shape);
  return `${nameOf(issue.path)}: ${describeUnknownKey(String(issue.keys[0]), known, 'field')}`;
}
