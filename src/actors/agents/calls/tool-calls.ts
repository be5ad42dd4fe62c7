import { messageOf } from '../../../core/errors.js';
import type { Settings } from '../../options/settings.js';
import type { ToolResultBlock, ToolUseBlock } from '../../../core/messages.js';
import type { Journal } from '../../../journal/journal.js';
import { stepKey } from '../../../journal/step-key.js';
import type { CancelReason, TurnEnd } from '../../../machines/agent/tool-call.js';
import type { ScheduledCall } from '../../../machines/agent/tool-schedule.js';
import type { AssembledBlock } from '../../../model/assemble-block.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import { parseToolInput } from '../../../tools/calls/parse-tool-input.js';
import { ToolNotFoundError } from '../../../tools/calls/tool-not-found-error.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import type { HookedUse } from '../../hooks/session-hooks.js';
import type { Caller } from './caller.js';
import { hookedUse } from '../permissions/advise-use.js';
import { createCallPermissions, type CallPermissions } from '../permissions/call-permissions.js';
import type { PermissionServices } from '../permissions/permission-services.js';
import { errorResult, labelOfCall, namesOf, withExtras, type Call, type LiveCall } from './call.js';
import { endOf, isAnswer, isLastTry } from '../conclusion.js';
import { createCallPatience } from './call-patience.js';
import { describeUse, onInterruptOf, says } from '../../../tools/calls/tool-answers.js';
import { createMayRead } from '../conversation/may-read.js';
import { createUseRunner } from './run-use.js';
import { shownInput } from './shown-input.js';
import { cancelText, unknownText } from './synthetic-results.js';

export type ToolCallServices = PermissionServices & {
  readonly journal: Journal;
  readonly settings: Settings;
};

/** The effects of one agent's tool calls. Each call ends with exactly one result in the conversation. */
export interface ToolCalls extends Pick<
  CallPermissions,
  'decide' | 'applyAnswer' | 'beginPrompt' | 'denials'
> {
  /** Makes a tool use known, and says how it may be scheduled. */
  admit(
    assembled: AssembledBlock,
    turn: number,
  ): Promise<Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>>;
  validate(live: LiveCall, id: string): Promise<void>;
  execute(live: LiveCall, id: string): Promise<void>;
  abort(id: string, reason: CancelReason): void;
  abortAll(reason: CancelReason): void;
  /** The request that a live use belongs to. */
  turnOf(id: string): number | undefined;
  /** A live use as hooks are told of it. */
  hookedUse(id: string): HookedUse | undefined;
  /** The use in a few words, for people. */
  labelOf(id: string): string;
  recordCancelled(live: LiveCall, id: string, reason: CancelReason): Promise<void>;
  /** Whether the newest result of this use came from the journal: watchers were told on an earlier run. */
  isRepeated(id: string): boolean;
}

