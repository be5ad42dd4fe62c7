import { blocksOf, type SharedTask } from '../../core/tasks/shared-task.js';
import type { TeamCapabilities } from '../capabilities/team-capabilities.js';

const MARKS = { pending: ' ', in_progress: '>', completed: 'x' } as const;

/** `[>] #3 Run the tests (ann; blocked by #1)`: one line, so that no subject can look like another item. */
export function describeSharedTask(
  task: SharedTask,
  teams: Pick<TeamCapabilities, 'list' | 'isLive'>,
  team: string | undefined,
): string {
  const { id, subject, status, owner, blockedBy } = task;
  const { tasks } = teams.list(team).list;
  const open = blockedBy.filter((one) => tasks.get(one)?.status !== 'completed');
  const facts = [
    ...(owner === undefined ? [] : [ownerText(task, owner, teams)]),
    ...(open.length === 0 ? [] : [`blocked by ${open.map((one) => `#${one}`).join(', ')}`]),
  ];
  const text = `#${id} ${subject}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
  return `[${MARKS[status]}] ${text.replaceAll(/\s+/g, ' ')}`;
}

/** All fields of an item, in lines. */
export function describeWhole(
  task: SharedTask,
  teams: Pick<TeamCapabilities, 'list' | 'isLive'>,
  team: string | undefined,
): string {
  const blocks = blocksOf(teams.list(team).list, task.id);
  return [
    describeSharedTask(task, teams, team),
    task.description,
    ...(blocks.length === 0 ? [] : [`Blocks: ${blocks.map((one) => `#${one}`).join(', ')}`]),
    ...(task.metadata === undefined ? [] : [`Metadata: ${JSON.stringify(task.metadata)}`]),
  ].join('\n');
}

function ownerText(
  { status }: SharedTask,
  owner: string,
  { isLive }: Pick<TeamCapabilities, 'isLive'>,
): string {
  return status === 'completed' || isLive(owner)
    ? owner
    : `${owner}, who has ended: it may be taken`;
}
