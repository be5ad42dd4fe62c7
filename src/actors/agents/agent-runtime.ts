import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import type { Envelope, TaskNotification, TeammateRested } from '../../core/events.js';
import type { TaskId } from '../../core/ids.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { notificationText } from '../../context/notification-text.js';
import { JournalWriteError } from '../../journal/journal-write-error.js';
import { stepKey } from '../../journal/step-key.js';
import type { Admission } from '../tasks/admission.js';
import { emitFrom } from '../services/event-bus.js';
import type { Mailroom } from './mailroom.js';
import type { TaskRecorder } from '../tasks/task-recorder.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import type { Timers } from '../services/timers.js';
import { tell, type AgentParts } from './agent-parts.js';
import { createCallRuns, type CallRuns } from './calls/call-runs.js';
import { createUseClassifier, type UseClassifier } from './permissions/classify-use.js';
import { createCompaction, type Compaction } from './conversation/compaction.js';
import { createConclusion } from './conclusion.js';
import { createPatience } from './patience.js';
import { createSampling, type Sampling } from './requests/sampling.js';
import type { SamplingServices } from './requests/sampling-services.js';
import { createToolCalls, type ToolCalls, type ToolCallServices } from './calls/tool-calls.js';

/** One live agent's effects: what its machine asks for by name. */
export interface AgentRuntime {
  readonly parts: AgentParts;
  readonly sampling: Sampling;
  readonly calls: ToolCalls;
  readonly runs: CallRuns;
  readonly classifier: UseClassifier;
  readonly compaction: Compaction;
  /** Its first request waits until they have connected or failed. */
  readonly waitsForServers: boolean;
  /** Resolves when they have, or when it is told to stop. */
  waitForServers(): Promise<void>;
  prepare(agent: AnyActorRef, turn: number): Promise<void>;
  /** Looks whether it may rest, and tells it. */
  conclude(
    agent: AnyActorRef,
    question: { readonly turn: number; readonly isCut: boolean },
  ): Promise<void>;
  /** Stops whatever it does towards its next reply. */
  abortSampling(): void;
  acceptNotification(notification: TaskNotification): void;
  acceptIdleNotice(notice: TeammateRested): void;
  publishResult(toolUseId: string): void;
  publishRest(rest: WorkOutcome): void;
  tearOff(): void;
}

export type AgentServices = SamplingServices &
  ToolCallServices & {
    readonly tasks: Pick<TaskRegistry, 'find'>;
    readonly recorder: Pick<TaskRecorder, 'notified'>;
    readonly mail: Pick<Mailroom, 'accept'>;
    readonly timers: Timers;
    /** Where only so many agents may work at once. */
    readonly admission?: Admission | undefined;
    /** Of a teammate of its own that has nothing to do. */
    readonly idleNotice: (notice: TeammateRested) => Envelope;
    /** Resolves when it has the tools of servers that were starting when it was made; absent where it has all. */
    readonly equipped?: Promise<unknown> | undefined;
  };

export function createAgentRuntime(parts: AgentParts, services: AgentServices): AgentRuntime {
  const { admission, tasks, recorder, mail, timers } = services;
  const { conversation, door } = parts;
  const classifier = createUseClassifier(parts, services);
  const calls = createToolCalls(parts, { ...services, classifierName: classifier.name });
  const runs = createCallRuns(calls, timers.now);
  const sampling = createSampling(
    parts,
    services,
    async (block, turn) => {
      const use = await calls.admit(block, turn);
      runs.add(use.id);
      return use;
    },
    () => calls.denials.failure,
  );
  const compaction = createCompaction(parts, services);
  const patience = createPatience(services.equipped);
  let prepared = 0;

  const accept = (envelope: Envelope): void => mail.accept(parts, envelope);

  const publishRest = (rest: WorkOutcome): void => {
    unlessUnwritable(() => door.rest());
    conversation.rested();
    emitFrom(door, { type: 'agent.rest', args: [rest] });
  };

  return {
    parts,
    sampling,
    calls,
    runs,
    classifier,
    compaction,
    get waitsForServers() {
      return patience.isWaiting;
    },
    waitForServers: patience.wait,
    conclude: createConclusion(parts, { accept, timers }).conclude,
    abortSampling() {
      patience.stop();
      admission?.giveUp(parts.taskId);
      sampling.abort();
      compaction.abort();
    },
    async prepare(agent, turn) {
      await patience.wait();
      if (agent.getSnapshot().context.stopping === undefined) await admission?.pass(parts.taskId);
      if ((prepared += 1) % TURNS_IN_A_ROW === 0) await setImmediate();
      if (conversation.isPaused)
        return tell(agent, { type: 'prepared', drained: 0, hasContent: true });
      const received = door.receive(stepKey.inbox(turn));
      conversation.addTurn(received);
      if (received.some(({ kind }) => kind === 'prompt')) {
        sampling.useOwnModel();
        calls.beginPrompt();
      }
      for (const { id, kind, content, uuid } of received) {
        if (kind === 'notification') recorder.notified(id as TaskId); // a notification has its task's id
        const message = { role: 'user', content: content as never } as const; // put in as user blocks
        const own = door.uuid();
        const meta = { uuid: uuid ?? own, mail: kind };
        emitFrom(door, { type: 'agent.message', args: [message, meta] });
      }
      if (parts.asksNoModel && received.length > 0)
        publishRest({ status: 'completed', result: '' });
      const isUnanswered = !parts.asksNoModel && conversation.isUnanswered;
      tell(agent, {
        type: 'prepared',
        drained: received.length,
        hasContent: isUnanswered,
        isShort: compaction.isDue(turn),
      });
    },
    acceptNotification(notification) {
      const { id } = notification;
      const task = tasks.find(id);
      const { description = '', outputFile = '', worktree } = task ?? {};
      const text = notificationText(notification, { description, outputFile, worktree });
      const content = [{ type: 'text' as const, text }];
      const at = timers.now();
      unlessUnwritable(() => accept({ id, seq: 0, kind: 'notification', from: id, content, at }));
    },
    acceptIdleNotice: (notice) => unlessUnwritable(() => accept(services.idleNotice(notice))),
    publishResult(toolUseId) {
      runs.forget(toolUseId);
      const result = conversation.result(toolUseId);
      if (result === undefined || calls.isRepeated(toolUseId)) return;
      const message = { role: 'user', content: [result] } as const;
      emitFrom(door, { type: 'agent.message', args: [message, { uuid: door.uuid() }] });
    },
    publishRest,
    tearOff() {
      parts.abort.abort(new DOMException('The agent was torn off.', 'AbortError'));
      patience.stop();
      sampling.abort();
      compaction.abort();
      calls.abortAll('killed');
    },
  };
}

/** Runs inside a transition, which cannot fail: a journal that takes no line ends the session by itself. */
function unlessUnwritable(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
  }
}

/**
 * Where neither its model nor its tools ever wait, so many turns follow each other before the process looks at anything
 * else: a signal, a timer, a socket.
 */
const TURNS_IN_A_ROW = 10;
