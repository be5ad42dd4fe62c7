import { TaskFailedError, UnknownRecipientError } from '../core/errors.js';
import type { AgentId, TaskId } from '../core/ids.js';
import { textBlock } from '../core/messages.js';
import type { TaskOutcome } from '../core/task-types.js';
import { NO_USAGE } from '../core/usage.js';
import { readIfThere } from '../tools/shell/tail-file.js';
import type { TaskHandle } from './public-types.js';
import type { SessionRuntime } from './session-types.js';
import { backgroundTask, deliver, killTask } from './task-capabilities.js';
import { TaskKilledError } from './task-killed-error.js';
import type { TaskUsage } from './task-usage.js';

/** A handle reads everything off the session's board: it means the same for every kind of task. */
export function createTaskHandle(session: SessionRuntime, id: TaskId): TaskHandle {
  const { board } = session;
  const outcome = board.waitFor(id);
  return {
    id,
    outcome,
    agentId: session.agentOfTask(id),
    path: pathOf(session, id),
    get status() {
      return board.find(id)?.status ?? 'pending';
    },
    get result() {
      return outcome.then((ended) => resultOf(id, ended));
    },
    async send(text) {
      const agentId = session.agentOfTask(id);
      const agent = agentId === undefined ? undefined : session.agents.get(agentId);
      if (agent === undefined)
        throw new UnknownRecipientError(id, `${id} has ended or has no conversation`);
      await deliver(session, agent, 'message', 'user', [textBlock(text)]);
    },
    kill: (reason = 'killed by the program') => killTask(session, id, reason),
    usage: () => usageOf(session, session.agentOfTask(id)),
    background: async () => ((await backgroundTask(session, id)) ? [id] : []),
    async output({ from = 0 } = {}) {
      const file = board.find(id)?.outputFile ?? session.journal.pathOf(`output/${id}`);
      return readIfThere(file, from);
    },
  };
}

function usageOf({ shared: { ledger } }: SessionRuntime, agentId: AgentId | undefined): TaskUsage {
  if (agentId === undefined) return NO_TASK_USAGE;
  const budget = ledger.budget(agentId);
  return {
    total: ledger.subtree(agentId),
    own: ledger.own(agentId),
    byModel: ledger.subtreeByModel(agentId),
    ...(budget === undefined ? {} : { budget }),
  };
}

/** A command asks no model. */
const NOTHING = { usage: NO_USAGE, costUsd: 0, calls: 0 };
const NO_TASK_USAGE: TaskUsage = { total: NOTHING, own: NOTHING, byModel: new Map() };

function resultOf(id: TaskId, outcome: TaskOutcome): unknown {
  switch (outcome.status) {
    case 'completed':
      return outcome.result;
    case 'failed':
      throw new TaskFailedError(outcome.failure);
    case 'killed':
      throw new TaskKilledError(id, outcome.reason);
  }
  return outcome satisfies never;
}

function pathOf({ board }: SessionRuntime, id: TaskId): readonly TaskId[] {
  const path: TaskId[] = [];
  for (let task = board.find(id); task !== undefined; task = board.find(task.parentId ?? ''))
    path.unshift(task.id);
  return path;
}
