import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { readAgentFiles, type LoadAgentsOptions } from './read-agent-files.js';
import { requireTexts } from '../../core/text/require-text.js';

/** Agents that were read from files. */
export type LoadedAgents = {
  /** One agent of each name: the strongest, if several files have it. */
  readonly agents: readonly AgentDefinition[];
  /** Invalid files, each with file and line. */
  readonly warnings: readonly string[];
  /** Unknown tools by the name of the agent that names them, each with file and line. */
  readonly missingTools: ReadonlyMap<string, readonly string[]>;
};

/**
 * Read the agents of a folder. Weakest first they are the user's, in `~/.claude/agents` and `~/.troupe/agents`, and the
 * project's, in `.claude/agents` and `.troupe/agents` of each folder from the root of the work tree down to `cwd`, then
 * the administrator's. A file that cannot be used is left out, with a warning.
 *
 * @throws UsageError if `cwd` is missing
 * @example
 * const { agents, warnings } = await loadAgents({ cwd })
 * const troupe = createOrchestrator({ cwd, agents })
 */
export async function loadAgents(options: LoadAgentsOptions): Promise<LoadedAgents> {
  const files = await readAgentFiles(requireTexts('loadAgents', options, ['cwd']));
  const byName = new Map(
    files.flatMap((file) => (file.agent === undefined ? [] : [[file.agent.name, file.agent]])),
  );
  const missingTools = new Map(
    files.flatMap(({ agent, missing }) => (agent === undefined ? [] : [[agent.name, missing]])),
  );
  const warnings = files.flatMap((file) => file.warnings);
  return { agents: [...byName.values()], warnings, missingTools };
}
