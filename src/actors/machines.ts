import { sendParent, sendTo, type AnyActorLogic, type AnyActorRef } from 'xstate';
import type { TaskInput } from '../core/events.js';
import type { AgentId } from '../core/ids.js';
import { lazyLogic } from '../machines/lazy-logic.js';
import { orchestratorMachine } from '../machines/orchestrator.js';
import { permissionDeskMachine } from '../machines/permission-desk.js';
import { permissionRequestMachine } from '../machines/permission-request.js';
import type { TaskContext } from '../machines/task-setup.js';
import { taskMachine } from '../machines/task.js';
import { createAgentLogic } from './agent/agent-logic.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { Asks } from './asks.js';
import type { SessionRuntime } from './session-types.js';
import { createStamp } from './stamp.js';
import { createBashWork } from './tasks/local-bash.js';
import type { Timers } from './timers.js';

/** What the machines need of the rest. Looked up by id, for events and contexts hold ids only. */
export type MachineEffects = {
  readonly timers: Timers;
  readonly graceMs: number;
  readonly asks: () => Asks;
  agent(id: AgentId): AgentRuntime;
  session(task: Pick<TaskInput, 'id'>): SessionRuntime;
};

/** All machines of one orchestrator with their effects: every `provide` happens here, once. @returns the root's logic */
export function provideMachines({ timers, graceMs, asks, agent, session }: MachineEffects) {
  const stamp = createStamp(timers);
  const agentWork = createAgentLogic({ timers, agent });

  const sweep = async (self: AnyActorRef, task: TaskContext): Promise<void> => {
    const { shared, journal } = session(task);
    await shared.keeper.sweep(task.id).catch((error: unknown) => {
      journal.append('tasks.jsonl', { type: 'sweep.failed', id: task.id, message: String(error) });
    });
    if (self.getSnapshot().status === 'active') self.send({ type: 'task.swept' });
  };

  const createTask = (work: AnyActorLogic): AnyActorLogic =>
    taskMachine.provide({
      actors: {
        work,
        local_agent: lazyLogic(() => localAgent),
        local_bash: lazyLogic(() => localBash),
      },
      actions: {
        tellParent: sendParent((_, message) => stamp(message)),
        refuse: ({ context }, { id, reason }) => session(context).board.refused(id, reason),
        sweep: ({ context, self }) => void sweep(self, context),
        armDeadline: ({ self }) => {
          timers.after(graceMs, () => {
            if (self.getSnapshot().status === 'active') self.send({ type: 'task.force' });
          });
        },
      },
    });

  const agentOfTask = lazyLogic(() => agentWork, toAgentInput);
  const localAgent = createTask(agentOfTask);
  const localBash = createTask(createBashWork((task) => session(task)));

  return orchestratorMachine.provide({
    actors: {
      session: createTask(agentOfTask),
      permissionDesk: permissionDeskMachine.provide({
        actors: {
          permissionRequest: permissionRequestMachine.provide({
            actions: {
              evaluate: ({ self }, { requestId }) => asks().evaluate(self, requestId),
              present: (_, { requestId }) => asks().present(requestId),
              withdraw: (_, { requestId }) => asks().withdraw(requestId),
              persist: ({ self }, { requestId, answered }) =>
                asks().persist(self, requestId, answered),
              reply: (_, { answerId, receipt }) => asks().reply(answerId, receipt),
            },
          }),
        },
        actions: { reply: (_, { answerId, receipt }) => asks().reply(answerId, receipt) },
      }),
    },
    actions: { tellDesk: sendTo('desk', (_, message) => stamp(message)) },
  });
}

/** An agent is the work of a task: its input is the task's own, with what the kind needs in `spec`. */
function toAgentInput(input: unknown): unknown {
  const { id, agentId, spec } = input as TaskContext; // the task machine invokes its work with its context
  return { taskId: id, agentId, ...(spec as object) };
}
