import { given } from '../../../core/json/given.js';
import { toolUsesOf, type Message } from '../../../core/messages.js';
import type { AgentOrigin } from '../../services/event-bus.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import type { Stopwatch } from '../../services/timers.js';
import { describeProgress } from '../../../tools/calls/describe-progress.js';
import type { ToolProgressData } from '../../../tools/tool.js';

type ToolProgressMessage = Extract<SessionMessageBody, { type: 'tool_progress' }>;
type LiveUse = {
  readonly name: string;
  readonly beganAt: number;
  toldAt: number;
};

/** The least time between two progress messages of a tool call. */
const INTERVAL_MS = 1_000;

/**
 * Progress of tool calls: whether they run, and for how long. A message follows each output of a call, but not too
 * often.
 */
export function createToolProgress(
  { stopwatch }: Stopwatch,
  /** The name of a call that began in an earlier process. */
  nameOfCall: (origin: AgentOrigin, toolUseId: string) => string,
) {
  const elapsed = stopwatch();
  const live = new Map<string, LiveUse>();
  const keyOf = ({ agentId }: AgentOrigin, id: string): string => `${agentId} ${id}`;

  const begin = (key: string, name: string): LiveUse => {
    const use: LiveUse = { name, beganAt: elapsed(), toldAt: -Infinity };
    live.set(key, use);
    return use;
  };

  return {
    /** Note the tool calls that begin and end in a message. */
    observe(origin: AgentOrigin, message: Message): void {
      if (message.role === 'assistant')
        for (const { id, name } of toolUsesOf(message)) begin(keyOf(origin, id), name);
      else
        for (const block of message.content)
          if (block.type === 'tool_result') live.delete(keyOf(origin, block.tool_use_id));
    },
    /** Undefined right after another message. */
    tell(
      origin: AgentOrigin,
      toolUseId: string,
      reported: ToolProgressData,
    ): ToolProgressMessage | undefined {
      const key = keyOf(origin, toolUseId);
      const use = live.get(key) ?? begin(key, nameOfCall(origin, toolUseId));
      const at = elapsed();
      if (at - use.toldAt < INTERVAL_MS) return undefined;
      use.toldAt = at;
      return {
        type: 'tool_progress',
        tool_use_id: toolUseId,
        tool_name: use.name,
        parent_tool_use_id: origin.parentToolUseId,
        elapsed_time_seconds: (at - use.beganAt) / 1_000,
        ...given({ progress: describeProgress(reported) }),
      };
    },
  };
}
