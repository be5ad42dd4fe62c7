import { z } from 'zod';
import type { ToolResultBlock } from '../../core/messages.js';
import type { ToolView } from '../tool-view.js';
import { describeKept, type KeptWorktree } from '../../core/worktree.js';

/** A task that was still running when the agent ended, and ended with it. */
const LeftTask = z.lazy(() => z.object({ id: z.string(), description: z.string() }));
export type LeftTask = Readonly<z.infer<typeof LeftTask>>;

/** The result of the tool Agent. In the background it comes at once, without a `result`. */
export const AgentOutput = z.lazy(() =>
  z.object({
    status: z.enum(['running', 'completed']),
    task_id: z.string(),
    agentId: z.string().optional(),
    agentType: z.string(),
    name: z.string().optional(),
    /** The team of the agent. */
    team: z.string().optional(),
    background: z.boolean(),
    /** The agent began in the foreground. */
    wasMoved: z.boolean().optional(),
    /** The model that the call named. */
    model: z.string().optional(),
    /** Epoch ms. */
    startTime: z.number().optional(),
    /** Epoch ms. */
    endTime: z.number().optional(),
    /** Milliseconds. */
    duration: z.number().optional(),
    /** The last text of the agent. */
    result: z.string().optional(),
    left: z.array(LeftTask).readonly().optional(),
    /** The git worktree of the agent, which is kept because there is work in it. */
    worktree: z.object({ path: z.string(), branch: z.string(), why: z.string() }).optional(),
    /** The file of all its output, an absolute path. */
    output_file: z.string(),
  }),
);
export type AgentOutput = Readonly<z.infer<typeof AgentOutput>>;

/** Make the result for the model: the agent's last text, or where to find the running agent. */
export function toAgentResultBlock(output: AgentOutput, toolUseId: string): ToolResultBlock {
  const content = output.status === 'running' ? describeStart(output) : describeEnd(output);
  return { type: 'tool_result', tool_use_id: toolUseId, content };
}

/** The report of the agent for people; while it runs, the task that has it. */
export function presentAgent({
  status,
  task_id,
  agentType,
  name = agentType,
  result = '',
}: AgentOutput): ToolView {
  return status === 'running'
    ? { kind: 'summary', text: `${name} works in the background as ${task_id}` }
    : { kind: 'list', items: result.split('\n') };
}

/** A last paragraph about the tasks that ended with the agent; empty if there are none. */
export function describeLeft(left: readonly LeftTask[]): string {
  if (left.length === 0) return '';
  const lines = left.map(({ id, description }) => `- ${id} (${description})`);
  return `\n\n[These tasks of the agent were still running and were ended with it:\n${lines.join('\n')}]`;
}

/** A paragraph about the work to merge; empty if there is none. */
export function describeWorktree(worktree: KeptWorktree | undefined): string {
  return worktree === undefined ? '' : `\n\n[${describeKept(worktree)}]`;
}

function describeStart(output: AgentOutput): string {
  const { agentType, task_id, agentId, name, team, wasMoved, output_file } = output;
  const lines = [
    wasMoved === true
      ? `The ${agentType} agent was moved to the background and keeps running.`
      : `The ${agentType} agent runs in the background.`,
    `Task: ${task_id}`,
    ...(agentId === undefined ? [] : [`Agent: ${agentId}`]),
    ...(name === undefined ? [] : [`Name: ${name}`]),
    ...(team === undefined ? [] : [`Team: ${team}`]),
    `Output: ${output_file}`,
    team === undefined
      ? 'A notification with its result follows when it ends; there is no need to ask for it.'
      : 'You get a notification each time it is idle, and when it ends; there is no need to ask for it.',
  ];
  return lines.join('\n');
}

function describeEnd({ result = '', left = [], worktree, agentId }: AgentOutput): string {
  const text = result === '' ? '(The agent ended without a text.)' : result;
  return `${text}${describeLeft(left)}${describeWorktree(worktree)}${describeResume(agentId)}`;
}

/** A last paragraph that says how to resume the agent. */
function describeResume(agentId: string | undefined): string {
  return agentId === undefined ? '' : `\n\n[Agent: ${agentId}, for resume]`;
}
