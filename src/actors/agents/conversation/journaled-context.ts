import { hash } from 'node:crypto';
import type { AgentContext, AgentEvent } from '../../../core/agents/agent-context.js';
import type { Envelope } from '../../../core/events.js';
import type { AgentId } from '../../../core/ids.js';
import { IDLE_STEP, type AgentEntry } from '../../../journal/entries/agent-entries.js';
import type { Journal } from '../../../journal/journal.js';
import type { TimeSource } from '../../services/timers.js';
import type { Mailbox } from '../../mail/mailbox.js';
import { createRecordedSteps } from './recorded-steps.js';

/**
 * The step context of one agent, over its JSONL journal. Steps that an earlier run has finished return what its entries
 * say, until the first one that has no result.
 */
export function createJournaledContext({
  id,
  journal,
  inbox,
  timers,
  signal,
  emit,
  entries = [],
  run: label = '',
}: {
  id: AgentId;
  journal: Journal;
  inbox: Mailbox;
  timers: TimeSource;
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  entries?: readonly AgentEntry[];
  /** Distinguishes the uuids of this run from those of earlier runs that this one does not repeat. */
  run?: string;
}): AgentContext {
  const file = journal.agentFile(id);
  const recorded = createRecordedSteps(entries);
  let newest = entries.at(-1)?.timestamp ?? timers.now();
  const uuidStem = toUuidStem(`${id}${label}`);
  let uuids = 0;

  const append = (fields: { readonly type: string; readonly [key: string]: unknown }): void => {
    newest = journal.append(file, fields);
  };
  /** The same step of the earlier run wrote the result. */
  const recall = <T>(name: string): T => recorded.recall(name) as T;

  return {
    id,
    signal,
    isDone: recorded.isDone,
    isBegun: recorded.isBegun,
    async step(name, run, options) {
      if (recorded.isDone(name)) return recall(name);
      if (!options.isHarmless) {
        if (recorded.settleBegun(name)) {
          append({ type: 'step.done', key: name, result: options.unknownOutcome });
          return options.unknownOutcome;
        }
        append({ type: 'step.begun', key: name, note: options.note });
        journal.flushSoon(file);
      }
      const result = await run({ signal, key: name });
      append({ type: 'step.done', key: name, result });
      return result;
    },
    record(name, result) {
      if (recorded.isDone(name)) return recall(name);
      append({ type: 'step.done', key: name, result });
      return result;
    },
    receive(name, amend) {
      if (recorded.isDone(name)) return recall<readonly Envelope[]>(name);
      const taken = inbox.take();
      const envelopes = amend === undefined ? taken : taken.map(amend);
      append({ type: 'step.done', key: name, result: envelopes });
      return envelopes;
    },
    journalIdle() {
      if (recorded.isDone(IDLE_STEP)) recall(IDLE_STEP);
      else append({ type: 'step.done', key: IDLE_STEP, result: null });
    },
    emit(event) {
      if (recorded.isOver()) emit(event);
    },
    now: () => newest,
    uuid() {
      uuids += 1;
      return `${uuidStem}-${uuids.toString(16).padStart(12, '0')}`;
    },
  };
}

/** A version 8 UUID (for custom bits) without the last twelve digits, which are a counter. */
function toUuidStem(id: string): string {
  const hex = hash('sha256', id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
}
