import type { ToolUseBlock } from '../../../core/messages.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import type { ScheduledCall } from '../../../machines/agent/tool-schedule.js';
import type { AssembledBlock } from '../../../model/stream/assemble-block.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import { describeInvalidJson } from '../../../tools/calls/invalid-json.js';
import { loadAnalysis, loadedAnalysis } from '../../../permissions/shell/load-analysis.js';
import { parseInput, type ParsedToolInput } from '../../../tools/calls/parse-input.js';
import { onInterruptOf, says } from '../../../tools/calls/tool-answers.js';
import { ToolNotFoundError } from '../../../tools/calls/tool-not-found-error.js';
import type { Tool } from '../../../tools/tool.js';
import type { GracePeriod } from '../calls/grace-period.js';
import type { CallTable } from '../calls/call-table.js';
import { namesOf } from '../calls/call.js';
import { shownInput } from '../calls/shown-input.js';

/** The facts about a call that the scheduler needs. */
export type AdmittedCall = Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>;

/** Make a call of a tool use. An invalid one becomes a call with a problem. */
export function admitUse(
  { block, invalidInput }: AssembledBlock,
  turn: number,
  tools: readonly Tool[],
  grace: GracePeriod,
  table: Pick<CallTable, 'add'>,
): AdmittedCall | Promise<AdmittedCall> {
  const use = block as ToolUseBlock; // only tool_use blocks become calls
  const { id, name, input } = use;
  const tool = findToolByName(tools, name);
  const isShell = tool?.name === 'Bash';

  const admit = (parsed: ParsedToolInput): AdmittedCall => {
    const problem =
      tool !== undefined && invalidInput !== undefined
        ? describeInvalidJson(name, invalidInput.error)
        : parsed.ok
          ? undefined
          : parsed.message;
    const usable = problem === undefined && parsed.ok ? parsed.input : undefined;
    const isUsable = tool !== undefined && usable !== undefined;
    const isSafe = isUsable && says(tool, 'isConcurrencySafe', usable);
    table.add({
      turn,
      key: stepKey.tool(turn, id),
      block: use,
      tool,
      problem,
      input: usable ?? {},
      shownInput: isUsable ? shownInput(tool, usable, input) : {},
      isSafe,
      approved: {},
      judged: undefined,
      controller: new AbortController(),
      cancelled: undefined,
      grace,
      request: undefined,
      extras: [],
      added: [],
    });
    return { id, isSafe, isShell, onInterrupt: onInterruptOf(tool) };
  };

  const parsed =
    tool === undefined
      ? { ok: false as const, message: new ToolNotFoundError(name, namesOf(tools)).message }
      : parseInput(tool, input);
  if (isShell && loadedAnalysis() === undefined) {
    const go = async (): Promise<AdmittedCall> => admit(await parsed);
    return loadAnalysis().then(go, go); // after a failure the decision refuses the call, and says why
  }
  return parsed instanceof Promise ? parsed.then(admit) : admit(parsed);
}
