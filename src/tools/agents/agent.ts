import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { listNames } from '../../core/text/list-names.js';
import { builtInAgentType, findAgentDefinition } from '../../core/agents/agent-type.js';
import { TaskFailedError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import { OWNER_ENDED, type TaskOutcome, type TaskStateBase } from '../../core/task-types.js';
import type { KeptWorktree } from '../../core/worktree.js';
import { completeTool } from '../complete-tool.js';
import { AgentInput, findAgentInputProblem } from './agent-input.js';
import { AgentKilledError } from './agent-killed-error.js';
import {
  AgentOutput,
  describeLeft,
  describeWorktree,
  type LeftTask,
  presentAgent,
  toAgentResultBlock,
} from './agent-output.js';
import { describeStart } from './describe-start.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import { ToolInputError } from '../tool-input-error.js';
import type { PermissionTarget } from '../tool.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/**
 * Gives a task to a sub-agent. In the foreground it resolves with the agent's last text when the agent and all its
 * tasks have ended, or when the agent is moved to the background; in the background it resolves when the agent has
 * started. Rejects with a TaskFailedError or an {@link AgentKilledError} that names the agent, and with the abort
 * reason after the aborted agent has ended.
 */
export const AgentTool = completeTool<typeof AgentInput, AgentOutput>({
  name: 'Agent',
  aliases: ['Task'],
  searchHint: 'delegate work to a sub-agent or worker',
  inputSchema: AgentInput,
  outputSchema: AgentOutput,
  maxResultSizeChars: 100_000,
  isConcurrencySafe: () => true,
  permissionTarget: ({ subagent_type }) => targetOf(subagent_type),
  checkPermissions: () => allowCoordination('starts an agent with its own permission checks'),
  toAutoClassifierInput: ({ subagent_type, prompt }) => `${subagent_type}: ${prompt}`,
  userFacingName: (input) => input?.subagent_type ?? 'Agent',
  description: ({ description }) => description,
  requestDetails: describeStart,
  prompt: ({ agents }) => describeAgents(agents),
  present: presentAgent,
  mapToolResultToToolResultBlockParam: toAgentResultBlock,

  validateInput(input, { session: { agentDefinitions } }) {
    const message = findAgentInputProblem(input, agentDefinitions);
    return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
  },

  async call(input, context) {
    const tasks = requireTasks('Agent', context.tasks);
    const { agentDefinitions } = context.session;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    // a program that calls the tool directly has not called `validateInput`
    const problem = findAgentInputProblem(input, agentDefinitions);
    if (problem !== undefined) throw new ToolInputError('Agent', problem);

    const { subagent_type: wanted, prompt, description, name, model, mode } = input;
    const { resume, isolation, team_name: team } = input;
    const definition = findAgentDefinition(agentDefinitions, wanted);
    const agentType = definition?.name ?? wanted;
    const isBackgrounded =
      team !== undefined || (input.run_in_background ?? definition?.background ?? false);
    const task = await tasks.spawn({
      ...(team === undefined ? { kind: 'local_agent' } : { kind: 'in_process_teammate', team }),
      agentType,
      prompt,
      description,
      ...(name !== undefined && { name }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { permissionMode: mode }),
      ...(resume !== undefined && { resume }),
      ...(isolation !== undefined && { isolation }),
      isBackgrounded,
      toolUseId: context.call.toolUseId,
    });
    const known = {
      task_id: task.id,
      ...(task.agentId !== undefined && { agentId: task.agentId }),
      agentType,
      ...(name !== undefined && { name }),
      ...(team !== undefined && { team }),
      background: isBackgrounded,
      ...(model !== undefined && { model }),
      output_file: task.outputFile,
    };
    if (isBackgrounded) return { data: { status: 'running', ...known } };

    const outcome = await waitOrKill(tasks, task.id, signal);
    if (outcome.status === 'backgrounded') {
      return { data: { status: 'running', ...known, background: true, wasMoved: true } };
    }
    const left = findLeft(tasks, task.id);
    const who = `The ${agentType} agent "${description}" (${task.id})`;
    const ended = tasks.find(task.id);
    const worktree = ended?.worktree;
    const result = toResult(outcome, { who, taskId: task.id, left, worktree });
    return {
      data: {
        status: 'completed',
        ...known,
        ...timesOf(ended),
        result,
        ...(left.length > 0 && { left }),
        ...(worktree !== undefined && { worktree }),
      },
    };
  },
});

function timesOf(
  task: TaskStateBase | undefined,
): Pick<AgentOutput, 'startTime' | 'endTime' | 'duration'> {
  if (task?.endTime === undefined) return {};
  const { startTime, endTime } = task;
  return { startTime, endTime, duration: endTime - startTime };
}

/** Rules match a built-in agent in any case. */
function targetOf(type: string): PermissionTarget {
  const builtIn = builtInAgentType(type);
  return builtIn === undefined
    ? { kind: 'name', name: type }
    : { kind: 'name', name: builtIn, ignoresCase: true, parameter: 'subagent_type' };
}

/** Tasks that were still running when the agent ended, and that ended with it. */
function findLeft(tasks: TaskCapabilities, parentId: TaskId): readonly LeftTask[] {
  return tasks
    .list()
    .filter(
      ({ parentId: parent, outcome }) =>
        parent === parentId && outcome?.status === 'killed' && outcome.reason === OWNER_ENDED,
    )
    .map(({ id, description }) => ({ id, description }));
}

function toResult(
  outcome: TaskOutcome,
  agent: {
    readonly who: string;
    readonly taskId: TaskId;
    readonly left: readonly LeftTask[];
    readonly worktree: KeptWorktree | undefined;
  },
): string {
  switch (outcome.status) {
    case 'completed':
      return typeof outcome.result === 'string'
        ? outcome.result
        : (JSON.stringify(outcome.result, null, 2) ?? '');
    case 'failed': {
      const message = `${agent.who} failed: ${outcome.failure.message}${describeLeft(agent.left)}${describeWorktree(agent.worktree)}`;
      throw new TaskFailedError({ ...outcome.failure, message });
    }
    case 'killed':
      throw new AgentKilledError(
        agent.who,
        agent.taskId,
        outcome.reason,
        describeWorktree(agent.worktree),
      );
    default:
      return outcome satisfies never;
  }
}

/** Characters of the list of agents, for few agents and for each of many. */
const LIST_CHARS = 8_000;
const CHARS_OF_AGENT = 150;

function describeAgents(agents: readonly AgentDefinition[]): string {
  const entries = agents.map(({ name, description: text }) => ({ name, text }));
  const lines = listNames(entries, Math.max(LIST_CHARS, CHARS_OF_AGENT * agents.length));
  return `Starts an agent that does a task on its own, in its own conversation.

Types of agents:
${lines.length === 0 ? '(none)' : lines.join('\n')}

- A new agent sees nothing of this conversation: its prompt must say everything that it needs to know, and what to report. Only you see its report: pass on what matters.
- run_in_background: false waits for the agent's last text; several calls in one reply run at the same time. true answers at once with a task ID, and a notification brings the result when the agent ends; meanwhile SendMessage reaches it, TaskOutput shows its state, TaskStop ends it. If left out, the type of the agent decides; most wait.
- resume continues an agent that you started and that has ended, with a new prompt: it remembers its conversation.
- The type fork is a copy of you that knows all of this conversation; several forks can run in parallel. A fork cannot be forked.
- isolation: "worktree" gives the agent its own git worktree, on a new branch from the last commit. If there is work in it at the end, it is kept, and the result names folder and branch for you to merge. Otherwise it is removed, with the files that git ignores.
- team_name makes it a teammate in a team that you lead (TeamCreate): it stays when it is idle, you get a notification each time, and SendMessage wakes it. It ends when it agrees to (shutdown_request), by TaskStop, or with you. In mode "plan" it presents its plan to you before it changes anything.
- Tasks that an agent leaves running end with it. It is never allowed more than you are.`;
}