export function createToolCalls(caller: Caller, services: ToolCallServices): ToolCalls {
  const { journal } = services;
  const calls = new Map<string, Call>();
  const repeated = new Set<string>();
  let shellError = '';
  const callOf = (id: string): Call => calls.get(id) as Call; // admitted before its live was made

  const contextOf = ({ block, controller, approved }: Call): ToolUseContext => ({
    ...caller.toolContext,
    messages: caller.conversation.messages,
    toolUseId: block.id,
    abortController: controller,
    mayRead: createMayRead(caller, approved.approvedPaths ?? []),
    ...approved,
  });

  /** The one place where a call gets its result. */
  const settle = async (
    id: string,
    call: Call,
    run: () => Promise<ToolResultBlock>,
    isHarmless = true,
  ): Promise<ToolResultBlock> => {
    const { key, block, input } = call;
    const options =
      isHarmless && !caller.door.isBegun(key)
        ? ({ isHarmless: true } as const)
        : ({
            isHarmless: false,
            unknownOutcome: errorResult(id, unknownText(caller.lostWork?.(id))),
            note: { ...block, input },
          } as const);
    if (caller.door.isDone(key)) repeated.add(id);
    else repeated.delete(id);
    const result = await caller.door.step(
      key,
      async () => withExtras(await run(), call.extras),
      options,
    );
    caller.conversation.addResult(result);
    call.patience.end();
    calls.delete(id);
    return result;
  };

  const refuse = async (
    live: LiveCall,
    id: string,
    text: string,
    endsTurn?: TurnEnd,
  ): Promise<void> => {
    const call = calls.get(id);
    if (call === undefined || call.patience.isGivenUp()) return; // it gets its result without this step
    call.patience.end();
    const remembered = endsTurn && (await rememberEndsTurn(call, endsTurn));
    const result = await settle(id, call, () => Promise.resolve(errorResult(id, text)));
    noteShellError(call, result);
    live.send({
      type: 'call.refused',
      isError: result.is_error === true,
      endsTurn: remembered ?? endOf(call, result),
    });
  };

  /** Keeps how the calls that are cancelled for it call it. */
  const noteShellError = ({ tool, problem, input }: Call, result: ToolResultBlock): void => {
    if (result.is_error !== true || tool?.name !== 'Bash') return;
    shellError = problem === undefined ? `Bash(${describeUse(tool, input)})` : 'Bash'; // an invalid input has no description
  };

  /** A run over the same journal has to end the turn too. */
  const rememberEndsTurn = ({ turn, block }: Call, end: TurnEnd): Promise<TurnEnd> =>
    caller.door.step(stepKey.endsTurn(turn, block.id), () => Promise.resolve(end), {
      isHarmless: true,
    });

  const refuseAgain = async (live: LiveCall, id: string): Promise<void> =>
    refuse(
      live,
      id,
      'journaled',
      caller.door.isDone(stepKey.endsTurn(callOf(id).turn, id)) ? 'refused' : undefined, // or what it remembers
    );

  const permissions = createCallPermissions(caller, services, { get: callOf, contextOf, refuse });

  const run = createUseRunner(caller, permissions, journal, (reason) =>
    cancelText(reason, shellError),
  );

  const abort = (id: string, reason: CancelReason): void => {
    const call = calls.get(id);
    if (call === undefined) return;
    call.cancelled ??= reason;
    call.controller.abort(new DOMException(cancelText(reason, shellError), 'AbortError'));
    if (reason !== 'killed') call.patience.begin(); // a task that is killed has a grace of its own
  };

  const validate = async (live: LiveCall, id: string): Promise<void> => {
    const call = callOf(id);
    const { isDone, isBegun } = caller.door;
    if (isDone(call.key) || isBegun(call.key)) return refuseAgain(live, id);
    const end = isAnswer(call) && isLastTry(caller) ? 'refused' : undefined;
    if (call.problem !== undefined) return refuse(live, id, call.problem, end);
    const tool = call.tool as Tool; // without a tool there is a problem
    try {
      const validity = await tool.validateInput?.(call.input, contextOf(call));
      if (validity?.result === false) return await refuse(live, id, validity.message, end);
    } catch (error) {
      if (call.cancelled !== undefined) return live.send({ type: 'call.validated' });
      return refuse(live, id, `${tool.name}: ${messageOf(error)}`, end);
    }
    live.send({ type: 'call.validated' });
  };

  /**
   * Wait for a step of a call. If the call was told to stop and does not, the step is given up: `next`, which a cancelled
   * call takes as its end, is told in its place, and what becomes of it later changes nothing.
   */
  const unlessGivenUp = (
    live: LiveCall,
    id: string,
    step: Promise<void>,
    next: 'call.validated' | 'call.allowed',
  ): Promise<void> => {
    callOf(id).patience.whenOver(() => live.send({ type: next }));
    return step;
  };

  return {
    async admit({ block, invalidInput }, turn) {
      const { id, name, input } = block as ToolUseBlock; // only tool uses are admitted
      const tool = findToolByName(caller.tools, name);
      const parsed = tool === undefined ? undefined : await parseToolInput(tool, input);
      const problem =
        tool === undefined
          ? new ToolNotFoundError(name, namesOf(caller.tools)).message
          : invalidInput !== undefined
            ? `${name}: the input is not a JSON object: ${invalidInput.error}. Send one complete JSON object.`
            : parsed?.ok === false
              ? parsed.message
              : undefined;
      const usable = problem === undefined && parsed?.ok === true ? parsed.input : undefined;
      const isSafe =
        usable !== undefined && tool !== undefined && says(tool, 'isConcurrencySafe', usable);
      calls.set(id, {
        turn,
        key: stepKey.tool(turn, id),
        block: block as ToolUseBlock,
        tool,
        problem,
        input: usable ?? {},
        shownInput:
          tool === undefined || usable === undefined ? {} : await shownInput(tool, usable, input),
        isSafe,
        approved: {},
        judged: undefined,
        controller: new AbortController(),
        cancelled: undefined,
        patience: createCallPatience({
          timers: services.timers,
          graceMs: services.settings.graceMs,
        }),
        request: undefined,
        extras: [],
      });
      return {
        id,
        isSafe,
        isShell: tool?.name === 'Bash',
        onInterrupt: onInterruptOf(tool),
      };
    },

    decide: (live, id) => unlessGivenUp(live, id, permissions.decide(live, id), 'call.allowed'),
    applyAnswer: (live, id, decided) =>
      unlessGivenUp(live, id, permissions.applyAnswer(live, id, decided), 'call.allowed'),
    beginPrompt: permissions.beginPrompt,
    denials: permissions.denials,
    turnOf: (id) => calls.get(id)?.turn,
    hookedUse(id) {
      const call = calls.get(id);
      return call?.tool === undefined
        ? undefined
        : hookedUse(caller, services, call, contextOf(call));
    },

    validate: (live, id) => unlessGivenUp(live, id, validate(live, id), 'call.validated'),

    async execute(live, id) {
      const call = callOf(id);
      const tool = call.tool as Tool; // validated
      const isHarmless = says(tool, 'isReadOnly', call.input);
      const result = await settle(id, call, () => run(id, call, contextOf(call)), isHarmless);
      noteShellError(call, result);
      live.send({
        type: 'call.executed',
        isError: result.is_error === true,
        endsTurn: endOf(call, result),
      });
    },

    abort,
    isRepeated: (id) => repeated.has(id),
    labelOf(id) {
      const call = calls.get(id);
      return call === undefined ? id : labelOfCall(call);
    },
    abortAll(reason) {
      for (const id of calls.keys()) abort(id, reason);
    },

    async recordCancelled(live, id, reason) {
      const call = callOf(id);
      permissions.withdraw(call);
      await settle(id, call, () =>
        Promise.resolve(errorResult(id, cancelText(reason, shellError))),
      );
      live.send({ type: 'call.recorded' });
    },
  };
}
