import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findWorkTree, foldersDownTo, userFolders } from '../../context/folders.js';
import type { ContextSource } from '../../context/memory/load-memory.js';
import { builtInAgentType, FORK } from '../../core/agent-type.js';
import { messageOf } from '../../core/errors.js';
import { parseAgentFile, type AgentFile } from './agent-file.js';

const MAX_BYTES = 1_000_000;

/** A file in which an agent may stand. */
export type FoundAgentFile = AgentFile & {
  readonly source: ContextSource;
  /** A folder where that cannot be read. */
  readonly path: string;
};

/** Whether somebody has called the folder trusted. Asked only if the answer counts. */
export type IsTrusted = () => boolean | Promise<boolean>;

/**
 * Reads every file that agents may come from, weakest first; of one folder only the first of a name has an agent. In a
 * folder that is not trusted no file of the project replaces a built-in agent.
 */
export async function readAgentFiles({
  cwd,
  env,
  sources,
  isTrusted,
}: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sources: readonly ContextSource[];
  readonly isTrusted: IsTrusted;
}): Promise<readonly FoundAgentFile[]> {
  const user = userFolders(env);
  const project = foldersDownTo(cwd, findWorkTree(cwd) ?? cwd);
  const byPath = new Map<string, ContextSource>();
  const add = (source: ContextSource, folders: readonly string[]): void => {
    if (!sources.includes(source)) return;
    for (const folder of folders)
      if (!byPath.has(join(folder, 'agents'))) byPath.set(join(folder, 'agents'), source);
  };
  add('user', [user.claude, user.troupe]);
  add(
    'project',
    project.flatMap((folder) => [join(folder, '.claude'), join(folder, '.troupe')]),
  );
  const files = await Promise.all(
    [...byPath].map(([folder, source]) => readFolder(folder, source)),
  );
  const found = files.flat();
  const mayReplace = !found.some(replacesBuiltIn) || (await isTrusted());
  return mayReplace ? found : found.map((file) => (replacesBuiltIn(file) ? refused(file) : file));
}

/** A project's file may not change what a built-in agent is allowed to do, unless somebody trusts the project. */
function replacesBuiltIn({ source, agent }: FoundAgentFile): boolean {
  if (source !== 'project' || agent === undefined) return false;
  return agent.name === FORK || builtInAgentType(agent.name) !== undefined;
}

function refused({ source, path, agent, warnings }: FoundAgentFile): FoundAgentFile {
  const warning = `${path}: the agent is left out: "${agent?.name ?? ''}" is a built-in agent, and this folder is not trusted. To let the file replace it run "troupe trust", or give --trust for one run.`;
  return { source, path, warnings: [...warnings, warning] };
}

async function readFolder(
  folder: string,
  source: ContextSource,
): Promise<readonly FoundAgentFile[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    if (!existsSync(folder)) return [];
    const warning = `${folder}: its agents are left out: ${messageOf(error)}.`;
    return [{ source, path: folder, warnings: [warning] }];
  }
  const paths = names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name));
  const files = await Promise.all(paths.map(readAgentFile));
  const found = new Map<string, string>();
  return files.map((file, index) => {
    const path = paths[index] as string; // one file a path
    const { agent, warnings } = file;
    if (agent === undefined) return { source, path, warnings };
    const first = found.get(agent.name);
    if (first === undefined) {
      found.set(agent.name, path);
      return { source, path, agent, warnings };
    }
    const warning = `${path}: the agent is left out: "${agent.name}" is in ${first} already.`;
    return { source, path, warnings: [...warnings, warning] };
  });
}

async function readAgentFile(path: string): Promise<AgentFile> {
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
