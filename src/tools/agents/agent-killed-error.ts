import { TroupeError } from '../../core/errors.js';

/** Somebody ended a sub-agent that was waited for. */
export class AgentKilledError extends TroupeError {
  override readonly name = 'AgentKilledError';
  readonly code = 'AGENT_KILLED';
  readonly taskId: string;
  readonly reason: string;

  /**
   * @param who the agent in words: its type and task
   * @param more what else the model is told
   */
  constructor(who: string, taskId: string, reason: string, more = '') {
    super(`${who} was killed: ${reason}${more}`, { details: { taskId, reason } });
    this.taskId = taskId;
    this.reason = reason;
  }
}
