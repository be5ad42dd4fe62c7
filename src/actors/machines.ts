import { sendParent, sendTo, type AnyActorLogic, type AnyActorRef } from 'xstate';
import type { Hop, TaskInput } from '../core/events.js';
import type { AgentId } from '../core/ids.js';
import { agentMachine } from '../machines/agent.js';
import { lazyLogic } from '../machines/lazy-logic.js';
import { orchestratorMachine } from '../machines/orchestrator.js';
import { permissionDeskMachine } from '../machines/permission-desk.js';
import { permissionRequestMachine } from '../machines/permission-request.js';
import { taskMachine, type TaskContext } from '../machines/task.js';
import { toolCallMachine } from '../machines/tool-call.js';
import { toFailure } from '../core/errors.js';
import { tell } from './agent/agent-parts.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { Asks } from './asks.js';
import type { SessionRuntime } from './session-runtime.js';
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
  /** A machine has no clock: the hop that it added is stamped on the way out. */
  const stamp = <M extends object>(message: M): M => {
    if (!('path' in message) || !('suggestions' in message)) return message;
    const path = message.path as readonly Hop[]; // a permission request's
    const own = path.at(-1);
    if (own === undefined || own.verdict === 'asked') return message;
    return { ...message, path: [...path.slice(0, -1), { ...own, at: timers.now() }] };
  };

  const toolCall = toolCallMachine.provide({
    actions: {
      validate: ({ context, self }, { id }) =>
        watch(parentOf(self), callsOf(context).validate(self, id)),
      decide: ({ context, self }, { id }) =>
        watch(parentOf(self), callsOf(context).decide(self, id)),
      applyAnswer: ({ context, self }, decided) =>
        watch(parentOf(self), callsOf(context).applyAnswer(self, context.id, decided)),
      execute: ({ context, self }, { id }) =>
        watch(parentOf(self), callsOf(context).execute(self, id)),
      abort: ({ context }, { id, reason }) => callsOf(context).abort(id, reason),
      recordCancelled: ({ context, self }, { id, reason }) =>
        watch(parentOf(self), callsOf(context).recordCancelled(self, id, reason)),
    },
  });
  const callsOf = ({ agentId }: { agentId: string }) => agent(agentId as AgentId).calls; // spawned by its agent

  const agentWork = agentMachine.provide({
    actors: { toolCall },
    actions: {
      tellParent: sendParent((_, message) => stamp(message)),
      prepare: ({ self }, { agentId, turn }) => watch(self, agent(agentId).prepare(self, turn)),
      sample: ({ self }, { agentId, turn }) => void agent(agentId).sampling.sample(self, turn),
      abortSampling: (_, { agentId }) => agent(agentId).sampling.abort(),
      publishResult: (_, { agentId, id }) => agent(agentId).publishResult(id),
      acceptNotification: (_, { agentId, notification }) =>
        agent(agentId).acceptNotification(notification),
      publishRest: (_, { agentId, rest }) => agent(agentId).publishRest(rest),
      tearOff: (_, { agentId }) => agent(agentId).tearOff(),
    },
  });

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

/** An effect that crashes ends its agent: never in silence, and never with the process. */
function watch(agent: AnyActorRef, effect: Promise<void>): void {
  effect.catch((error: unknown) =>
    tell(agent, { type: 'effect.failed', failure: toFailure(error) }),
  );
}

function parentOf(call: AnyActorRef): AnyActorRef {
  return call._parent as AnyActorRef; // a tool call is always its agent's child
}

/** An agent is the work of a task: its input is the task's own, with what the kind needs in `spec`. */
function toAgentInput(input: unknown): unknown {
  const { id, agentId, spec } = input as TaskContext; // the task machine invokes its work with its context
  return { taskId: id, agentId, ...(spec as object) };
}
