import type { AnyActorRef } from 'xstate';
import type { Envelope, TaskNotification, TeammateIdle } from '../../../core/events.js';
import type { WorkOutcome } from '../../../core/task-types.js';
import { notificationText } from '../../../context/notification-text.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import { emitFrom } from '../../services/event-bus.js';
import type { TimeSource } from '../../services/timers.js';
import type { SessionHooks } from '../../hooks/session-hooks.js';
import type { Admission } from '../../tasks/admission.js';
import type { TaskRecorder } from '../../tasks/task-recorder.js';
import type { TaskLookup } from '../../tasks/task-registry.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { createToolCaller, type CallerServices, type ToolCaller } from './tool-caller.js';
import { createResultBudget } from '../calls/result-budget.js';
import { createConclusion, type StopQuestion } from './conclusion.js';
import type { MemberOf } from './end-hooks.js';
import { createTurnHooks, type TurnHooks } from './turn-hooks.js';
import { createCompaction, type Compaction } from '../compaction/compaction.js';
import type { Mailroom } from '../../mail/mailroom.js';
import { createSampling, type Sampling } from '../requests/sampling.js';
import { createTurnPreparation } from './turn-preparation.js';

/** The effects of one live agent, by the names that its machine uses. */
export interface AgentRuntime extends ToolCaller {
  readonly parts: AgentParts;
  readonly sampling: Sampling;
  readonly compaction: Compaction;
  readonly turnHooks: TurnHooks;
  /** Take the agent's messages into its conversation, and tell the agent whether its model has something to answer. */
  prepare(agent: AnyActorRef, turn: number): Promise<void>;
  /** Run the stop check before the agent goes idle, and send it the outcome. */
  conclude(agent: AnyActorRef, question: StopQuestion): Promise<void>;
  /** Abort the agent's work on its next reply. */
  abortSampling(): void;
  acceptNotification(notification: TaskNotification): void;
  acceptIdleNotice(notice: TeammateIdle): void;
  publishTurnOutcome(turnOutcome: WorkOutcome): void;
}

export type AgentServices = CallerServices & {
  readonly hooks?: SessionHooks | undefined;
  readonly tasks: Pick<TaskLookup, 'find'>;
  readonly recorder: Pick<TaskRecorder, 'notified'>;
  readonly mail: Pick<Mailroom, 'accept'>;
  readonly timers: TimeSource;
  /** Limits the number of agents that work at once; absent without a limit. */
  readonly admission?: Admission | undefined;
  readonly memberOf: MemberOf;
  /** The message for the lead about an idle teammate. */
  readonly idleNotice: (notice: TeammateIdle) => Envelope;
};

export function createAgentRuntime(parts: AgentParts, services: AgentServices): AgentRuntime {
  const { admission, tasks, recorder, mail, timers, idleNotice } = services;
  const { conversation, stepContext } = parts;
  const caller = createToolCaller(parts, services);
  const { calls, servers, admit } = caller;
  const turnHooks = createTurnHooks(parts, services.hooks, services.memberOf);
  const sampling = createSampling(parts, services, admit, {
    whyNot: () => calls.denials.failure(),
    afterFailure: turnHooks.afterFailure,
  });
  const compaction = createCompaction(parts, services);

  const accept = (envelope: Envelope): void => mail.accept(parts, envelope);

  const publishTurnOutcome = (turnOutcome: WorkOutcome): void => {
    unlessUnwritable(() => stepContext.journalIdle());
    conversation.becameIdle();
    emitFrom(stepContext, { type: 'agent.idle', args: [turnOutcome] });
  };

  const abortRequests = (): void => {
    servers.stop();
    sampling.abort();
    compaction.abort();
    turnHooks.abort();
  };

  return {
    ...caller,
    parts,
    sampling,
    compaction,
    turnHooks,
    prepare: createTurnPreparation(parts, {
      waitForServers: servers.wait,
      catchUp: services.catchUp,
      admission,
      recorder,
      onPrompt(ids) {
        parts.activeSkills.beginPrompt(ids);
        sampling.useOwnModel();
        calls.beginPrompt();
      },
      onRead: () => publishTurnOutcome({ status: 'completed', result: '' }),
      keepResultBudget: createResultBudget(parts, services.journal, compaction.windowNow),
      isWindowShort: compaction.isDue,
      admit: () => admitWith(parts, turnHooks),
      afterBatch: turnHooks.afterBatch,
      accept,
    }),
    conclude: createConclusion(parts, { accept, timers, turnHooks }).conclude,
    abortSampling() {
      admission?.giveUp(parts.taskId);
      abortRequests();
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
    acceptIdleNotice: (notice) => unlessUnwritable(() => accept(idleNotice(notice))),
    publishTurnOutcome,
    tearOff() {
      caller.tearOff();
      abortRequests();
    },
  };
}

/** Run inside a transition, which cannot fail: a journal that cannot be written ends the session by itself. */
function unlessUnwritable(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
  }
}

/** A session without servers has no resources that a prompt could name. */
async function admitWith(parts: AgentParts, hooks: TurnHooks): ReturnType<TurnHooks['admit']> {
  const { conversation, opening } = parts;
  let amend = await hooks.admit();
  if (opening !== undefined && conversation.messages().length === 0) {
    const { withOpening } = await import('./opening.js');
    amend = await withOpening(parts, opening, amend);
  }
  if (parts.toolContext.session.mcp === undefined) return amend;
  const { withMentions } = await import('./mentions.js');
  return withMentions(parts, amend);
}
