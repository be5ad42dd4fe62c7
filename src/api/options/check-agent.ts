import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { findAgentDefinition } from '../../core/agents/agent-type.js';
import { unknownAgent } from '../../core/agents/unknown-agent.js';
import { UsageError } from '../../core/errors.js';

/**
 * Refuse the name of an agent that does not exist.
 *
 * @param warnings warnings about agent files, each with its path in front
 * @throws UsageError
 */
export function checkAgent(
  name: string | undefined,
  definitions: readonly AgentDefinition[],
  warnings: readonly string[],
): void {
  if (name === undefined || findAgentDefinition(definitions, name) !== undefined) return;
  const leftOut = warnings.find((warning) => warning.includes(`/${name}.md:`));
  if (leftOut !== undefined) throw new UsageError(`The agent "${name}" is invalid: ${leftOut}`);
  throw unknownAgent(
    name,
    definitions.map((one) => one.name),
  );
}
