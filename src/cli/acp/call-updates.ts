import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { presentResult } from '../../api/tools/tools.js';
import type { ToolResultBlock, ToolUseBlock } from '../../api/types.js';
import { createPlan } from './plan.js';
import { describeCall, resultContent } from './tool-calls.js';

/** A tool call. */
export type Call = Pick<ToolUseBlock, 'id' | 'name' | 'input'> & {
  /** The tool call that started the agent; null for the main agent. */
  readonly parent?: string | null;
  /** The sub-agent that makes the call, if its messages did not name it. */
  readonly speaker?: string | undefined;
  /** Content in place of the usual one. */
  readonly content?: ToolCallContent[];
};

/** The updates of tool calls: each call is shown once, begins, and ends with its result. */
export interface CallUpdates {
  /** The update of a call that the client does not have so far. */
  show(call: Call): SessionUpdate[];
  /** Describe a call whose permission is requested. */
  describe(call: Call): ToolCallUpdate;
  /** Name the sub-agent that a tool call has started. */
  nameSpeaker(toolUseId: string, name: string): void;
  /** The update of a call that runs; none if the client does not have the call. */
  begin(toolUseId: string): SessionUpdate[];
  /** The updates of a result, and of the plan if the call has changed it. @param data return value of the tool */
  end(result: ToolResultBlock, data: unknown): SessionUpdate[];
}

export function createCallUpdates({ cwd }: { readonly cwd: string }): CallUpdates {
  const plan = createPlan();
  /** Sub-agents by the tool call that started them. */
  const speakers = new Map<string, string>();
  /** Calls without a result. */
  const calls = new Map<string, Call & { isRunning: boolean }>();

  const fieldsOf = (call: Call) => {
    const { id, parent = null, speaker = speakers.get(parent ?? '') ?? parent } = call;
    const shown = describeCall(call, { cwd, speaker: speaker ?? undefined });
    const meta = parent === null ? {} : { _meta: { troupe: { parentToolCallId: parent } } };
    return { toolCallId: id, ...shown, rawInput: call.input, ...meta };
  };
  return {
    show(call) {
      if (calls.has(call.id)) return []; // its permission was requested before
      calls.set(call.id, { ...call, isRunning: false });
      return [{ sessionUpdate: 'tool_call', ...fieldsOf(call), status: 'pending' }];
    },
    describe(call) {
      const fields = fieldsOf(call);
      return { ...fields, content: call.content ?? fields.content, status: 'pending' };
    },
    nameSpeaker: (id, name) => void speakers.set(id, name),
    begin(id) {
      const call = calls.get(id);
      if (call === undefined || call.isRunning) return [];
      call.isRunning = true;
      return [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress' }];
    },
    end(result, data) {
      const { tool_use_id: id, is_error: isError = false } = result;
      const call = calls.get(id);
      calls.delete(id);
      const view = call && presentResult(call.name, Object(call.input) as Input, data);
      const update: SessionUpdate = {
        sessionUpdate: 'tool_call_update',
        toolCallId: id,
        status: isError ? 'failed' : 'completed',
        content: resultContent(result, view),
      };
      const isOwn = call !== undefined && (call.parent ?? null) === null;
      return [update, ...(isOwn && !isError ? plan.take(call, data) : [])];
    },
  };
}

type Input = Readonly<Record<string, unknown>>;
