import type { PermissionRequest } from '../../core/events.js';
import type { PermissionAnswer, PermissionDecisionReason } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { isClassifiable } from '../../permissions/classifiable.js';
import { decide } from '../../permissions/decide.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import type { JournalLines } from '../../journal/journal.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { PermissionState } from '../services/permission-state.js';

/** The services that check the permission requests of a session. */
export type CheckOwners = {
  readonly agents: LiveAgents;
  readonly permissions: PermissionState;
  readonly hooks: SessionHooks;
  readonly journal: JournalLines;
};

/** The decision of a check in a person's place. */
export type CheckAnswer = {
  readonly by: string;
  readonly answer: PermissionAnswer;
  readonly reason: PermissionDecisionReason;
};

/** The automated checks of a permission request, beside people: hooks, and in the mode `auto` the classifier. */
export interface AutomatedChecks {
  /** The name of the classifier that decides; undefined without one. */
  readonly classifier: string | undefined;
  /**
   * Resolve with the first decision, or with nothing if all checks leave it to a person.
   *
   * @param order `together`: the checks race. `inOrder`: the classifier decides only if the hooks do not.
   */
  run(order: 'together' | 'inOrder', signal: AbortSignal): Promise<CheckAnswer | undefined>;
}

/** @returns undefined if no check applies */
export function automatedChecks(
  request: PermissionRequest,
  session: CheckOwners,
): AutomatedChecks | undefined {
  const { agentId, toolName, toolUseId, requestId, suggestions } = request;
  const agent = session.agents.live.get(agentId);
  if (agent === undefined) return undefined;
  const facts = request.facts as ToolFacts; // the caller gathered them
  const contextNow = (): ToolPermissionContext => judgingContext(session, request);
  if (decide(facts, contextNow()).behavior === 'allow') return undefined; // the program wants to see every request
  const use = agent.calls.hookedUse(toolUseId);
  const isOwn = use?.call.toolName === toolName; // a call that runs may ask for more
  const hasHooks = isOwn && session.hooks.has('PermissionRequest', use);
  const isClassified = isClassifiable(facts, contextNow());
  if (!hasHooks && !isClassified) return undefined;

  const hooks = async (signal: AbortSignal): Promise<CheckAnswer | undefined> => {
    if (!hasHooks) return undefined;
    const { answerByHooks } = await import('../hooks/merge-hooks.js');
    const said = await answerByHooks(session.hooks, use, suggestions, signal);
    if (said === undefined) return undefined;
    const { answer, reason } = said;
    if (answer.behavior === 'allow') {
      const judged = decide(facts, contextNow(), { behavior: 'allow', reason });
      if (judged.behavior !== 'allow') return undefined; // a rule or a safety check asks for a person
    }
    const name = reason.type === 'hook' ? reason.hookName : '';
    return { by: `hook ${name}`, answer, reason };
  };

  const classify = async (signal: AbortSignal): Promise<CheckAnswer | undefined> => {
    if (!isClassified) return undefined;
    const { name: classifier } = agent.classifier;
    const turn = agent.calls.turnOf(toolUseId) ?? 0;
    const { behavior, reason: why } = await agent.classifier.classify(request, turn, signal);
    const line = { requestId, classifier, behavior, reason: why };
    session.journal.append('audit.jsonl', { type: 'permission.classified', ...line });
    if (behavior === 'ask') return undefined;
    const reason = { type: 'classifier', classifier, reason: why } as const;
    const message = `Permission to use ${toolName} was denied by the classifier ${classifier}: ${why} The user was not asked.`;
    const answer: PermissionAnswer =
      behavior === 'allow' ? { behavior } : { behavior: 'deny', message };
    return { by: 'classifier', answer, reason };
  };

  return {
    classifier: isClassified ? agent.classifier.name : undefined,
    run: async (order, signal) =>
      order === 'inOrder'
        ? ((await hooks(signal)) ?? (await classify(signal)))
        : firstAnswer([hooks(signal), classify(signal)]),
  };
}

/** The rules that settle a request: the caller's own, or, if it bubbles, those of its parents. */
export function judgingContext(
  session: CheckOwners,
  { agentId }: Pick<PermissionRequest, 'agentId'>,
): ToolPermissionContext {
  const asker = session.agents.live.get(agentId);
  return asker?.parts.judgingContext() ?? session.permissions.get();
}

/** The first decision of several checks. Rejects if a check rejects before any has decided. */
function firstAnswer<Answer>(
  running: readonly Promise<Answer | undefined>[],
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    for (const one of running)
      one.then((answer) => (answer === undefined ? undefined : resolve(answer)), reject);
    void Promise.all(running).then(() => resolve(undefined), reject);
  });
}
