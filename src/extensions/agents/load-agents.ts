import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import type { AgentDefinition } from '../../core/agent-definition.js';
import { readAgentFiles, type IsTrusted } from './read-agent-files.js';

export type LoadedAgents = {
  /** One of each name: where several files have it, the strongest. */
  readonly agents: readonly AgentDefinition[];
  /** What cannot be used or has no effect, each with file and line. */
  readonly warnings: readonly string[];
};

/**
 * Reads the agents that hold in a folder. Weakest first they are the user's, in `~/.claude/agents` and
 * `~/.troupe/agents`, and the project's, in `.claude/agents` and `.troupe/agents` of each folder from the root of the work
 * tree down to `cwd`. A file that cannot be used is left out and told of.
 *
 * @param options.env where `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME` are looked up: usually `process.env`
 * @param options.sources whose agents are read; the user's and the project's where absent
 * @param options.isTrusted false: a file of the project that is named like a built-in agent is left out
 * @example
 * const { agents, warnings } = await loadAgents({ cwd })
 * const troupe = createOrchestrator({ cwd, agents })
 */
export async function loadAgents({
  cwd,
  env = process.env,
  sources = CONTEXT_SOURCES,
  isTrusted = () => true,
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly sources?: readonly ContextSource[];
  readonly isTrusted?: IsTrusted;
}): Promise<LoadedAgents> {
  const files = await readAgentFiles({ cwd, env, sources, isTrusted });
  const byName = new Map(
    files.flatMap(({ agent }) => (agent === undefined ? [] : [[agent.name, agent] as const])),
  );
  return { agents: [...byName.values()], warnings: files.flatMap(({ warnings }) => warnings) };
}
