import {
  treeOf,
  type AgentView,
  type TreeNode,
  type ViewState,
} from '../../api/sessions/session-view.js';
import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import type { PermissionRequest, TaskId } from '../../api/types.js';
import { callLine } from '../summaries/call-line.js';
import { readTodos } from '../terminal/views/read-todos.js';
import type { LiveCall, LiveFacts } from '../terminal/screen/screen-state.js';

const WIDTH = 60;

/** The node of a task, and the nodes below it. */
export function findNode(state: ViewState, task: TaskId): TreeNode | undefined {
  const find = (nodes: readonly TreeNode[]): TreeNode | undefined =>
    nodes.find((node) => node.task.state.id === task) ??
    nodes.map(({ children }) => find(children)).find((found) => found !== undefined);
  return find(treeOf(state));
}

/** The facts of an agent and of those below it, for the live part of the screen. */
export function liveFactsOf(
  { agent, children, total }: TreeNode,
  requests: readonly PermissionRequest[],
): Partial<LiveFacts> {
  const agents = rowsOf(children, 1);
  return {
    workingSince: agent === undefined ? undefined : workingSince(agent),
    queued: agent?.unread.map((envelope) => oneLine(textOf(envelope.content), 2 * WIDTH)) ?? [],
    agents,
    todos: agent === undefined ? [] : todosOf(agent),
    requests: requests.length,
    waiting: new Set(requests.flatMap(({ toolUseId, taskId }) => [toolUseId, taskId])),
    status: agent && {
      mode: agent.mode ?? 'default',
      model: agent.model,
      contextLeft: undefined,
      tokens: totalTokens(total.usage),
      costUsd: undefined,
      agents: agents.length,
    },
  };
}

/** When the agent took its newest prompt; undefined if it does not work. */
function workingSince({ activity, since, items }: AgentView): number | undefined {
  if (activity !== 'sampling' && activity !== 'acting') return undefined;
  return items.findLast(({ type }) => type === 'message')?.at ?? since;
}

/** One row for each agent at work. */
function rowsOf(nodes: readonly TreeNode[], depth: number): readonly LiveCall[] {
  return nodes.flatMap(({ agent, task: { state }, calls, children }): readonly LiveCall[] => {
    const below = rowsOf(children, depth + 1);
    if (agent === undefined || state.status !== 'running') return below;
    const call = calls.at(-1);
    const margin = '  '.repeat(depth - 1);
    const row: LiveCall = {
      id: state.id,
      toolUseId: state.toolUseId,
      text: `${margin}${oneLine(state.description, 40)} (${oneLine(agent.agentType, 30)})`,
      progress: call && callLine(call.tool, call.input, WIDTH),
      since: state.startTime,
    };
    return [row, ...below];
  });
}

function todosOf({ calls }: AgentView): LiveFacts['todos'] {
  const lists = [...calls.values()].filter(
    ({ tool, result }) => tool === 'TodoWrite' && result?.isError === false,
  );
  const newest = lists.at(-1);
  return (newest && readTodos({ name: newest.tool, input: newest.input })) ?? [];
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((block) => ('text' in block ? String(block.text) : '')).join('\n');
}
