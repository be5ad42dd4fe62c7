import { setMaxListeners } from 'node:events';
import { messageOf } from '../../core/errors.js';
import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import { onAbort } from '../../core/on-abort.js';
import { checkSpawn } from './check-spawn.js';
import type { TaskHandle } from '../contract/handles.js';
import type { SpawnOptions } from '../contract/spawn-options.js';
import type { Spawn } from '../spawn/spawn-task.js';
import type { TeamStore } from '../teams/team-store.js';
import { BY_PROGRAM } from '../spawn/plan-agent.js';
import { createTaskHandle, type HandleOwners } from './task-handle.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';
import { createTeam } from '../teams/team-capabilities.js';

/** Start a sub-agent of the main agent for a program. @throws UsageError, TaskRefusedError */
export async function startAgent(
  owners: HandleOwners & { readonly teams: TeamStore; readonly spawn: Spawn },
  owner: AgentIdentity,
  options: SpawnOptions,
): Promise<TaskHandle<string>> {
  checkSpawn(options);
  const { prompt, resume, isolation, background = false, team, signal } = options;
  const agentType = options.agent ?? (resume === undefined ? 'general-purpose' : undefined);
  const { name, model, permissionMode, description = firstLine(prompt), taskBudget } = options;
  if (signal?.aborted === true)
    throw new TaskRefusedError(`its signal was aborted before it (${messageOf(signal.reason)})`, {
      cause: signal.reason,
    });
  if (team !== undefined && owners.teams.find(team) === undefined)
    createTeam(owners.teams, owner, team, undefined);
  const spawned = await owners.spawn(owner.taskId, owner.id, {
    ...(team === undefined ? { kind: 'local_agent' } : { kind: 'in_process_teammate', team }),
    agentType,
    resume,
    isolation,
    prompt,
    description,
    isBackgrounded: background || team !== undefined,
    toolUseId: BY_PROGRAM,
    name,
    model,
    permissionMode,
    taskBudget,
  });
  const handle = createTaskHandle(owners, spawned.id) as TaskHandle<string>; // the result is the text of its last reply
  killOnAbort(handle, signal);
  return handle;
}

/** Kill a task of a program when the program's signal aborts. */
export function killOnAbort(
  { kill, outcome }: Pick<TaskHandle, 'kill' | 'outcome'>,
  signal: AbortSignal | undefined,
): void {
  if (signal instanceof AbortSignal) setMaxListeners(0, signal); // one signal may end a thousand agents
  void outcome.then(onAbort(signal, () => void kill('aborted by the program')));
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] as string).slice(0, 60); // a split has at least one part
}
