import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createAgentId, type AgentId, type SessionId } from '../../core/ids.js';
import { agentFileIn } from '../storage/agent-files.js';
import { readSession, type FoundSession, type SessionOrigin } from './find-session.js';

/**
 * Copy a session's journal to an existing folder. The copy is a separate session, and its main agent has a new ID. The
 * original may be in use; it does not change.
 *
 * @param copyAgent copies the file of the main agent
 * @throws UsageError, JournalDamagedError as `readSession`
 */
export function forkSession(
  from: FoundSession,
  { id, directory }: { readonly id: SessionId; readonly directory: string },
  copyAgent: (from: string, to: string) => void = copyFileSync,
): SessionOrigin {
  const isCopied = (path: string): boolean =>
    !/^(?:lock(?:\..*)?|tasks\.jsonl|triggers)$/.test(basename(path));
  cpSync(from.directory, directory, { recursive: true, filter: isCopied });
  // Last, so that it has every task that an agent's file names.
  const tasks = join(from.directory, 'tasks.jsonl');
  if (existsSync(tasks)) copyFileSync(tasks, join(directory, 'tasks.jsonl'));
  const origin = readSession({ id, directory });
  const [started] = origin.entries;
  const agentId = createAgentId(started?.type === 'agent.started' ? started.name : undefined);
  const fileOf = (agent: AgentId): string => agentFileIn(directory, agent);
  copyAgent(fileOf(origin.agentId), fileOf(agentId));
  return { ...origin, agentId };
}
