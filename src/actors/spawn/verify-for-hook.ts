import type { Environment } from '../../files/folders.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { modelOfHook, type ModelLimits } from '../../model/choice/model-limits.js';
import { HOOK_AGENT } from '../hooks/placed-hooks.js';
import type { AskForHook } from '../hooks/run-prompt-hook.js';
import { killTask } from '../tasks/task-commands.js';
import { BY_PROGRAM } from './plan-agent.js';
import type { Spawn, SpawnOwners } from './spawn-task.js';

const MOST_TURNS = 50;

/** Give the question of a hook to a sub-agent that may read files, and return its answer. */
export async function verifyForHook(
  {
    agents,
    tasks,
    shared,
    settings,
    spawn,
  }: SpawnOwners & {
    readonly settings: { readonly env: Environment; readonly limitModels: ModelLimits };
    readonly spawn: Spawn;
  },
  ...[agentId, { system, text, model }, signal]: Parameters<AskForHook>
): ReturnType<AskForHook> {
  const agent = agents.live.get(agentId);
  if (agent === undefined) throw new Error('its agent has ended');
  const { taskId } = agent.parts;
  const definition: AgentDefinition = {
    name: HOOK_AGENT,
    description: 'Verifies the condition of a hook.',
    prompt: system,
    tools: ['Read', 'Grep', 'Glob'],
    model: modelOfHook(model, settings, agent.parts.model),
    maxTurns: MOST_TURNS,
  };
  const request = {
    kind: 'local_agent',
    agentType: HOOK_AGENT,
    prompt: text,
    description: 'The condition of a hook',
    isBackgrounded: false,
    toolUseId: BY_PROGRAM,
  } as const;
  const { id } = await spawn(taskId, agentId, request, definition);
  const goOn = shared.admission?.idle(taskId);
  try {
    const outcome = await tasks.waitFor(id, signal);
    if (outcome.status === 'completed') return String(outcome.result);
    throw new Error(outcome.status === 'failed' ? outcome.failure.message : outcome.reason);
  } catch (error) {
    await killTask(tasks, id, 'its hook has ended');
    throw error;
  } finally {
    goOn?.();
  }
}
