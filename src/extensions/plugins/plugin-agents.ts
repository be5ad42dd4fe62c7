import { basename, dirname, join, relative, sep } from 'node:path';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { findMarkdown } from '../../files/find-markdown.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { parseAgentFile } from '../agents/agent-file.js';
import type { LoadedAgents } from '../agents/load-agents.js';
import { refuseAgentFile, type AgentFile } from '../agents/refused-agent-file.js';
import { takeAsReported } from '../agents/unknown-tools.js';
import { existingPaths, fillIn, isFolder, type PluginFolder } from './plugin-folder.js';
import type { PluginManifest } from './plugin-manifest.js';

export type PluginAgents = Pick<LoadedAgents, 'missingTools'> & {
  readonly agents: readonly AgentDefinition[];
};

/** Read the agents of a plugin: `NAME:agent`. They have neither hooks nor servers, as published. */
export async function readPluginAgents(
  folder: PluginFolder,
  { agents }: Pick<PluginManifest, 'agents'>,
): Promise<PluginAgents> {
  const { plugin, warn } = folder;
  const paths =
    agents === undefined ? [join(plugin.path, 'agents')] : existingPaths(folder, agents);
  const byName = new Map<string, AgentDefinition>();
  const missingTools = new Map<string, readonly string[]>();
  for (const { file, prefix } of filesOf(folder, paths)) {
    const { agent, warnings, missing } = await readAgent(folder, file);
    warnings.forEach(warn);
    if (agent === undefined) continue;
    const name = [plugin.name, ...prefix, agent.name].join(':');
    if (byName.has(name)) warn(`${file}: the agent is left out: "${name}" is there already.`);
    else {
      byName.set(name, takeAsReported(toPluginAgent(agent, name, file, folder)));
      missingTools.set(name, missing);
    }
  }
  return { agents: [...byName.values()], missingTools };
}

type FoundFile = { readonly file: string; readonly prefix: readonly string[] };

/** The Markdown files of folders, with the names of their subfolders. */
function filesOf({ roots, warn }: PluginFolder, paths: readonly string[]): readonly FoundFile[] {
  return paths.flatMap((path): readonly FoundFile[] => {
    if (path.endsWith('.md') && !isFolder(path)) return [{ file: path, prefix: [] }];
    const found = findMarkdown(path, roots);
    found.warnings.forEach(warn);
    return found.paths.map((file) => {
      const way = relative(path, dirname(file));
      return { file, prefix: way === '' ? [] : way.split(sep) };
    });
  });
}

async function readAgent({ roots }: PluginFolder, file: string): Promise<AgentFile> {
  const read = readPlantedFile(file, { roots });
  if (read.status === 'missing') return refuseAgentFile(file, 'it is a link to nothing');
  if (read.status === 'unusable') return refuseAgentFile(file, read.why);
  return parseAgentFile(read.text, file, { fallbackName: basename(file, '.md') });
}

function toPluginAgent(
  agent: AgentDefinition,
  name: string,
  file: string,
  { variables, warn }: PluginFolder,
): AgentDefinition {
  const { hooks, mcpServers, ...others } = agent;
  for (const [field, value] of Object.entries({ hooks, mcpServers }))
    if (value !== undefined) warn(`${file}: "${field}" of an agent of a plugin has no effect.`);
  return { ...others, name, prompt: String(fillIn(agent.prompt, variables)) };
}
