import type { AnyActorRef } from 'xstate';
import type { PermissionDecided, PermissionRequest } from '../../core/events.js';
import { createRequestId } from '../../core/ids.js';
import type { ToolResultBlock, ToolUseBlock } from '../../core/messages.js';
import type { PermissionDecision } from '../../core/permission-types.js';
import { limitResult } from '../../context/result-limit.js';
import type { Journal } from '../../journal/journal.js';
import type { CancelReason, ToolCallEvent } from '../../machines/tool-call.js';
import type { ScheduledCall } from '../../machines/tool-schedule.js';
import type { AssembledBlock } from '../../model/assemble-block.js';
import { decide } from '../../permissions/decide.js';
import type { ToolFacts } from '../../permissions/facts.js';
import { findToolByName } from '../../tools/find-tool.js';
import { parseToolInput } from '../../tools/parse-tool-input.js';
import { ToolNotFoundError } from '../../tools/tool-not-found-error.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import type { Audit } from '../audit.js';
import type { EventBus, PermissionDenial } from '../event-bus.js';
import { gatherFacts } from '../gather-facts.js';
import type { Timers } from '../timers.js';
import type { AgentParts } from './agent-parts.js';
import { cancelText, denialText } from './synthetic-results.js';

export type ToolCallServices = {
  readonly bus: EventBus;
  readonly timers: Timers;
  readonly journal: Journal;
  readonly audit: Audit;
};

/** The effects of one agent's tool calls. Each call ends with exactly one result in the conversation. */
export interface ToolCalls {
  /** Makes a tool use known, and says how it may be scheduled. */
  admit(
    assembled: AssembledBlock,
  ): Promise<Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>>;
  validate(call: AnyActorRef, id: string): Promise<void>;
  decide(call: AnyActorRef, id: string): Promise<void>;
  applyAnswer(call: AnyActorRef, id: string, decided: PermissionDecided): Promise<void>;
  execute(call: AnyActorRef, id: string): Promise<void>;
  abort(id: string, reason: CancelReason): void;
  abortAll(reason: CancelReason): void;
  recordCancelled(call: AnyActorRef, id: string, reason: CancelReason): Promise<void>;
}

type Call = {
  readonly block: ToolUseBlock;
  readonly tool: Tool | undefined;
  /** Why it cannot run, in words for the model. */
  readonly problem: string | undefined;
  /** What was shown is what runs: replaced only together with a new judgement. */
  input: Readonly<Record<string, unknown>>;
  readonly isSafe: boolean;
  readonly controller: AbortController;
  cancelled: CancelReason | undefined;
  request: PermissionRequest | undefined;
};

