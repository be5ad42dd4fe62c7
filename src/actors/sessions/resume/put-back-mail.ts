import { textBlock } from '../../../core/messages.js';
import { frame } from '../../../core/text/frame.js';
import type { EnteredWorktree } from '../../spawn/entered-worktree.js';
import type { AgentRuntime } from '../../agents/runtime/agent-runtime.js';
import type { PastTask } from '../../../journal/entries/task-entries.js';
import type { Mailroom } from '../../mail/mailroom.js';
import type { SessionStartup } from '../../agents/session/session-startup.js';
import type { ResumedSession } from '../../agents/session/resumed-session.js';
import type { PastTasks } from '../../tasks/past-tasks.js';
import { untoldEnds } from '../../agents/session/settle-past-tasks.js';

/**
 * Put the untaken messages of a resumed agent back into its mailbox, then notifications that it has not seen.
 *
 * @returns the number of waiting envelopes
 */
export function putBackMail(
  {
    mail,
    pastTasks,
    startup,
    entered,
    settings,
  }: {
    readonly mail: Mailroom;
    readonly pastTasks: Pick<PastTasks, 'earlier'>;
    readonly startup: SessionStartup;
    readonly entered: Pick<EnteredWorktree, 'lost'>;
    readonly settings: { readonly cwd: string };
  },
  { parts, acceptNotification }: Pick<AgentRuntime, 'parts' | 'acceptNotification'>,
  resumed: ResumedSession,
  revived: readonly PastTask[],
): number {
  const { earlier } = pastTasks;
  const unread = resumed.agent.mail;
  mail.restore(parts, unread);
  const { lost } = entered;
  if (lost !== undefined) {
    const text = frame(
      'system-reminder',
      {},
      `The worktree ${lost.path} that you entered is gone. You work in ${settings.cwd} again.`,
    );
    mail.accept(parts, mail.envelope('reminder', parts.id, [textBlock(text)]));
  }
  const goOn = new Set(revived.map(({ agentId }) => agentId));
  const isOver = ({ state, agentId }: PastTask): boolean =>
    state.type !== 'in_process_teammate' || // a resumed teammate has not ended
    (!goOn.has(agentId) &&
      earlier.findLast((one) => one.agentId === agentId)?.state.id === state.id);
  const untold = untoldEnds(earlier.filter(isOver), resumed);
  const tell = (): void => untold.forEach(acceptNotification);
  // the notifications name kept worktrees; the agent takes its first messages after those are known
  const worktrees = startup.worktrees();
  if (worktrees === undefined || untold.length === 0) tell();
  else void worktrees.then(tell).catch(() => {}); // a journal that cannot be written ends the agent with its next step
  return unread.length + untold.length + (lost === undefined ? 0 : 1);
}
