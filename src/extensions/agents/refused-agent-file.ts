import type { AgentDefinition } from '../../core/agents/agent-definition.js';

/** The result of reading one file. */
export type AgentFile = {
  /** Absent if the file is invalid, or not an agent. */
  readonly agent?: AgentDefinition;
  /** Faults for the author to correct. Each begins with file and line. */
  readonly warnings: readonly string[];
  /** Unknown tools in `tools` and `disallowedTools`, each with file and line. */
  readonly missing: readonly string[];
  /** Fields and files without effect. `troupe agents` shows them; a run does not. */
  readonly notes: readonly string[];
};

/** An agent file that raises no warning or note. */
export const EMPTY = {
  warnings: [],
  missing: [],
  notes: [],
} as const;

/** The result for an invalid file. @param place file and line of the fault */
export function refuseAgentFile(place: string, why: string): AgentFile {
  return { ...EMPTY, warnings: [`${place}: the agent is left out: ${why.replace(/\.$/, '')}.`] };
}
