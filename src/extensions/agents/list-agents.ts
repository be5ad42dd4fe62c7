import { BUILT_IN_AGENTS } from '../../context/built-in-agents.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { builtInAgentType } from '../../core/agents/agent-type.js';
import { readAgentFiles, type AgentSource, type LoadAgentsOptions } from './read-agent-files.js';
import { requireTexts } from '../../core/text/require-text.js';

/** An agent of a folder, and where it comes from. */
export type ListedAgent = {
  /** The definition, as it is used for new agents. */
  readonly definition: AgentDefinition;
  /** Origin of the agent; `flag` is a program or a command line. */
  readonly source: AgentSource | 'built-in' | 'flag';
  /** Absolute path of the Markdown file; absent for an agent without one. */
  readonly file?: string;
  /** Agent of the same name that is used instead: its file, or its source if it has no file. */
  readonly shadowedBy?: string;
};

export type AgentListing = {
  /** Weakest first. */
  readonly agents: readonly ListedAgent[];
  /** Invalid files and fields, each with file and line. */
  readonly warnings: readonly string[];
  /** Unknown tools that agents name, each with file and line. */
  readonly missing: readonly string[];
  /** Fields without effect, and files that are not agents, one line each. */
  readonly notes: readonly string[];
};

/** Places of agents. */
export type ListAgentsOptions = LoadAgentsOptions & {
  /** Agents of a program or a command line: the strongest. */
  readonly given?: readonly AgentDefinition[];
};

/**
 * List every agent of a folder, also those that a stronger agent of the same name replaces.
 *
 * @throws UsageError if `cwd` is missing
 */
export async function listAgents(options: ListAgentsOptions): Promise<AgentListing> {
  const { given = [], ...places } = requireTexts('listAgents', options, ['cwd']);
  const files = await readAgentFiles(places);
  const all: readonly ListedAgent[] = [
    ...BUILT_IN_AGENTS.map((definition) => ({ definition, source: 'built-in' as const })),
    ...files.flatMap(({ agent: definition, source, path: file }) =>
      definition === undefined ? [] : [{ definition, source, file }],
    ),
    ...given.map((definition) => ({ definition, source: 'flag' as const })),
  ];
  const strongest = new Map(all.map((one) => [typeOf(one), one]));
  const agents = all.map((one) => {
    const used = strongest.get(typeOf(one));
    if (used === undefined || used === one) return one;
    return { ...one, shadowedBy: used.file ?? used.source };
  });
  return {
    agents,
    warnings: files.flatMap(({ warnings }) => warnings),
    missing: files.flatMap(({ missing }) => missing),
    notes: files.flatMap(({ notes }) => notes),
  };
}

/** The key by which agents replace each other: their type. */
function typeOf({ definition: { name } }: ListedAgent): string {
  return builtInAgentType(name) ?? name;
}
