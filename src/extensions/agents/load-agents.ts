import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { readAgentFiles, type IsTrusted } from './read-agent-files.js';
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

/** Places of agents. */
export type LoadAgentsOptions = {
  /** Absolute path of the folder that agents will work in. */
  readonly cwd: string;
  /** Environment with `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME`; that of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Sources of agents: `user`, `project` or both; both if absent. `local` has no agents. */
  readonly sources?: readonly ContextSource[];
  /**
   * Whether the folder is trusted; called only if it matters. If not, a file of the project that is named like a built-in
   * agent is left out. Trusted if absent.
   */
  readonly isTrusted?: IsTrusted;
  /** Absolute paths of more folders with `.claude/agents` and `.troupe/agents`; weaker than the project's own. */
  readonly additionalFolders?: readonly string[];
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
  const {
    cwd,
    env = process.env,
    sources = CONTEXT_SOURCES,
    isTrusted = () => true,
    additionalFolders = [],
  } = requireTexts('loadAgents', options, ['cwd']);
  const files = await readAgentFiles({ cwd, env, sources, isTrusted, additionalFolders });
  const byName = new Map(
    files.flatMap((file) => (file.agent === undefined ? [] : [[file.agent.name, file.agent]])),
  );
  const missingTools = new Map(
    files.flatMap(({ agent, missing }) => (agent === undefined ? [] : [[agent.name, missing]])),
  );
  const warnings = files.flatMap((file) => file.warnings);
  return { agents: [...byName.values()], warnings, missingTools };
}
