import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createAgentId, type AgentId, type SessionId } from '../../core/ids.js';
import { agentFileIn } from '../storage/agent-files.js';
import { readSession, type FoundSession, type SessionOrigin } from './find-session.js';

/**
 * Copies a session's journal to a folder that is there: from there it goes its own way, and its own agent has an id of
 * its own. The original may be in use; it is not touched.
 *
 * @throws UsageError, JournalDamagedError as `readSession`
 */
export function forkSession(
  from: FoundSession,
  { id, directory }: { readonly id: SessionId; readonly directory: string },
): SessionOrigin {
  const isCopied = (path: string): boolean =>
    !/^(?:lock(?:\..*)?|tasks\.jsonl|triggers)$/.test(basename(path));
  cpSync(from.directory, directory, { recursive: true, filter: isCopied });
  // last, so that every task which an agent speaks of is in it
  const tasks = join(from.directory, 'tasks.jsonl');
  if (existsSync(tasks)) copyFileSync(tasks, join(directory, 'tasks.jsonl'));
  const origin = readSession({ id, directory });
  const [started] = origin.entries;
  const agentId = createAgentId(started?.type === 'agent.started' ? started.name : undefined);
  const fileOf = (agent: AgentId): string => agentFileIn(directory, agent);
  copyFileSync(fileOf(origin.agentId), fileOf(agentId));
  return { ...origin, agentId };
}
