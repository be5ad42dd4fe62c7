import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Envelope } from '../../core/events.js';
import { listAgentFiles } from '../storage/agent-files.js';
import { AgentEntry } from '../entries/agent-entries.js';
import { JournalDamagedError, readAnyLines } from '../read-journal.js';
import { TaskEntry } from '../entries/task-entries.js';
import { requireText } from '../../core/text/require-text.js';

/**
 * The state of a message. `accepted`: on disk, and waiting. `delivered`: the recipient has taken it. `read`: the model
 * has answered a request that contained it. `dead`: the recipient has ended without taking it, and was not resumed.
 */
export type MailState = 'accepted' | 'delivered' | 'read' | 'dead';

/** One message of a session, without its text. */
export type MailItem = Pick<Envelope, 'id' | 'seq' | 'kind' | 'from' | 'at'> & {
  /** Agent ID of the recipient. */
  readonly to: string;
  /** The state of the message. */
  readonly state: MailState;
};

/** All messages of a session's agents, from their journals, in the order of sending. Unreadable lines are left out. */
export function readMail(directory: string): readonly MailItem[] {
  requireText('readMail: directory', directory);
  const lost = lostTasks(join(directory, 'tasks.jsonl'));
  return listAgentFiles(directory)
    .flatMap(({ agentId, path }) => {
      const lines = readAnyLines(path, AgentEntry);
      const entries = lines.filter((line) => !(line instanceof JournalDamagedError));
      return mailOf(agentId, entries as readonly AgentEntry[], lost); // filtered
    })
    .toSorted((a, b) => a.at - b.at || a.seq - b.seq);
}

/** The messages of one agent, in the order of arrival. */
function mailOf(
  to: string,
  entries: readonly AgentEntry[],
  lost: ReadonlySet<string>,
): readonly MailItem[] {
  const accepted: Envelope[] = [];
  let taken = 0;
  let read = 0;
  let hasEnded = false;
  for (const entry of entries) {
    if (entry.type === 'mail.accepted') accepted.push(entry.envelope);
    if (entry.type === 'agent.ended') hasEnded = true;
    if (entry.type === 'agent.started' || entry.type === 'agent.resumed')
      hasEnded = lost.has(entry.taskId);
    if (entry.type !== 'step.done') continue;
    if (entry.key.endsWith('/inbox') && Array.isArray(entry.result)) taken += entry.result.length;
    if (entry.key.endsWith('/model') && isAnswer(entry.result)) read = taken;
  }
  return accepted.map(({ id, seq, kind, from, at }, index) => ({
    id,
    seq,
    kind,
    from,
    to,
    at,
    state: index < read ? 'read' : index < taken ? 'delivered' : hasEnded ? 'dead' : 'accepted',
  }));
}

/** Tasks that ended with their process. */
function lostTasks(file: string): ReadonlySet<string> {
  const lines = existsSync(file) ? readAnyLines(file, TaskEntry) : [];
  return new Set(
    lines.flatMap((line) =>
      'id' in line && 'failure' in line && line.type === 'task.lost' ? [line.id] : [],
    ),
  );
}

/** Steps with text of the model. A request that was abandoned or has failed does not count as read. */
const Answer = z.lazy(() =>
  z.union([
    z.object({ failure: z.undefined().optional(), stopReason: z.string() }),
    z.object({
      failure: z.undefined().optional(),
      message: z.object({ content: z.array(z.unknown()).nonempty() }),
    }),
  ]),
);

function isAnswer(reply: unknown): boolean {
  return Answer.safeParse(reply).success;
}
