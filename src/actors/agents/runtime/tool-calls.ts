import { messageOf } from '../../../core/errors.js';
import type { PermissionDecided } from '../../../core/events.js';
import type { JournalLines, SessionFiles } from '../../../journal/journal.js';
import { hookKey, stepKey } from '../../../journal/entries/step-key.js';
import type { ToolResultBlock } from '../../../core/messages.js';
import type { CancelReason, TurnEnd } from '../../../machines/agent/tool-call.js';
import type { AssembledBlock } from '../../../model/stream/assemble-block.js';
import { says } from '../../../tools/calls/tool-answers.js';
import type { Tool, ToolProgressData, ToolUseContext } from '../../../tools/tool.js';
import type { HookedUse } from '../../hooks/hook-cause.js';
import { emitFrom, type AgentEmission } from '../../services/event-bus.js';
import { hookedUse } from '../permissions/hooked-use.js';
import { createReturnedData } from '../calls/returned-data.js';
import { createGracePeriod } from '../calls/grace-period.js';
import { createCallPermissions, type CallPermissions } from '../permissions/call-permissions.js';
import { createCallTable, type CallTable } from '../calls/call-table.js';
import { errorResult, labelOfCall, type Call, type LiveCall, type Refuse } from '../calls/call.js';
import type { Caller } from '../parts/caller.js';
import type { EffectEnd } from '../parts/effects.js';
import { endOf, isAnswer, isLastTry } from './conclusion.js';
import { admitUse, type AdmittedCall } from './admit-use.js';
import type { PermissionServices } from '../permissions/permission-services.js';
import type { SamplingServices } from '../requests/sampling-services.js';
import { createAfterUse } from './after-use.js';
import { createUseRunner } from './run-use.js';
import { createShellErrors, type ShellErrors } from '../calls/shell-errors.js';
import { cancelText } from '../calls/synthetic-results.js';

export type ToolCallServices = PermissionServices &
  SamplingServices & { readonly journal: JournalLines & SessionFiles };

/** The effects of one agent's tool calls. Each call ends with exactly one result in the conversation. */
export interface ToolCalls extends Pick<
  CallPermissions,
  'decide' | 'applyAnswer' | 'beginPrompt' | 'denials'
> {
  /** Add a tool call, and return how it may be scheduled. */
  admit(assembled: AssembledBlock, turn: number): AdmittedCall | Promise<AdmittedCall>;
  validate(live: LiveCall, id: string): EffectEnd;
  execute(live: LiveCall, id: string): Promise<void>;
  /** Bring the decision on a request that a call has made while it runs. */
  takeDecision(id: string, decided: PermissionDecided): void;
  abort(id: string, reason: CancelReason): void;
  abortAll(reason: CancelReason): void;
  /** The turn of the request that a live call belongs to. */
  turnOf(id: string): number | undefined;
  /** A live call as hooks see it. */
  hookedUse(id: string): HookedUse | undefined;
  /** The call in a few words, for people, and the newest progress that its tool has reported. */
  shownAs(id: string): {
    readonly label: string;
    readonly reported: ToolProgressData | undefined;
  };
  recordCancelled(live: LiveCall, id: string, reason: CancelReason): Promise<void>;
  /** Whether the newest result of this call came from the journal: watchers saw it on an earlier run. */
  isRepeated(id: string): boolean;
  /** Return value of the tool of a call, for watchers; undefined the second time. */
  takeData(id: string): unknown;
}

export function createToolCalls(caller: Caller, services: ToolCallServices): ToolCalls {
  const { timers, settings, hooks } = services;
  const { stepContext } = caller;
  const table = createCallTable(caller);
  const shellErrors = createShellErrors();
  const textOf = (reason: CancelReason): string => cancelText(reason, shellErrors.newest());
  const rememberEnd = createEndOfTurn(caller);
  const refuse = createRefusal(table, shellErrors, rememberEnd);
  const { get, contextOf } = table;
  const permissions = createCallPermissions(caller, services, { get, contextOf, refuse });
  const returned = createReturnedData();
  const asHooked = (call: Call): HookedUse => hookedUse(caller, services, call, contextOf(call));
  const endTurn = (call: Call): void => rememberEnd(call, 'refused');
  const after = createAfterUse({ hooks, timers, hookedUse: asHooked, stepContext, endTurn });
  const run = createUseRunner(caller, permissions, services, textOf, returned.keep, after);
  const validate = createValidation(caller, contextOf, refuse);

  const abort = (call: Call, reason: CancelReason): void => {
    call.cancelled ??= reason;
    call.controller.abort(new DOMException(textOf(reason), 'AbortError'));
    if (reason !== 'killed') call.grace.begin(); // a killed task has its own grace period
  };

  const executed = (live: LiveCall, call: Call, result: ToolResultBlock): void => {
    if (call.isReplaced !== true) shellErrors.note(call, result);
    live.send({ type: 'call.executed', ...endingOf(call, result) });
  };

  return {
    admit(assembled, turn) {
      const grace = createGracePeriod({ timers, graceMs: settings.graceMs });
      return admitUse(assembled, turn, caller.tools, grace, table);
    },
    validate(live, id) {
      endIfGivenUp(live, get(id), 'call.validated');
      return validate(live, get(id));
    },
    decide(live, id) {
      endIfGivenUp(live, get(id), 'call.allowed');
      return permissions.decide(live, id);
    },
    applyAnswer(live, id, decided) {
      endIfGivenUp(live, get(id), 'call.allowed');
      return permissions.applyAnswer(live, id, decided);
    },
    execute(live, id) {
      const call = get(id);
      const isHarmless = says(call.tool as Tool, 'isReadOnly', call.input); // validated
      const begin = (): Promise<ToolResultBlock> => run(live, call, contextOf(call));
      return table.settle(call, begin, isHarmless).then((result) => executed(live, call, result));
    },
    takeDecision: (id, decided) => table.find(id)?.further?.get(decided.requestId)?.(decided),
    async recordCancelled(live, id, reason) {
      const call = get(id);
      permissions.withdraw(call);
      if (reason === 'sibling_error') emitFrom(stepContext, cancelledBy(call, shellErrors));
      await table.settle(call, () => Promise.resolve(errorResult(id, textOf(reason))));
      live.send({ type: 'call.recorded' });
    },
    abort(id, reason) {
      const call = table.find(id);
      if (call !== undefined) abort(call, reason);
    },
    abortAll(reason) {
      for (const call of table.list()) abort(call, reason);
    },
    beginPrompt: permissions.beginPrompt,
    denials: permissions.denials,
    isRepeated: table.isRepeated,
    takeData: returned.take,
    turnOf: (id) => table.find(id)?.turn,
    hookedUse(id) {
      const call = table.find(id);
      return call?.tool === undefined ? undefined : asHooked(call);
    },
    shownAs(id) {
      const call = table.find(id);
      return { label: call === undefined ? id : labelOfCall(call), reported: call?.progress };
    },
  };
}

