import type { AnyActorRef } from 'xstate';
import type { Settings } from './options/settings.js';
import { z } from 'zod';
import type { AnswerReceipt } from '../core/answer-receipt.js';
import { messageOf, toReadable, UsageError } from '../core/errors.js';
import type { PermissionRequest } from '../core/events.js';
import { RequestId, type TaskId } from '../core/ids.js';
import { toPlainJson } from '../core/plain-json.js';
import { PermissionAnswer, type PermissionDecisionReason } from '../core/permission-types.js';
import { decide } from '../permissions/decide.js';
import type { ToolFacts } from '../permissions/facts.js';
import type { PermissionDeskContext } from '../machines/permission-desk.js';
import type { Answered } from '../machines/permission-request.js';
import {
  automatedChecks,
  judgingContext,
  type AutomatedChecks,
  type CheckOwners,
} from './automated-checks.js';
import { endOfUndecided } from './end-of-undecided.js';
import {
  PermissionRequestOverError,
  type PermissionRequestEnd,
} from './permission-request-over-error.js';
import type { KeepOwners, PermissionKeeper } from './keep-permissions.js';
import type { Approvals, AskHandler } from './public-types.js';
import type { TaskRegistry } from './tasks/task-registry.js';
import type { Timers } from './timers.js';
import { unanswerable } from './unanswerable.js';

/** The effects of the permission desk, and the door through which answerers reach it. */
export interface Asks extends Approvals {
  /** By what names the attached answerers sign. */
  answerers(): readonly string[];
  evaluate(ask: AnyActorRef, requestId: RequestId): void;
  /** A check beside it has news. */
  republish(request: PermissionRequest): void;
  present(requestId: RequestId): void;
  /** The request needs no decision any more. @param by who has decided; undefined if nobody has */
  withdraw(requestId: RequestId, by: string | undefined): void;
  persist(ask: AnyActorRef, requestId: RequestId, answered: Answered): void;
  reply(answerId: string, receipt: AnswerReceipt): void;
}

/** What the permission requests of one session are decided with. */
export type AskOwners = CheckOwners &
  KeepOwners & {
    readonly settings: Pick<Settings, 'requireCanUseTool'>;
    readonly tasks: TaskRegistry;
  };

const ASKERS_KEPT = 1_000;

