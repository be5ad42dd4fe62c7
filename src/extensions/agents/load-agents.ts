import { messageOf } from '../../core/errors.js';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentDefinition } from '../../core/agent-definition.js';
import { findWorkTree, foldersDownTo, userFolders } from '../../context/folders.js';
import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import { parseAgentFile, type AgentFile } from './agent-file.js';

const MAX_BYTES = 1_000_000;

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
 * @example
 * const { agents, warnings } = await loadAgents({ cwd })
 * const troupe = createOrchestrator({ cwd, agents })
 */
export async function loadAgents({
  cwd,
  env = process.env,
  sources = CONTEXT_SOURCES,
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly sources?: readonly ContextSource[];
}): Promise<LoadedAgents> {
  const user = userFolders(env);
  const project = foldersDownTo(cwd, findWorkTree(cwd) ?? cwd);
  const inProject = project.flatMap((folder) => [join(folder, '.claude'), join(folder, '.troupe')]);
  const folders = [
    ...(sources.includes('user') ? [user.claude, user.troupe] : []),
    ...(sources.includes('project') ? inProject : []),
  ].map((folder) => join(folder, 'agents'));
  const loaded = await Promise.all([...new Set(folders)].map(loadFolder));
  const byName = new Map(loaded.flatMap(({ agents }) => agents).map((one) => [one.name, one]));
  return {
    agents: [...byName.values()],
    warnings: loaded.flatMap(({ warnings }) => warnings),
  };
}

async function loadFolder(folder: string): Promise<LoadedAgents> {
  let names: readonly string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    if (!existsSync(folder)) return { agents: [], warnings: [] };
    return { agents: [], warnings: [`${folder}: its agents are left out: ${messageOf(error)}.`] };
  }
  const paths = names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name));
  const files = await Promise.all(paths.map(loadFile));
  const found = new Map<string, string>();
  const agents: AgentDefinition[] = [];
  const warnings: string[] = [];
  for (const [index, { agent, warnings: own }] of files.entries()) {
    const path = paths[index] as string; // one file a path
    warnings.push(...own);
    if (agent === undefined) continue;
    const first = found.get(agent.name);
    if (first === undefined) agents.push(agent);
    else warnings.push(`${path}: the agent is left out: "${agent.name}" is in ${first} already.`);
    found.set(agent.name, first ?? path);
  }
  return { agents, warnings };
}

async function loadFile(path: string): Promise<AgentFile> {
  const refuse = (why: string): AgentFile => ({
    warnings: [`${path}: the agent is left out: ${why}.`],
  });
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return { warnings: [] };
    if (!stats.isFile()) return refuse('it is no file');
    if (stats.size > MAX_BYTES) return refuse(`it has more than ${MAX_BYTES / 1_000_000} MB`);
    return await parseAgentFile(await readFile(path, 'utf8'), path);
  } catch (error) {
    return refuse(messageOf(error));
  }
}