function endingOf(call: Call, result: ToolResultBlock) {
  const isError = result.is_error === true && call.isReplaced !== true;
  return { isError, endsTurn: call.endsTurn ?? endOf(call, result) };
}

/**
 * If the call is aborted during its next step and does not stop, the step is given up: `next`, which ends a cancelled
 * call, is sent in its place, and a later outcome changes nothing.
 */
function endIfGivenUp(
  live: LiveCall,
  { grace }: Call,
  next: 'call.validated' | 'call.allowed',
): void {
  grace.whenOver(() => live.send({ type: next }));
}

function cancelledBy({ block, shownInput }: Call, failed: ShellErrors): AgentEmission {
  const { id: toolUseId, name: toolName } = block;
  const cancelled = {
    toolName,
    toolUseId,
    input: shownInput,
    failedToolUseId: failed.newestId(),
    failedCall: failed.newest(),
  };
  return { type: 'tool.cancelled', args: [cancelled] };
}

/** @returns a function that parses and checks the input of a call, which sends `call.validated` or `call.refused` */
function createValidation(
  caller: Caller,
  contextOf: CallTable['contextOf'],
  refuse: Refuse,
): (live: LiveCall, call: Call) => EffectEnd {
  const { stepContext } = caller;
  return (live, call) => {
    const { key, turn, tool } = call;
    const { id } = call.block;
    if (stepContext.isDone(key) || stepContext.isBegun(key)) {
      const hasEnded = stepContext.isDone(stepKey.endsTurn(turn, id));
      return refuse(live, id, 'journaled', hasEnded ? 'refused' : undefined); // or the error that the journal remembers
    }
    const judge = (problem: string | undefined): EffectEnd => {
      const end = isAnswer(call) && isLastTry(caller) ? 'refused' : undefined;
      if (problem !== undefined) return refuse(live, id, problem, end);
      live.send({ type: 'call.validated' });
      return undefined;
    };
    if (tool === undefined && stepContext.isDone(hookKey('PreToolUse', id)))
      return import('../permissions/defer-call.js')
        .then(({ endIfUnavailable }) => endIfUnavailable(caller, live, call))
        .then((hasEnded) => (hasEnded ? undefined : judge(call.problem)));
    const needsCheck = call.problem === undefined && tool?.validateInput !== undefined;
    return needsCheck ? inputProblem(call, contextOf(call)).then(judge) : judge(call.problem);
  };
}

/**
 * Why a tool rejects an input. For a call that was cancelled meanwhile the answer does not matter: its next step ends
 * it.
 */
async function inputProblem(call: Call, context: ToolUseContext): Promise<string | undefined> {
  const tool = call.tool as Tool; // a call without a tool has a problem already
  try {
    const validity = await tool.validateInput?.(call.input, context);
    return validity?.result === false ? validity.message : undefined;
  } catch (error) {
    return call.cancelled === undefined ? `${tool.name}: ${messageOf(error)}` : undefined;
  }
}

/** @returns a function that journals that a call ends the turn: a run over the same journal must end it too */
function createEndOfTurn({ stepContext }: Caller): (call: Call, end: TurnEnd) => void {
  return (call, end) => {
    call.endsTurn = stepContext.record(stepKey.endsTurn(call.turn, call.block.id), end);
  };
}

/** @returns a function that settles a call with an error, unless the call was given up and has another result */
function createRefusal(
  table: CallTable,
  shellErrors: ShellErrors,
  rememberEnd: ReturnType<typeof createEndOfTurn>,
): Refuse {
  return async (live, id, text, endsTurn) => {
    const call = table.find(id);
    if (call === undefined || call.grace.isGivenUp()) return;
    call.grace.end();
    if (endsTurn !== undefined) rememberEnd(call, endsTurn);
    const result = await table.settle(call, () => Promise.resolve(errorResult(id, text)));
    shellErrors.note(call, result);
    live.send({ type: 'call.refused', ...endingOf(call, result) });
  };
}