export function createToolCalls(
  parts: AgentParts,
  { bus, timers, journal, audit }: ToolCallServices,
): ToolCalls {
  const calls = new Map<string, Call>();
  let shellError = '';
  const callOf = (id: string): Call => calls.get(id) as Call; // admitted before its actor was made

  const contextOf = (id: string, call: Call): ToolUseContext => ({
    ...parts.toolContext,
    messages: parts.conversation.messages,
    toolUseId: id,
    abortController: call.controller,
  });

  /** The one place where a call gets its result. */
  const settle = async (
    id: string,
    call: Call,
    run: () => Promise<ToolResultBlock>,
    isHarmless = true,
  ): Promise<ToolResultBlock> => {
    const unknownOutcome = errorResult(
      id,
      'The process ended while this ran: its outcome is unknown. Check before you do it again.',
    );
    const options = isHarmless
      ? ({ isHarmless: true } as const)
      : ({
          isHarmless: false,
          unknownOutcome,
          note: { ...call.block, input: call.input },
        } as const);
    const result = await parts.door.step(`tool:${id}`, run, options);
    parts.conversation.addResult(result);
    calls.delete(id);
    return result;
  };

  const refuse = async (
    actor: AnyActorRef,
    id: string,
    text: string,
    endsTurn = false,
  ): Promise<void> => {
    const result = await settle(id, callOf(id), () => Promise.resolve(errorResult(id, text)));
    tellCall(actor, { type: 'call.refused', isError: result.is_error === true, endsTurn });
  };

  const deny = async (
    actor: AnyActorRef,
    id: string,
    { message, reason }: Pick<PermissionDenial, 'message' | 'reason'>,
    endsTurn = false,
  ): Promise<void> => {
    const { block, input } = callOf(id);
    bus.emit('permission.denied', parts.origin, {
      toolName: block.name,
      toolUseId: id,
      input,
      message,
      reason,
    });
    await refuse(actor, id, message, endsTurn);
  };

  const judge = async (
    id: string,
    call: Call,
  ): Promise<{ facts: ToolFacts; decision: PermissionDecision }> => {
    const tool = call.tool as Tool; // validated
    const facts = await gatherFacts(tool, call.input, contextOf(id, call));
    return { facts, decision: decide(facts, parts.permissionContext()) };
  };

  const run = async (id: string, call: Call): Promise<ToolResultBlock> => {
    const tool = call.tool as Tool; // validated
    const context = contextOf(id, call);
    try {
      call.controller.signal.throwIfAborted();
      const result = await tool.call(
        call.input,
        context,
        async (toolName, input) => judgeUse(toolName, input, context),
        undefined,
        (progress) => bus.emit('tool.progress', parts.origin, id, progress),
      );
      const { contextModifier } = result;
      if (contextModifier !== undefined && !call.isSafe)
        parts.toolContext = contextModifier(parts.toolContext);
      const block = tool.mapToolResultToToolResultBlockParam(result.data, id);
      return await limitResult(block, tool.maxResultSizeChars, (text) => store(id, text));
    } catch (error) {
      if (call.cancelled !== undefined)
        return errorResult(id, cancelText(call.cancelled, shellError));
      return errorResult(id, error instanceof Error ? error.message : String(error));
    }
  };

  /** For a tool that uses another: the same rules, nobody is asked. */
  const judgeUse = async (
    toolName: string,
    input: Readonly<Record<string, unknown>>,
    context: ToolUseContext,
  ): Promise<PermissionDecision> => {
    const tool = findToolByName(parts.tools, toolName);
    if (tool === undefined) throw new ToolNotFoundError(toolName, namesOf(parts.tools));
    return decide(await gatherFacts(tool, input, context), parts.permissionContext());
  };

  const abort = (id: string, reason: CancelReason): void => {
    const call = calls.get(id);
    if (call === undefined) return;
    call.cancelled ??= reason;
    call.controller.abort(new DOMException(cancelText(reason, shellError), 'AbortError'));
  };

  const store = (id: string, text: string): Promise<string> => {
    const file = `output/${parts.taskId}-${id.replaceAll(/[^0-9A-Za-z_-]/g, '_')}.txt`;
    journal.appendText(file, text);
    return Promise.resolve(journal.pathOf(file));
  };

  return {
    async admit({ block, invalidInput }) {
      const { id, name, input } = block as ToolUseBlock; // only tool uses are admitted
      const tool = findToolByName(parts.tools, name);
      const parsed = tool === undefined ? undefined : await parseToolInput(tool, input);
      const problem =
        tool === undefined
          ? new ToolNotFoundError(name, namesOf(parts.tools)).message
          : invalidInput !== undefined
            ? `${name}: the input is not valid JSON: ${invalidInput.error}. Send one complete JSON object.`
            : parsed?.ok === false
              ? parsed.message
              : undefined;
      const usable = problem === undefined && parsed?.ok === true ? parsed.input : undefined;
      const isSafe = usable !== undefined && tool !== undefined && isSafeCall(tool, usable);
      calls.set(id, {
        block: block as ToolUseBlock,
        tool,
        problem,
        input: usable ?? {},
        isSafe,
        controller: new AbortController(),
        cancelled: undefined,
        request: undefined,
      });
      return {
        id,
        isSafe,
        isShell: tool?.name === 'Bash',
        onInterrupt: tool?.interruptBehavior?.() ?? 'block',
      };
    },

    async validate(actor, id) {
      const call = callOf(id);
      if (parts.door.isDone(`tool:${id}`)) return refuse(actor, id, 'journaled');
      if (call.problem !== undefined) return refuse(actor, id, call.problem);
      const tool = call.tool as Tool; // without a tool there is a problem
      try {
        const validity = await tool.validateInput?.(call.input, contextOf(id, call));
        if (validity?.result === false) return await refuse(actor, id, validity.message);
      } catch (error) {
        return refuse(actor, id, `${tool.name}: ${messageOf(error)}`);
      }
      tellCall(actor, { type: 'call.validated' });
    },

    async decide(actor, id) {
      const call = callOf(id);
      try {
        const { facts, decision } = await judge(id, call);
        audit.judged(parts, id, facts, decision);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (decision.behavior === 'allow') {
          if (decision.updatedInput !== undefined) call.input = decision.updatedInput;
          return tellCall(actor, { type: 'call.allowed' });
        }
        const at = timers.now();
        call.request = {
          type: 'permission.request',
          requestId: createRequestId(),
          kind: 'permission',
          toolName: call.block.name,
          toolUseId: id,
          input: call.input as Record<string, unknown>, // read-only to everybody
          message: decision.message,
          suggestions: decision.suggestions ?? [],
          facts,
          agentId: parts.id,
          taskId: parts.taskId,
          from: id,
          path: [{ actor: id, verdict: 'asked', at }],
          at,
        };
        tellCall(actor, { type: 'call.ask', request: call.request });
      } catch (error) {
        await refuse(actor, id, `${call.block.name}: ${messageOf(error)}`);
      }
    },

    async applyAnswer(actor, id, decided) {
      const call = callOf(id);
      const { answer } = decided;
      const request = call.request as PermissionRequest; // it asked
      audit.answered(parts, request, decided);
      try {
        if (answer.behavior === 'deny') {
          const isPerson = decided.by !== 'policy';
          const endsTurn =
            answer.interrupt === true ||
            (isPerson && answer.message === undefined && parts.depth === 0);
          const message = denialText(request, answer.message, decided.by, parts.depth > 0);
          const reason = audit.reasonOf(decided);
          return await deny(actor, id, { message, reason }, endsTurn);
        }
        if (answer.updatedInput !== undefined) {
          const parsed = await parseToolInput(call.tool as Tool, answer.updatedInput);
          if (!parsed.ok)
            return await refuse(actor, id, `The edited input was refused. ${parsed.message}`);
          call.input = parsed.input;
        }
        const { facts, decision } = await judge(id, call);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (
          answer.updatedInput === undefined &&
          !touchesTheSame(request.facts as ToolFacts, facts)
        ) {
          const message = `Permission lapsed: what ${call.block.name} would touch changed while the question stood open. Try again.`;
          const reason = {
            type: 'safetyCheck',
            reason: message,
            classifierApprovable: false,
          } as const;
          return await deny(actor, id, { message, reason });
        }
        tellCall(actor, { type: 'call.allowed' });
      } catch (error) {
        await refuse(actor, id, `${call.block.name}: ${messageOf(error)}`);
      }
    },

    async execute(actor, id) {
      const call = callOf(id);
      const tool = call.tool as Tool; // validated
      const isHarmless = tool.isReadOnly(call.input);
      const result = await settle(id, call, () => run(id, call), isHarmless);
      if (result.is_error === true && tool.name === 'Bash')
        shellError = `${tool.name}(${tool.description(call.input)})`;
      tellCall(actor, { type: 'call.executed', isError: result.is_error === true });
    },

    abort,
    abortAll(reason) {
      for (const id of calls.keys()) abort(id, reason);
    },

    async recordCancelled(actor, id, reason) {
      const call = callOf(id);
      await settle(id, call, () =>
        Promise.resolve(errorResult(id, cancelText(reason, shellError))),
      );
      tellCall(actor, { type: 'call.recorded' });
    },
  };
}

function tellCall(actor: AnyActorRef, event: ToolCallEvent): void {
  if (actor.getSnapshot().status === 'active') actor.send(event);
}

function errorResult(id: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: true };
}

function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map((tool) => tool.name);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A tool whose own predicate throws is not safe. */
function isSafeCall(tool: Tool, input: Readonly<Record<string, unknown>>): boolean {
  try {
    return tool.isConcurrencySafe(input);
  } catch {
    return false;
  }
}

/** Whether the links on the way still lead where they led when the question was asked. */
function touchesTheSame(asked: ToolFacts, now: ToolFacts): boolean {
  return JSON.stringify(asked.target) === JSON.stringify(now.target);
}
