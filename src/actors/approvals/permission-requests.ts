import type { LiveTasks, TaskLookup } from '../tasks/task-registry.js';
import { isRunning } from '../tasks/task-activity.js';
import type { PermissionRequestEnd } from '../contract/permission-request-over-error.js';
import type { AnyActorRef } from 'xstate';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { messageOf, UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import type { PermissionKept } from '../../core/permission-kept.js';
import { RequestId, type TaskId } from '../../core/ids.js';
import { PermissionAnswer } from '../../core/decision-types.js';
import { toPlainJson } from '../../core/json/plain-json.js';
import type { Answered } from '../../machines/approval/permission-request.js';
import { createApprovers, type Approvers } from './approvers.js';
import { checkUpdates, type RequestOwners } from './request-owners.js';
import { createDecisions, type Decisions } from './decisions.js';
import { evaluateRequest, refusedUnasked, runChecks } from './evaluate-request.js';
import { createPendingRequests, type PendingRequests } from './pending-requests.js';
import type { AutomatedChecks } from './automated-checks.js';
import type { PermissionWriter } from './permission-writer.js';
import type { Approvals } from '../contract/approvals.js';
import type { TimeSource } from '../services/timers.js';

/** The effects of the permission desk, and its interface for approvers. */
export interface PermissionRequests extends Approvals {
  /** The names that the approvers of a request sign with. */
  approvers(requestId: string): readonly string[];
  evaluate(ask: AnyActorRef, requestId: RequestId): void;
  /** Show a request again, with the news of a check beside it. */
  republish(request: PermissionRequest): void;
  present(requestId: RequestId): void;
  /** Withdraw a request that needs no decision any more. @param by who decided; undefined if nobody did */
  withdraw(requestId: RequestId, by: string | undefined): void;
  persist(ask: AnyActorRef, requestId: RequestId, answered: Answered): void;
  reply(answerId: string, receipt: AnswerReceipt): void;
}

type RequestServices = {
  readonly root: () => AnyActorRef;
  readonly sessionOfTask: (id: TaskId) => RequestOwners | undefined;
  readonly timers: TimeSource;
  readonly permissionWriter: PermissionWriter;
};

export function createPermissionRequests({
  root,
  sessionOfTask,
  timers,
  permissionWriter,
}: RequestServices): PermissionRequests {
  const pending = createPendingRequests(root, sessionOfTask);
  const { find, sessionOf } = pending;
  const decisions = createDecisions(root, timers.now);
  const approvers = createApprovers(pending, decisions);
  return {
    approvers(requestId) {
      const request = find(RequestId.parse(requestId));
      return request === undefined ? [] : approvers.names(request.kind);
    },
    list: pending.list,
    async decide(requestId, answer, by = 'person') {
      const decision = readAnswer(answer);
      const id = RequestId.safeParse(requestId);
      if (!id.success) return { status: 'unknown' };
      const session = sessionOf(id.data);
      checkUpdates(session, decision);
      const kept: PermissionKept[] = [];
      const note = (one: PermissionKept): void => {
        if (one.requestId === id.data) kept.push(one);
      };
      session?.bus.on('permission.kept', note);
      try {
        const receipt = await decisions.send(id.data, { by, answer: decision });
        if (receipt.status !== 'accepted') return receipt;
        await permissionWriter.settled();
        return kept.length === 0 ? receipt : { ...receipt, kept };
      } finally {
        session?.bus.off('permission.kept', note);
      }
    },
    onRequest: (handler, { by = 'person', ...only } = {}) =>
      approvers.attach(handler, { by, ...only }),
    evaluate: createEvaluation({ root, timers, pending, decisions, approvers }),
    republish(request) {
      sessionOf(request.requestId)?.bus.emit('permission.updated', request);
    },
    present(requestId) {
      const request = find(requestId);
      if (request === undefined) return;
      sessionOf(requestId)?.bus.emit('permission.requested', request);
      approvers.show(request);
    },
    withdraw(requestId, by) {
      const session = sessionOf(requestId);
      const request = find(requestId);
      if (by !== undefined) approvers.withdraw(requestId, { status: 'answered', by });
      else if (session === undefined || request === undefined)
        approvers.withdraw(requestId, { status: 'ended' });
      else approvers.withdraw(requestId, endOfUndecided(session.tasks, request.taskId));
      session?.bus.emit('permission.withdrawn', requestId, by);
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
      const isManaged = session?.permissions.get().allowsManagedRulesOnly === true;
      const lasting = isManaged ? updates.filter((update) => !('rules' in update)) : updates;
      const writing = session && permissionWriter.keep(lasting, requestId, session);
      if (writing === undefined) goOn();
      else void writing.finally(goOn);
    },
    reply: decisions.receive,
  };
}

/** Decide a new request, or show it to people; checks may run before or beside them. */
function createEvaluation({
  root,
  timers,
  pending,
  decisions,
  approvers,
}: Pick<RequestServices, 'root' | 'timers'> & {
  readonly pending: PendingRequests;
  readonly decisions: Decisions;
  readonly approvers: Approvers;
}): PermissionRequests['evaluate'] {
  const checkBeside = async (
    request: PermissionRequest,
    session: RequestOwners,
    checks: AutomatedChecks,
    signal: AbortSignal,
  ): Promise<void> => {
    const { requestId } = request;
    const decision = await runChecks(checks, 'together', request, session, signal);
    if (decision !== undefined) await decisions.send(requestId, decision);
    else if (checks.classifier !== undefined && !signal.aborted)
      root().send({ type: 'permission.patch', requestId });
  };

  return (actor, requestId) => {
    const request = pending.find(requestId);
    const session = pending.sessionOf(requestId);
    const tell = (decision: Omit<Answered, 'at'> | undefined): void => {
      if (actor.getSnapshot().status !== 'active') return;
      const answered = decision && { ...decision, at: timers.now() };
      actor.send({ type: 'ask.evaluated', answered });
    };
    if (request === undefined || session === undefined) return tell(undefined);
    decisions.expect(requestId, session);
    const evaluation = evaluateRequest(request, session, approvers.has(request.kind));
    if (evaluation.next === 'decided') return tell(evaluation.decision);
    const { next, checks } = evaluation;
    if (checks === undefined) return tell(undefined);
    const over = new AbortController();
    const end = (): void =>
      over.abort(new DOMException('The permission request is over.', 'AbortError'));
    actor.subscribe({ complete: end, error: end });
    if (next === 'checkFirst')
      return void runChecks(checks, 'inOrder', request, session, over.signal).then((decision) =>
        tell(decision ?? refusedUnasked(request, session, approvers.has(request.kind))),
      );
    const { classifier } = checks;
    if (classifier !== undefined && request.pendingClassifierCheck === undefined)
      root().send({ type: 'permission.patch', requestId, pendingClassifierCheck: classifier });
    tell(undefined);
    void checkBeside(request, session, checks, over.signal);
  };
}

/** @throws UsageError */
function readAnswer(answer: unknown): PermissionAnswer {
  const refuse = (why: string): never => {
    throw new UsageError(`This is not a permission decision: ${withFullStop(why)}`);
  };
  let plain: unknown;
  try {
    plain = toPlainJson(answer);
  } catch (error) {
    return refuse(messageOf(error));
  }
  const { data, error } = PermissionAnswer.safeParse(plain);
  return data ?? refuse(describeRefusal(error, plain, quotedField('the answer')));
}

/** How a request ended without a decision: its task, or a parent, is ending; otherwise it was withdrawn. */
function endOfUndecided(tasks: TaskLookup & LiveTasks, taskId: TaskId): PermissionRequestEnd {
  for (let id: TaskId | undefined = taskId; id !== undefined; id = tasks.find(id)?.parentId)
    if (!isRunning(tasks, id)) return { status: 'ended' };
  return { status: 'withdrawn' };
}
