import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Journal of one agent, below its session's folder. */
export type AgentFile = `agent-${string}.jsonl` | `agents/${string}.jsonl`;

/** The names of agents' journals in the folder of a session: older sessions have a folder for them. */
export function agentFileNames(directory: string): (agentId: string) => AgentFile {
  return existsSync(join(directory, FOLDER))
    ? (agentId) => `${FOLDER}/${agentId}.jsonl`
    : (agentId) => `agent-${agentId}.jsonl`;
}

/** Absolute path of one agent's journal. */
export function agentFileIn(directory: string, agentId: string): string {
  return join(directory, agentFileNames(directory)(agentId));
}

/** Every agent that has a journal in the folder of a session, with its absolute path. */
export function listAgentFiles(
  directory: string,
): readonly { readonly agentId: string; readonly path: string }[] {
  const own = join(directory, FOLDER);
  const [folder, pattern] = existsSync(own)
    ? [own, /^(.+)\.jsonl$/]
    : [directory, /^agent-(.+)\.jsonl$/];
  return namesIn(folder).flatMap((name) => {
    const agentId = pattern.exec(name)?.[1];
    return agentId === undefined ? [] : [{ agentId, path: join(folder, name) }];
  });
}

const FOLDER = 'agents';

/** Names in a folder; none if the folder is missing. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return [];
    throw error;
  }
}
