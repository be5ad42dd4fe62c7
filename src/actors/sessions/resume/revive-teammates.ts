import { toFailure } from '../../../core/errors.js';
import type { AgentId } from '../../../core/ids.js';
import type { PastTask } from '../../../journal/entries/task-entries.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { Spawn } from '../../spawn/spawn-task.js';
import type { TaskRecorder } from '../../tasks/task-recorder.js';
import type { TaskRegistry } from '../../tasks/task-registry.js';
import type { TeamList } from '../../teams/team-store.js';
import { BY_PROGRAM } from '../../spawn/plan-agent.js';
import { sendToAgent } from '../../tasks/task-commands.js';
import type { PastTasks } from '../../tasks/past-tasks.js';
import { isLost } from '../../agents/session/settle-past-tasks.js';

type ReviveOwners = {
  readonly tasks: TaskRegistry;
  readonly recorder: TaskRecorder;
  readonly spawn: Spawn;
};

type LostTeammate = PastTask & { readonly agentId: AgentId; readonly team: string };

/** The teammates of the main agent that were live when its process ended, each once, by its newest task. */
export function lostTeammates(
  {
    pastTasks,
    teams,
  }: { readonly pastTasks: Pick<PastTasks, 'earlier'>; readonly teams: TeamList },
  lead: AgentId,
): readonly LostTeammate[] {
  const own = teams.teams().filter((team) => team.lead === lead);
  const { earlier } = pastTasks;
  return earlier.flatMap(({ state, agentId }) => {
    if (agentId === undefined || state.type !== 'in_process_teammate' || !isLost(state)) return [];
    if (earlier.findLast((one) => one.agentId === agentId)?.state.id !== state.id) return [];
    const team = own.find(({ members }) => members.has(agentId))?.name;
    return team === undefined ? [] : [{ state, agentId, team }];
  });
}

/**
 * Resume the teammates that were lost with their process, with their conversations and their untaken messages. Their
 * parent is notified of each one that cannot be resumed.
 */
export async function reviveTeammates(
  { tasks, recorder, spawn }: ReviveOwners,
  lead: Pick<AgentIdentity, 'id' | 'taskId'>,
  lost: readonly LostTeammate[],
): Promise<void> {
  await Promise.all(
    lost.map(async ({ state: { id, type: kind, description }, agentId, team }) => {
      try {
        await spawn(lead.taskId, lead.id, {
          kind: 'in_process_teammate',
          team,
          resume: agentId,
          prompt: '',
          description,
          isBackgrounded: true,
          toolUseId: BY_PROGRAM,
        });
        recorder.notified(id);
      } catch (error) {
        const outcome = { status: 'failed', failure: toFailure(error) } as const;
        const notification = { type: 'task.notification', id, kind, outcome } as const;
        sendToAgent(tasks, lead.taskId, notification);
      }
    }),
  );
}
