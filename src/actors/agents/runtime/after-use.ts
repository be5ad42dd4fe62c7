import { textBlock, type ToolResultBlock } from '../../../core/messages.js';
import { isRecord } from '../../../core/json/is-record.js';
import { toPlainJson } from '../../../core/json/plain-json.js';
import { atOnce } from '../../../tools/calls/tool-answers.js';
import type { Tool } from '../../../tools/tool.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import { hookKey } from '../../../journal/entries/step-key.js';
import type { HookedUse } from '../../hooks/hook-cause.js';
import { mergeVerdict, type SaidByHook } from '../../hooks/hook-verdict.js';
import type { EventHooks } from '../../hooks/session-hooks.js';
import type { Stopwatch } from '../../services/timers.js';
import { errorResult, type Call } from '../calls/call.js';
import { toResultBlock } from '../calls/result-block.js';

/**
 * Run the hooks for a tool that has run: they may replace the result, add texts behind it, and end the turn. Return the
 * result that the model reads. The second call does nothing. Never rejects.
 *
 * @param data what the tool returned; absent if it threw
 */
export type FinishUse = (
  block: ToolResultBlock,
  data?: unknown,
) => ToolResultBlock | Promise<ToolResultBlock>;

/** Call before the tool runs. */
export type AfterUse = (call: Call, signal: AbortSignal) => FinishUse;

const WITHOUT_HOOKS: FinishUse = (block) => block;

export function createAfterUse({
  hooks,
  timers,
  hookedUse,
  stepContext,
  endTurn,
}: {
  /** Absent without hooks. */
  readonly hooks: EventHooks | undefined;
  readonly timers: Stopwatch;
  /** The call as hooks see it. */
  readonly hookedUse: (call: Call) => HookedUse;
  readonly stepContext: Pick<AgentContext, 'step'>;
  /** Called before the result is recorded if a hook ends the turn. */
  readonly endTurn: (call: Call) => void;
}): AfterUse {
  if (hooks === undefined) return () => WITHOUT_HOOKS;
  return (call, signal) => {
    if (hooks.isEmpty()) return WITHOUT_HOOKS;
    const elapsed = timers.stopwatch();
    let isFinished = false;
    return async (block, data) => {
      const event = block.is_error === true ? 'PostToolUseFailure' : 'PostToolUse';
      if (isFinished || !hooks.hasAny(event)) return block;
      isFinished = true;
      const use = hookedUse(call);
      const duration_ms = elapsed();
      const ask = async () => {
        const said =
          event === 'PostToolUse'
            ? await hooks.run(event, use, { tool_response: plain(data), duration_ms }, signal)
            : await hooks.run(event, use, { ...failureOf(call, block), duration_ms }, signal);
        return { said, isCut: signal.aborted };
      };
      const key = hookKey(event, use.call.toolUseId);
      const { said, isCut } = await stepContext.step(key, ask, { isHarmless: true });
      const { objections, context, stops } = mergeVerdict(said);
      const texts = [...objections, ...context, ...(stops === undefined ? [] : [stops])];
      call.extras = [...call.extras, ...texts.map(textBlock)];
      if (stops !== undefined) endTurn(call);
      if (event !== 'PostToolUse') return block;
      const replaced = isCut && said.length > 0 ? hiddenOf(call) : replacementOf(said, call, data);
      if (replaced !== undefined) call.isReplaced = true;
      return replaced ?? block;
    };
  };
}

function plain(data: unknown): unknown {
  try {
    return toPlainJson(data);
  } catch {
    return null; // a cycle, or a toJSON that throws
  }
}

function failureOf({ cancelled }: Call, block: ToolResultBlock) {
  return { error: textIn(block), is_interrupt: cancelled !== undefined };
}

function textIn({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** An abort has ended the hooks: nobody knows whether one of them would have hidden a part of the result. */
function hiddenOf({ block: { id, name } }: Call): ToolResultBlock {
  const text = `${name} ran, and a hook that may replace its result was cut off, so the result is not shown.`;
  return errorResult(id, text);
}

/** The result of the first hook that replaces it. A replacement that cannot be used is an error: it may hide a secret. */
function replacementOf(
  said: readonly SaidByHook[],
  { tool, block: { id, name: asked } }: Call,
  data: unknown,
): ToolResultBlock | undefined {
  const isOfServer = tool?.name.startsWith('mcp__') === true;
  for (const { name, output } of said) {
    const { hookSpecificOutput: own } = output;
    if (own?.hookEventName !== 'PostToolUse') continue;
    const updated = own.updatedToolOutput ?? (isOfServer ? own.updatedMCPToolOutput : undefined);
    if (updated === undefined) continue;
    try {
      return toResultBlock(madeOf(updated, data, tool as Tool, id), asked, id); // validated
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read';
      const text = `${asked} ran, and the hook ${name} replaced its result by one that cannot be used: ${why}`;
      return errorResult(id, text);
    }
  }
  return undefined;
}

/** @throws TypeError if the value has fields that the tool's own output does not have: they would hide nothing */
function madeOf(updated: unknown, data: unknown, tool: Tool, id: string): unknown {
  if (typeof updated === 'string' || Array.isArray(updated)) return { content: updated };
  if (!isRecord(updated)) throw new TypeError('it is no text, no list of blocks and no object.');
  if (Array.isArray(updated['content']) && !isRecord(data)) return { content: updated['content'] };
  const known = isRecord(data) ? data : {};
  const strange = Object.keys(updated).filter((key) => !(key in known) && Boolean(updated[key]));
  if (strange.length > 0) {
    const names = strange.map((key) => `"${key}"`).join(', ');
    const help = 'Give a text, or fields of tool_response.';
    throw new TypeError(`the output of ${tool.name} has no field ${names}. ${help}`);
  }
  return atOnce(tool.mapToolResultToToolResultBlockParam({ ...known, ...updated }, id));
}
