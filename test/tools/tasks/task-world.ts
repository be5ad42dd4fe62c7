import { once } from 'node:events';
import { vi } from 'vitest';
import { UnknownRecipientError } from '../../../src/core/errors.js';
import { AgentId, TaskId } from '../../../src/core/ids.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../../../src/core/task-types.js';
import type { TypedMessage } from '../../../src/tools/capabilities/typed-message.js';
import type {
  SpawnRequest,
  TaskCapabilities,
} from '../../../src/tools/capabilities/task-capabilities.js';

type Entry = {
  readonly state: TaskStateBase;
  readonly output: string;
  readonly ended: Promise<TaskOutcome>;
  readonly settle: (outcome: TaskOutcome) => void;
  readonly backgrounded: Promise<ForegroundEnd>;
  readonly background: () => void;
};

/** Tasks that a test starts and ends by hand. Outputs are handed out four bytes at a time. */
export function createTaskWorld() {
  const entries = new Map<string, Entry>();
  const spawned: SpawnRequest[] = [];
  const kills: string[] = [];
  const taken = new Map<string, number>();
  const mail: {
    readonly to: string;
    readonly text: string | TypedMessage;
    readonly summary?: string;
  }[] = [];

  const add = (id: string, parts: Partial<TaskStateBase> & { readonly output?: string } = {}) => {
    const { output = '', ...rest } = parts;
    let resolve: (outcome: TaskOutcome) => void = () => undefined;
    const ended = new Promise<TaskOutcome>((done) => (resolve = done));
    let background: () => void = () => undefined;
    const backgrounded = new Promise<ForegroundEnd>((done) => {
      background = () => done({ status: 'backgrounded' });
    });
    const state: TaskStateBase = {
      id: TaskId.parse(id),
      type: id.startsWith('b') ? 'local_bash' : 'local_agent',
      status: 'running',
      description: `work of ${id}`,
      startTime: 1,
      outputFile: `/session/output/${id}`,
      outputOffset: 0,
      notified: false,
      ...rest,
    };
    const settle = (outcome: TaskOutcome) => {
      const entry = entries.get(id) as Entry; // added below, never removed
      if (entry.state.outcome !== undefined) return;
      const last = { ...entry.state, status: outcome.status, endTime: 4, outcome };
      entries.set(id, { ...entry, state: last });
      resolve(outcome);
    };
    entries.set(id, { state, output, ended, settle, backgrounded, background });
    if (state.outcome !== undefined) resolve(state.outcome);
    return state;
  };

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry === undefined) throw new Error(`the test has no task ${id}`);
    return entry;
  };

  const tasks: TaskCapabilities = {
    spawn(request) {
      const id = `a0000000${spawned.push(request)}`;
      const { outputFile } = add(id);
      return Promise.resolve({ id: TaskId.parse(id), agentId: AGENT_ID, outputFile });
    },
    find: (id) => entries.get(id)?.state,
    list: () => [...entries.values()].map(({ state }) => state),
    async waitFor(id, signal) {
      signal.throwIfAborted();
      const done = new AbortController();
      const aborted = once(signal, 'abort', { signal: done.signal }).then(() =>
        Promise.reject(signal.reason as Error),
      );
      aborted.catch(() => undefined); // lost the race
      try {
        return await Promise.race([entryOf(id).ended, aborted]);
      } finally {
        done.abort();
      }
    },
    waitInForeground: (id, signal) =>
      Promise.race([entryOf(id).backgrounded, tasks.waitFor(id, signal)]),
    kill(id, reason) {
      kills.push(`${id}: ${reason}`);
      entryOf(id).settle({ status: 'killed', reason });
      return entryOf(id).ended;
    },
    readOutput(id, from, maxBytes = 4) {
      const text = entryOf(id).output.slice(from, from + Math.min(maxBytes, 4));
      return Promise.resolve({ text, next: from + text.length });
    },
    takenOutput: (id) => taken.get(id) ?? 0,
    takeOutput: (id, next) => void taken.set(id, next),
    send(to, text, summary) {
      if (to !== 'helper' && to !== AGENT_ID) {
        throw new UnknownRecipientError(to, `nobody is called ${to}. There is: helper.`);
      }
      mail.push({ to, text, ...(summary !== undefined && { summary }) });
      return Promise.resolve([AGENT_ID]);
    },
  };
  return {
    tasks,
    add,
    background: (id: string) => entryOf(id).background(),
    settle: (id: string, outcome: TaskOutcome) => entryOf(id).settle(outcome),
    spawned,
    kills,
    mail,
  };
}

export const AGENT_ID = AgentId.parse('ahelper-0123456789abcdef');

/** The tasks, as soon as there is one. */
export async function untilListed({ list }: TaskCapabilities): Promise<readonly TaskStateBase[]> {
  return vi.waitUntil(() => (list().length > 0 ? list() : undefined), { interval: 1 });
}
