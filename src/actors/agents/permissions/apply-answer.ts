import { isDeepStrictEqual } from 'node:util';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { PermissionAnswer } from '../../../core/decision-types.js';
import type { TurnEnd } from '../../../machines/agent/tool-call.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import type { Audit } from './audit.js';
import type { CallDecisions } from './call-decisions.js';
import { other } from './denial-of.js';
import type { CallTable } from '../calls/call-table.js';
import { extrasOf, type Call, type LiveCall, type Refuse } from '../calls/call.js';
import type { Caller } from '../parts/caller.js';
import { readEditedInput } from '../calls/edited-input.js';
import { lapseOf } from './lapsed-approval.js';
import { answererOf, denialText, isAutomatic, isSystem } from '../calls/synthetic-results.js';
import type { ToolDecisions } from './tool-decisions.js';
import type { UseJudge } from './use-judge.js';

export type AnswerOwners = {
  readonly caller: Caller;
  readonly audit: Pick<Audit, 'judged' | 'reasonOf'>;
  readonly table: Pick<CallTable, 'contextOf'> & { readonly refuse: Refuse };
  readonly judge: UseJudge;
  readonly answers: Pick<ToolDecisions, 'keep'>;
  readonly decisions: CallDecisions;
};

/** A call whose request was decided. */
type Answered = {
  readonly call: Call;
  readonly request: PermissionRequest;
  readonly decided: PermissionDecided;
};

/**
 * Put the decision on a call's request into effect. An allowed call is judged once more, since rules and files may have
 * changed.
 */
export function applyAnswer(
  owners: AnswerOwners,
  live: LiveCall,
  answered: Answered,
): Promise<void> {
  const { answer } = answered.decided;
  return answer.behavior === 'deny'
    ? applyDenial(owners, live, answered, answer)
    : applyApproval(owners, live, answered, answer);
}

function applyDenial(
  { caller, audit, answers, decisions }: AnswerOwners,
  live: LiveCall,
  { call, request, decided }: Answered,
  answer: Denial,
): Promise<void> {
  const isSubAgent = caller.depth > 0;
  const isPerson = !isSystem(decided);
  const facts = request.kind === 'permission' ? factsOf(request) : undefined;
  const message = denialText(request, answer.message, decided, isSubAgent);
  if (isPerson && facts !== undefined) answers.keep(facts, answer, message);
  const isPlain = isPerson && answer.message === undefined && !isSubAgent;
  const interrupts = answer.interrupt === true; // a hook that ends the turn interrupts nothing
  const endsTurn: TurnEnd | undefined =
    interrupts && !isAutomatic(decided.reason)
      ? 'interrupted'
      : interrupts || isPlain
        ? 'refused'
        : undefined;
  const reason = audit.reasonOf(decided);
  return decisions.deny(live, call, { message, reason, isPerson, facts }, endsTurn);
}

async function applyApproval(
  owners: AnswerOwners,
  live: LiveCall,
  { call, request, decided }: Answered,
  answer: Approval,
): Promise<void> {
  const { caller, audit, table, judge, answers, decisions } = owners;
  const tool = call.tool as Tool; // validated
  const context = table.contextOf(call);
  const isAnswer = request.kind !== 'permission';
  const edit = await takeEdit(call, answer.updatedInput, context, isAnswer);
  if (edit.problem !== undefined) {
    const message = `The edited input was refused. ${edit.problem}`;
    const reason = other(message);
    audit.judged(caller, call, { behavior: 'deny', message, decisionReason: reason });
    return table.refuse(live, call.block.id, message);
  }
  const { isEdited } = edit;
  const { reason } = decided;
  const proposal = isAutomatic(reason) ? { behavior: 'allow' as const, reason } : undefined;
  const judged = await judge.judge({ tool, input: call.input, context }, proposal);
  if (call.grace.isGivenUp()) return;
  const lapse = lapseOf(request, judged, decided, isEdited);
  if (lapse !== undefined) return decisions.overrule(live, call, lapse.message, lapse.reason);
  if (!isSystem(decided) && !isAnswer) answers.keep(judged.facts, answer, '');
  if (isEdited) {
    const decisionReason = audit.reasonOf(decided);
    const userModified = !isAutomatic(reason);
    const ran = { behavior: 'allow', userModified, decisionReason } as const;
    audit.judged(caller, call, ran, request.requestId);
  }
  call.extras = [...call.extras, ...extrasOf(answer, answererOf(decided))];
  decisions.allow(live, call, judged, judged.decision);
}

type Denial = Extract<PermissionAnswer, { behavior: 'deny' }>;
type Approval = Extract<PermissionAnswer, { behavior: 'allow' }>;

type Edit =
  | { readonly isEdited: boolean; readonly problem?: undefined }
  /** Why the edited input is invalid. */
  | { readonly problem: string };

/** Replace the input of the call by the one in the decision. */
async function takeEdit(
  call: Call,
  input: Approval['updatedInput'],
  context: ToolUseContext,
  isAnswer: boolean,
): Promise<Edit> {
  if (input === undefined) return { isEdited: false };
  const edited = await readEditedInput(call.tool as Tool, input, context, { isAnswer }); // validated
  if (!edited.ok) return { problem: edited.message };
  const isEdited = !isDeepStrictEqual(edited.input, call.input);
  call.input = edited.input;
  if (isEdited) call.shownInput = edited.shown;
  return { isEdited };
}

/** The same caller gathered the facts of its request. */
function factsOf(request: PermissionRequest): ToolFacts {
  return request.facts as ToolFacts;
}
