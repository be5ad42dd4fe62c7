import { given } from '../../../core/json/given.js';
import type { AgentOrigin } from '../../services/event-bus.js';
import type { Speaker } from '../../contract/session-message.js';
import type { TaskMessageOwners } from './task-messages.js';

/** The sub-agent of a message, as the message names it. */
export function speakerOf(
  { agentId, taskId }: AgentOrigin,
  { agents, tasks }: Pick<TaskMessageOwners, 'agents' | 'tasks'>,
): Speaker {
  return {
    agent_id: taskId,
    ...given({
      subagent_type: agents.live.get(agentId)?.parts.type,
      task_description: tasks.find(taskId)?.description,
    }),
  };
}
