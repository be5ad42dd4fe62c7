import { createHash } from 'node:crypto';
import type { AgentContext, AgentEvent } from '../../core/agent-context.js';
import type { Envelope } from '../../core/events.js';
import type { AgentId } from '../../core/ids.js';
import type { AgentEntry } from '../../journal/agent-entries.js';
import type { Journal } from '../../journal/journal.js';
import type { Timers } from '../timers.js';
import type { Inbox } from './inbox.js';

/**
 * The embedded door: one agent's steps over its JSONL journal. Given the entries of an earlier run, finished steps
 * answer from them, in memory, until the first one that has no result.
 */
export function createJournaledContext({
  id,
  journal,
  inbox,
  timers,
  signal,
  emit,
  entries = [],
}: {
  id: AgentId;
  journal: Journal;
  inbox: Inbox;
  timers: Timers;
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  entries?: readonly AgentEntry[];
}): AgentContext {
  const file = `agents/${id}.jsonl` as const;
  const done = new Map<string, unknown>();
  const begun = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'step.begun') begun.add(entry.key);
    if (entry.type === 'step.done') done.set(entry.key, entry.result);
  }
  /** Steps of the earlier run that were not asked for yet. */
  let left = done.size;
  let newest = entries.at(-1)?.timestamp ?? timers.now();
  const uuidStem = toUuidStem(id);
  let uuids = 0;

  const append = (fields: { readonly type: string; readonly [key: string]: unknown }): void => {
    newest = journal.append(file, fields);
  };
  const recall = <T>(name: string): T => {
    left -= 1;
    return done.get(name) as T; // written by the same step of an earlier run
  };

  return {
    id,
    signal,
    isDone: (name) => done.has(name),
    async step(name, run, options) {
      if (done.has(name)) return recall(name);
      if (!options.isHarmless) {
        if (begun.has(name)) {
          append({ type: 'step.done', key: name, result: options.unknownOutcome });
          return options.unknownOutcome;
        }
        append({ type: 'step.begun', key: name, note: options.note });
      }
      const result = await run({ signal, key: name });
      append({ type: 'step.done', key: name, result });
      return result;
    },
    async receive(name, { timeoutMs } = {}) {
      if (done.has(name)) return recall<readonly Envelope[]>(name);
      if (left > 0) return []; // later steps have happened: nothing had come
      if (timeoutMs !== undefined) await arrivalWithin(timeoutMs);
      const envelopes = inbox.take();
      if (envelopes.length > 0) append({ type: 'step.done', key: name, result: envelopes });
      return envelopes;
    },
    emit(event) {
      if (left === 0) emit(event);
    },
    now: () => newest,
    uuid() {
      uuids += 1;
      return `${uuidStem}-${uuids.toString(16).padStart(12, '0')}`;
    },
  };

  async function arrivalWithin(timeoutMs: number): Promise<void> {
    const controller = new AbortController();
    const expiry = timers.after(timeoutMs, () => controller.abort());
    try {
      await inbox.arrival(AbortSignal.any([signal, controller.signal]));
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      expiry();
    }
  }
}

/** All of a version 8 UUID (one whose bits are its maker's own) but the last twelve digits, which count. */
function toUuidStem(id: AgentId): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
}
