import type { InspectedActor } from '../../api/types.js';
import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';

/** The present state of one agent in the tree. */
export type AgentRow = {
  readonly id: string;
  readonly label: string;
  /** The drawn branch of the tree before its name. */
  readonly branch: string;
  readonly state: string;
  /** Work or wait of the agent, in words. */
  readonly activity: string;
  /** Whether a command of the agent runs. */
  readonly isRunningShell: boolean;
  readonly tokens: number;
};

/** The agents of the tree, parents first, siblings by name. `nameOfCall` describes a tool call, once it is known. */
export function toAgentRows(
  root: InspectedActor,
  rootLabel: string,
  nameOfCall: (toolUseId: string) => string | undefined,
): readonly AgentRow[] {
  const rows: AgentRow[] = [];
  const visit = (task: InspectedActor, own: string, below: string): void => {
    const agent = task.children.find((child) => child.kind === 'agent');
    const tasks = task.children
      .filter((child) => child.kind === 'local_agent')
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
    const shells = task.children.filter((child) => child.kind === 'local_bash');
    const { usage } = task;
    rows.push({
      id: task.id,
      label: task.kind === 'session' ? rootLabel : task.label,
      branch: own,
      state: agent?.state ?? task.state,
      activity: activityOf(agent, tasks.length, nameOfCall),
      isRunningShell: shells.some((shell) => shell.pid !== undefined),
      tokens: usage === undefined ? 0 : totalTokens(usage.usage),
    });
    for (const [index, child] of tasks.entries()) {
      const isLast = index === tasks.length - 1;
      visit(child, `${below}${isLast ? '└─ ' : '├─ '}`, `${below}${isLast ? '   ' : '│  '}`);
    }
  };
  for (const child of root.children) if (child.kind === 'session') visit(child, '', '');
  return rows;
}

function activityOf(
  agent: InspectedActor | undefined,
  children: number,
  nameOfCall: (toolUseId: string) => string | undefined,
): string {
  if (agent === undefined) return '';
  const calls = agent.children.flatMap(({ kind, id, state }) => {
    const name = kind === 'toolCall' ? nameOfCall(id) : undefined;
    if (name === undefined) return [];
    return [state.startsWith('deciding.asking') ? `${name} (asks)` : name];
  });
  if (calls.length > 0) return calls.join(' · ');
  if (agent.state.startsWith('idle') && children > 0)
    return `waits for ${children} ${children === 1 ? 'worker' : 'workers'}`;
  return '';
}

/** The least width of a line with columns. */
const LEAST_FOR_COLUMNS = 60;

/** One line of the tree. */
export function toRowText(row: AgentRow, width: number): string {
  const { branch, label, activity, tokens } = row;
  const [state = ''] = row.state.split('.');
  if (width < LEAST_FOR_COLUMNS) return oneWidth(`${branch}${label}: ${activity || state}`, width);
  const name = `${branch}${label}`.padEnd(16);
  const words = `${name} ${state.padEnd(11)} ${String(tokens).padStart(7)} tok  ${activity}`;
  return oneWidth(words, width);
}

function oneWidth(text: string, width: number): string {
  const characters = [...text.trimEnd()];
  return characters.length <= width
    ? text.trimEnd()
    : `${characters.slice(0, width - 1).join('')}…`;
}

/** A tool call in few words. */
export function toCallName(name: string, subject: string): string {
  return `${name} ${oneLine(subject, 48)}`;
}
