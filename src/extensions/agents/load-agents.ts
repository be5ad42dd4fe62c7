import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { readAgentFiles, type FoundAgentFile, type IsTrusted } from './read-agent-files.js';
import { nameSome } from '../../core/text/name-some.js';
import { requireTexts } from '../../core/text/require-text.js';

/** Agents that were read from files. */
export type LoadedAgents = {
  /** One agent of each name: the strongest, if several files have it. */
  readonly agents: readonly AgentDefinition[];
  /** Invalid files, each with file and line; then fields and tools without effect, in one line each. */
  readonly warnings: readonly string[];
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
 * project's, in `.claude/agents` and `.troupe/agents` of each folder from the root of the work tree down to `cwd`. A
 * file that cannot be used is left out, with a warning.
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
    files.flatMap(({ agent }) => (agent === undefined ? [] : [[agent.name, agent] as const])),
  );
  const warnings = [...files.flatMap((file) => file.warnings), ...summarise(files)];
  return { agents: [...byName.values()], warnings };
}

/** Most names in one line of a summary. */
const MOST_NAMES = 8;

/**
 * Sum up the fields without effect and the unknown tools of all agents, in one line each. `troupe agents` shows every
 * one.
 */
function summarise(files: readonly FoundAgentFile[]): readonly string[] {
  const used = files.filter(({ agent }) => agent !== undefined);
  const fields = countBy(used, ({ idleFields }) => idleFields);
  const tools = countBy(used, ({ unknownTools }) =>
    unknownTools.flatMap(({ name, meant }) => (meant === undefined ? [name] : [])),
  );
  return [
    ...describe(fields, 'has no effect yet', 'have no effect yet'),
    ...describe(tools, 'names a tool that does not exist', 'name tools that do not exist'),
  ];
}

type Count = { readonly names: readonly string[]; readonly agents: number };

function countBy(
  files: readonly FoundAgentFile[],
  namesOf: (file: FoundAgentFile) => readonly string[],
): Count {
  const all = files.map(namesOf).filter((names) => names.length > 0);
  return { names: [...new Set(all.flat())].sort(), agents: all.length };
}

function describe({ names, agents }: Count, one: string, several: string): readonly string[] {
  if (names.length === 0) return [];
  const of = agents === 1 ? 'of one agent' : `of ${agents} agents`;
  const verb = names.length === 1 ? one : several;
  return [`${nameSome(names, MOST_NAMES)} (${of}) ${verb}. See troupe agents.`];
}