export function createAsks({
  root,
  sessionOfTask,
  timers,
  keeper,
}: {
  root: () => AnyActorRef;
  sessionOfTask: (id: TaskId) => AskOwners | undefined;
  timers: Timers;
  keeper: PermissionKeeper;
}): Asks {
  const handlers = new Map<AskHandler, string>();
  const shown = new Map<RequestId, AbortController>();
  const replies = new Map<string, (receipt: AnswerReceipt) => void>();
  /** Whose audit a late answer belongs to: the newest asks only. */
  const askers = new Map<RequestId, AskOwners>();
  let answers = 0;

  const desk = (): PermissionDeskContext =>
    root().system.get('desk').getSnapshot().context as PermissionDeskContext; // invoked for life
  const find = (id: RequestId): PermissionRequest | undefined => desk().asks[id];
  const sessionOf = (id: RequestId): AskOwners | undefined => {
    const request = find(id);
    return request === undefined ? undefined : sessionOfTask(request.taskId);
  };

  const decideAsk = (
    requestId: RequestId,
    answer: PermissionAnswer,
    by: string,
    reason?: PermissionDecisionReason,
  ) => {
    const answerId = String((answers += 1));
    return new Promise<AnswerReceipt>((resolve) => {
      replies.set(answerId, (receipt) => {
        if (receipt.status !== 'accepted')
          askers.get(requestId)?.audit.late(requestId, by, receipt);
        resolve(receipt);
      });
      const answered = {
        by,
        answer,
        at: timers.now(),
        ...(reason === undefined ? {} : { reason }),
      };
      root().send({ type: 'desk.answer', requestId, answerId, answered });
    });
  };

  const ask = async (
    handler: AskHandler,
    by: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<void> => {
    let answer: PermissionAnswer | undefined;
    try {
      const said: unknown = await handler(request, { signal });
      if (said === undefined) return; // it leaves the answer to others
      const parsed = PermissionAnswer.parse(toPlainJson(said));
      checkUpdates(request.requestId, parsed);
      answer = parsed;
    } catch (error) {
      if (signal.aborted) return;
      const message = `Permission to use ${request.toolName} was not given: whoever was asked (${by}) failed to answer. ${whyFailed(error)}`;
      await decideAsk(request.requestId, { behavior: 'deny', message }, 'desk');
    }
    if (answer !== undefined) await decideAsk(request.requestId, answer, by);
  };

  /** @throws PermissionModeUnavailableError before anything is decided */
  const checkUpdates = (id: RequestId, answer: PermissionAnswer): void => {
    if (answer.behavior !== 'allow') return;
    sessionOf(id)?.permissions.check(answer.updatedPermissions ?? []);
  };

  return {
    answerers: () => [...handlers.values()],
    list: () => Object.values(desk().asks),
    async decide(requestId, answer, by = 'person') {
      const parsed = PermissionAnswer.safeParse(plainAnswer(answer));
      if (!parsed.success)
        throw new UsageError(`This is no answer to an ask: ${z.prettifyError(parsed.error)}`);
      const id = RequestId.safeParse(requestId);
      if (id.success) checkUpdates(id.data, parsed.data);
      return id.success ? decideAsk(id.data, parsed.data, by) : { status: 'unknown' };
    },
    onRequest(handler, { by = 'person' } = {}) {
      handlers.set(handler, by);
      for (const [id, controller] of shown) {
        const request = find(id);
        if (request !== undefined) void ask(handler, by, request, controller.signal);
      }
      return () => {
        handlers.delete(handler);
        if (handlers.size > 0) return;
        for (const id of shown.keys()) {
          const request = find(id);
          if (request !== undefined) void decideAsk(id, unanswerable(request), 'policy');
        }
      };
    },
    evaluate(actor, requestId) {
      const request = find(requestId);
      const session = sessionOf(requestId);
      if (session !== undefined) askers.set(requestId, session);
      if (askers.size > ASKERS_KEPT) askers.delete(askers.keys().next().value as RequestId);
      const tell = (answered: Answered | undefined): void => {
        if (actor.getSnapshot().status === 'active')
          actor.send({ type: 'ask.evaluated', answered });
      };
      if (request === undefined || session === undefined) return tell(undefined);
      const settled = settledAbove(request, session);
      const checks = settled === undefined ? automatedChecks(request, session) : undefined;
      if (checks === undefined) return tell(settled ?? nobodyToAsk(request, session));
      const over = new AbortController();
      const end = (): void => over.abort(new DOMException('The ask is over.', 'AbortError'));
      actor.subscribe({ complete: end, error: end });
      const { awaitAutomatedChecksBeforeDialog: isFirst } = judgingContext(session, request);
      if (isFirst === true || nobodyToAsk(request, session) !== undefined)
        return void runChecks(checks, 'inOrder', request, session, over.signal).then((answered) =>
          tell(answered ?? nobodyToAsk(request, session)),
        );
      const { classifier } = checks;
      if (classifier !== undefined && request.pendingClassifierCheck === undefined)
        root().send({ type: 'permission.patch', requestId, pendingClassifierCheck: classifier });
      tell(undefined);
      const racing = async (): Promise<void> => {
        const answered = await runChecks(checks, 'together', request, session, over.signal);
        if (answered !== undefined)
          await decideAsk(requestId, answered.answer, answered.by, answered.reason);
        else if (classifier !== undefined && !over.signal.aborted)
          root().send({ type: 'permission.patch', requestId });
      };
      void racing();
    },
    republish(request) {
      sessionOf(request.requestId)?.bus.emit('permission.updated', request);
    },
    present(requestId) {
      const request = find(requestId);
      if (request === undefined) return;
      const controller = new AbortController();
      shown.set(requestId, controller);
      sessionOf(requestId)?.bus.emit('permission.requested', request);
      for (const [handler, by] of handlers) void ask(handler, by, request, controller.signal);
    },
    withdraw(requestId, by) {
      const session = sessionOf(requestId);
      const request = find(requestId);
      const undecided = (): PermissionRequestEnd =>
        session === undefined || request === undefined
          ? { status: 'ended' }
          : endOfUndecided(session.tasks, request.taskId);
      const end = by === undefined ? undecided() : ({ status: 'answered', by } as const);
      shown.get(requestId)?.abort(new PermissionRequestOverError(end));
      shown.delete(requestId);
      session?.bus.emit('permission.withdrawn', requestId);
    },
    persist(actor, requestId, { answer, by }) {
      const session = sessionOf(requestId);
      const updates = answer.behavior === 'allow' ? (answer.updatedPermissions ?? []) : [];
      session?.permissions.apply(updates);
      const goOn = (): void => {
        if (actor.getSnapshot().status !== 'active') return; // withdrawn while it was written
        const request = find(requestId);
        if (request !== undefined) session?.bus.emit('permission.decided', request, { answer, by });
        actor.send({ type: 'ask.persisted' });
      };
      const writing = session && keeper.keep(updates, requestId, session);
      if (writing === undefined) goOn();
      else void writing.finally(goOn);
    },
    reply(answerId, receipt) {
      replies.get(answerId)?.(receipt);
      replies.delete(answerId);
    },
  };

  /** An agent that judges nothing is judged by the rules of those above it. */
  function settledAbove(request: PermissionRequest, session: AskOwners): Answered | undefined {
    const own = session.agents.live.get(request.agentId)?.parts.permissionContext();
    if (own?.mode !== 'bubble') return undefined;
    const decision = decide(request.facts as ToolFacts, judgingContext(session, request)); // gathered by the asker
    const isAsked = decision.behavior === 'ask' || session.settings.requireCanUseTool;
    if (isAsked && decision.behavior !== 'deny') return undefined;
    const reason = decision.decisionReason;
    const answer: PermissionAnswer =
      decision.behavior === 'deny'
        ? { behavior: 'deny', message: decision.message }
        : { behavior: 'allow' };
    return { by: 'policy', answer, at: timers.now(), ...(reason === undefined ? {} : { reason }) };
  }

  function nobodyToAsk(request: PermissionRequest, session: AskOwners): Answered | undefined {
    const { shouldAvoidPermissionPrompts } = session.permissions.get();
    const own = session.agents.live.get(request.agentId)?.parts.permissionContext();
    const isAvoided = shouldAvoidPermissionPrompts ?? own?.shouldAvoidPermissionPrompts;
    if (handlers.size > 0 && isAvoided !== true) return undefined;
    return { by: 'policy', answer: unanswerable(request), at: timers.now() };
  }

  /** Never rejects: a check that fails leaves it to a person. */
  async function runChecks(
    checks: AutomatedChecks,
    order: 'together' | 'inOrder',
    { requestId }: PermissionRequest,
    session: AskOwners,
    signal: AbortSignal,
  ): Promise<Answered | undefined> {
    try {
      const found = await checks.run(order, signal);
      if (found === undefined || signal.aborted) return undefined;
      checkUpdates(requestId, found.answer);
      return { ...found, at: timers.now() };
    } catch (error) {
      if (!signal.aborted)
        session.journal.append('audit.jsonl', {
          type: 'permission.check.failed',
          requestId,
          message: messageOf(error),
        });
      return undefined;
    }
  }
}

function whyFailed(error: unknown): string {
  const thrown = toReadable(error);
  return thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
}

/** @throws UsageError */
function plainAnswer(answer: unknown): unknown {
  try {
    return toPlainJson(answer);
  } catch (error) {
    throw new UsageError(`This is no answer to a permission request: ${messageOf(error)}`);
  }
}
