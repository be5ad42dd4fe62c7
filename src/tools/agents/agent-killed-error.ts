import { TroupeError } from '../../core/errors.js';

/** A sub-agent in the foreground was killed. */
export class AgentKilledError extends TroupeError {
  override readonly name = 'AgentKilledError';
  readonly code = 'AGENT_KILLED';
  readonly taskId: string;
  readonly reason: string;

  /**
   * @param who the agent in words: its type and task
   * @param more further text for the model
   */
  constructor(who: string, taskId: string, reason: string, more = '') {
    super(`${who} was killed: ${reason}${more}`, { details: { taskId, reason } });
    this.taskId = taskId;
    this.reason = reason;
  }
}
