import { dirname, join } from 'node:path';
import { followingLinks } from '../../files/following-links.js';
import { findMarkdown } from '../../files/find-markdown.js';
import {
  findWorkTree,
  foldersDownTo,
  managedOwnFolders,
  realRoots,
  userFolders,
} from '../../files/folders.js';
import { CONTEXT_SOURCES, type ContextSource } from '../../context/memory/load-memory.js';
import { builtInAgentType, FORK } from '../../core/agents/agent-type.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { hasOwnServers, withoutOwnServers } from './agent-servers.js';
import { EMPTY, refuseAgentFile, type AgentFile } from './refused-agent-file.js';

/** A file that may contain an agent. */
export type FoundAgentFile = AgentFile & {
  readonly source: AgentSource;
  /** Path of the file; of the folder, if the folder cannot be read. */
  readonly path: string;
};

/** The owner of an agent's file. */
export type AgentSource = Exclude<ContextSource, 'local'> | 'managed';

/** Whether the user trusts the folder. Called only if the answer matters. */
type IsTrusted = () => boolean | Promise<boolean>;

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
 * Read every file that agents may come from, weakest first. In one folder only the first file with a name has an agent.
 * In a folder that is not trusted, no file of the project replaces a built-in agent.
 */
export async function readAgentFiles({
  cwd,
  env = process.env,
  sources = CONTEXT_SOURCES,
  isTrusted = () => true,
  additionalFolders = [],
}: LoadAgentsOptions): Promise<readonly FoundAgentFile[]> {
  const user = userFolders(env);
  const project = foldersDownTo(cwd, findWorkTree(cwd) ?? cwd);
  const byPath = new Map<string, AgentSource>();
  const add = (source: AgentSource, folders: readonly string[]): void => {
    if (source !== 'managed' && !sources.includes(source)) return;
    for (const folder of folders)
      if (!byPath.has(join(folder, 'agents'))) byPath.set(join(folder, 'agents'), source);
  };
  add('user', [user.claude, user.troupe]);
  add(
    'project',
    [...additionalFolders, ...project].flatMap((folder) =>
      ['.claude', '.troupe'].map((name) => join(folder, name)),
    ),
  );
  add('managed', managedOwnFolders(env));
  const found = await readFolders(byPath, isTrusted);
  const needsTrust = found.some((file) => replacesBuiltIn(file) || runsPrograms(file));
  if (!needsTrust || (await isTrusted())) return found;
  return found.map((file) => {
    if (replacesBuiltIn(file)) return refused(file);
    return runsPrograms(file) ? withoutPrograms(file) : file;
  });
}

/** Read the files of folders. Links lead out of the project only if it is trusted. */
async function readFolders(
  byPath: ReadonlyMap<string, AgentSource>,
  isTrusted: IsTrusted,
): Promise<readonly FoundAgentFile[]> {
  const load = async (followsLinks: boolean) => {
    const files = await Promise.all(
      [...byPath].map(([folder, source]) => {
        const isBound = source === 'project' && !followsLinks;
        return readFolder(
          folder,
          source,
          isBound ? realRoots(dirname(dirname(folder))) : undefined,
        );
      }),
    );
    const all = files.flat();
    return { files: all, warnings: all.flatMap(({ warnings }) => warnings) };
  };
  const { files, warnings } = await followingLinks(load, isTrusted);
  const known = new Set(files.flatMap((file) => file.warnings));
  const [path = ''] = byPath.keys();
  const more = warnings.filter((line) => !known.has(line));
  return more.length === 0
    ? files
    : [...files, { ...EMPTY, source: 'project', path, warnings: more }];
}

/** Whether the file replaces a built-in agent. In a project this changes what that agent may do, so it needs trust. */
function replacesBuiltIn({ source, agent }: FoundAgentFile): boolean {
  if (source !== 'project' || agent === undefined) return false;
  return agent.name === FORK || builtInAgentType(agent.name) !== undefined;
}

/** Whether an agent of the project has hooks or its own servers, which need trust. */
function runsPrograms({ source, agent }: FoundAgentFile): boolean {
  if (source !== 'project' || agent === undefined) return false;
  return agent.hooks !== undefined || hasOwnServers(agent);
}

function withoutPrograms({ agent, ...file }: FoundAgentFile): FoundAgentFile {
  const { hooks, ...rest } = agent as NonNullable<typeof agent>; // runsPrograms has found it
  const toApply = 'To apply them: troupe trust, or --trust for one run.';
  const warnings = [
    hooks === undefined
      ? []
      : `${file.path}: this folder is not trusted, so the hooks of the agent do not run. ${toApply}`,
    hasOwnServers(rest)
      ? `${file.path}: this folder is not trusted, so the MCP servers of the agent do not start. ${toApply}`
      : [],
  ].flat();
  return {
    ...file,
    agent: hasOwnServers(rest) ? withoutOwnServers(rest) : rest,
    warnings: [...file.warnings, ...warnings],
  };
}

function refused({ source, path, agent }: FoundAgentFile): FoundAgentFile {
  const why = `"${agent?.name ?? ''}" is a built-in agent, and this folder is not trusted. To let the file replace it, run "troupe trust", or give --trust for one run`;
  return { source, path, ...refuseAgentFile(path, why) };
}

async function readFolder(
  folder: string,
  source: AgentSource,
  roots: readonly string[] | undefined,
): Promise<readonly FoundAgentFile[]> {
  const { paths, warnings: leftOut } = findMarkdown(folder, roots);
  const files = await Promise.all(paths.map((path) => readAgentFile(path, roots)));
  const found = new Map<string, string>();
  const read = files.map((file, index): FoundAgentFile => {
    const path = paths[index] as string; // `files` has one file for each path
    const { agent } = file;
    const first = agent === undefined ? undefined : found.get(agent.name);
    if (agent !== undefined && first !== undefined)
      return { source, path, ...refuseAgentFile(path, `"${agent.name}" is already in ${first}`) };
    if (agent !== undefined) found.set(agent.name, path);
    return { source, path, ...file };
  });
  const folders = leftOut.map((warning) => ({
    source,
    path: folder,
    ...EMPTY,
    warnings: [warning],
  }));
  return [...folders, ...read];
}

async function readAgentFile(
  path: string,
  roots: readonly string[] | undefined,
): Promise<AgentFile> {
  const read = readPlantedFile(path, { roots });
  if (read.status === 'missing') return refuseAgentFile(path, 'it is a link to nothing');
  if (read.status === 'unusable') return refuseAgentFile(path, read.why);
  const { parseAgentFile } = await import('./agent-file.js'); // most runs have no agents of files
  const file = await parseAgentFile(read.text, path);
  const name = file.agent?.name ?? '';
  if (name.includes(':') || name.startsWith('-'))
    return refuseAgentFile(
      path,
      `the name "${name}" ${name.includes(':') ? 'has a ":", which only agents of plugins have' : 'begins with "-"'}. Write it with letters and hyphens`,
    );
  if (read.isUtf8 || file.agent === undefined) return file;
  const warning = `${path}: the file is not UTF-8: some of its letters are lost. Save it as UTF-8.`;
  return { ...file, warnings: [warning, ...file.warnings] };
}
