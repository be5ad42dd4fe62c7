import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CompactionOutcome } from '../../../../src/actors/agents/conversation/compaction-outcome.js';
import type { Reply } from '../../../../src/actors/agents/conversation/reply.js';
import { toFirstMessage } from '../../../../src/core/agents/compaction.js';
import type { Envelope } from '../../../../src/core/events.js';
import {
  toolUsesOf,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../../../src/core/messages.js';
import type { ModelCall } from '../../../../src/core/tasks/usage.js';
import { AgentEntry } from '../../../../src/journal/entries/agent-entries.js';
import { readWholeJournal } from '../../../../src/journal/read-journal.js';
import { textOf } from '../answers.js';

/** The events of one agent by its journal. */
export type AgentLife = {
  readonly id: string;
  readonly name: string | undefined;
  /** The mark that its first prompt begins with. */
  readonly mark: string;
  readonly turns: number;
  readonly uses: readonly ToolUseBlock[];
  /** All results that were journaled of each use, by its id. */
  readonly results: ReadonlyMap<string, readonly ToolResultBlock[]>;
  readonly accepted: readonly Envelope[];
  /** Mail that a turn took. */
  readonly taken: readonly Envelope[];
  readonly calls: readonly ModelCall[];
  /** First messages that its conversation was compacted to. */
  readonly boundaries: readonly unknown[];
};

const Line = z.looseObject({ type: z.string() });
export type TaskLine = z.infer<typeof Line>;

/** All files of a session, line by line. @throws JournalDamagedError if a line cannot be read or is missing */
export function readSoakJournal(session: string): {
  readonly lives: readonly AgentLife[];
  readonly tasks: readonly TaskLine[];
  readonly lines: number;
} {
  const files = readdirSync(session, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const isAgent = (name: string): boolean => name.startsWith('agent-');
  const counts = files.map((name) => readWholeJournal(join(session, name), Line).length);
  const agents = files
    .filter(isAgent)
    .map((name) => readWholeJournal(join(session, name), AgentEntry));
  const tasks = readWholeJournal(join(session, 'tasks.jsonl'), Line);
  // a process that is killed at this moment leaves the file of an agent that it has not started
  const started = new Set(tasks.map(({ agentId }) => agentId));
  return {
    lives: agents.map(toLife).filter(({ id }) => started.has(id)),
    tasks,
    lines: counts.reduce((sum, each) => sum + each, 0),
  };
}

function toLife(entries: readonly AgentEntry[]): AgentLife {
  const done = entries.filter((entry) => entry.type === 'step.done');
  const resultsOf = <T>(part: RegExp): readonly T[] =>
    done.flatMap(({ key, result }) => (part.test(key) ? [result as T] : [])); // as the steps of that name have them
  const replies = resultsOf<Reply>(/\/model$/);
  const compactions = resultsOf<CompactionOutcome>(/\/compact$/);
  const accepted = entries.flatMap((entry) =>
    entry.type === 'mail.accepted' ? [entry.envelope] : [],
  );
  const [first] = entries.filter((entry) => entry.type === 'agent.started');
  return {
    id: first?.agentId ?? '',
    name: first?.name,
    mark: /\[\[\w+\]\]/.exec(textOf(accepted[0]?.content))?.[0] ?? '',
    turns: replies.length,
    uses: replies.flatMap(({ message }) => toolUsesOf(message)),
    results: byId(resultsOf<ToolResultBlock>(/\/tool:[^/]+$/)),
    accepted,
    taken: resultsOf<readonly Envelope[]>(/\/inbox$/).flat(),
    calls: [...replies, ...compactions].flatMap(({ calls = [] }) => calls),
    boundaries: compactions.flatMap((one) => ('result' in one ? [toFirstMessage(one.result)] : [])),
  };
}

function byId(
  results: readonly ToolResultBlock[],
): ReadonlyMap<string, readonly ToolResultBlock[]> {
  const found = new Map<string, ToolResultBlock[]>();
  for (const result of results) {
    const { tool_use_id: id } = result;
    found.set(id, [...(found.get(id) ?? []), result]);
  }
  return found;
}
