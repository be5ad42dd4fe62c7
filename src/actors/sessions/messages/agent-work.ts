import type { Timers } from '../../services/timers.js';
import type { UsageTotals } from '../../../usage/usage-ledger.js';
import { toolUsesOf, type Message } from '../../../core/messages.js';
import { given } from '../../../core/json/given.js';
import type { TaskId } from '../../../core/ids.js';
import { totalTokens } from '../../../core/tasks/usage.js';
import type { TaskStateBase } from '../../../core/task-types.js';
import type { AgentDirectory } from '../../agents/agent-directory.js';
import type { AgentOrigin } from '../../services/event-bus.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import type { TaskWork } from '../../contract/task-message.js';
import type { TaskLookup } from '../../tasks/task-registry.js';

type AgentWorkOwners = {
  readonly agents: AgentDirectory;
  readonly tasks: TaskLookup;
  readonly shared: { readonly ledger: UsageTotals; readonly timers: Timers };
};

/** The work of each sub-agent so far: tool calls, tokens and time. */
export interface AgentWork {
  /** Count the tool calls of a message. @returns the progress of the agent's task if there are any */
  count(origin: AgentOrigin, message: Message): SessionMessageBody | undefined;
  /** Undefined for a task without an agent. */
  of(task: TaskStateBase): TaskWork | undefined;
  forget(id: TaskId): void;
}

export function createAgentWork({ agents, tasks, shared }: AgentWorkOwners): AgentWork {
  const { ledger, timers } = shared;
  const toolUses = new Map<TaskId, number>();

  const of: AgentWork['of'] = ({ id, startTime, endTime }) => {
    const agentId = agents.ofTask(id);
    if (agentId === undefined || !ledger.knows(agentId)) return undefined;
    return {
      total_tokens: totalTokens(ledger.subtree(agentId).usage),
      tool_uses: toolUses.get(id) ?? 0,
      duration_ms: (endTime ?? timers.now()) - startTime,
    };
  };

  return {
    of,
    count({ agentId, taskId, parentToolUseId }, message) {
      const uses = message.role === 'assistant' ? toolUsesOf(message) : [];
      const last = uses.at(-1);
      const task = tasks.find(taskId);
      if (last === undefined || task === undefined) return undefined;
      toolUses.set(taskId, (toolUses.get(taskId) ?? 0) + uses.length);
      const usage = of(task);
      if (usage === undefined) return undefined;
      return {
        type: 'system',
        subtype: 'task_progress',
        task_id: taskId,
        ...given({ tool_use_id: parentToolUseId ?? undefined }),
        description: task.description,
        ...given({ subagent_type: agents.live.get(agentId)?.parts.type }),
        usage,
        last_tool_name: last.name,
      };
    },
    forget: (id) => void toolUses.delete(id),
  };
}
