import type { ToldActor } from '../../api/types.js';
import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import { describeAge } from '../describe-time.js';
import type { SeenTroupe } from './running.js';

const LABEL_WIDTH = 48;
const WAIT_WIDTH = 100;

export const TREE_HEAD = ['actor', 'id', 'state', 'since', 'tokens', 'cost', 'waits for'] as const;

/** A running troupe as a table, parents first; tokens and cost of a task are those of everything below it too. */
export function toTreeRows(
  { troupe: { owner, cwd, startedAt }, tree }: SeenTroupe,
  now: number,
): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [
    [
      `troupe in ${oneLine(cwd, Infinity)}`,
      String(owner.pid),
      oneLine(tree.state, Infinity),
      describeAge(now - startedAt),
      '',
      '',
      '',
    ],
  ];
  const visit = (actor: ToldActor, own: string, below: string): void => {
    rows.push(toRow(actor, own, now));
    for (const [index, child] of actor.children.entries()) {
      const isLast = index === actor.children.length - 1;
      visit(child, `${below}${isLast ? '└─ ' : '├─ '}`, `${below}${isLast ? '   ' : '│  '}`);
    }
  };
  for (const [index, child] of tree.children.entries()) {
    const isLast = index === tree.children.length - 1;
    visit(child, isLast ? '└─ ' : '├─ ', isLast ? '   ' : '│  ');
  }
  return rows;
}

function toRow(actor: ToldActor, branch: string, now: number): readonly string[] {
  const { kind, label, state, since, usage, waitingFor, pid } = actor;
  const id = oneLine(actor.id, Infinity);
  const name = oneLine(label === kind ? kind : `${kind} ${label}`, LABEL_WIDTH);
  return [
    `${branch}${name}`,
    pid === undefined ? id : `${id} (pid ${pid})`,
    oneLine(state, Infinity),
    describeAge(now - since),
    usage === undefined ? '' : String(totalTokens(usage.usage)),
    usage === undefined ? '' : usage.costUsd === undefined ? '?' : `$${usage.costUsd.toFixed(4)}`,
    oneLine(waitingFor.map(withShortTimes).join('; '), WAIT_WIDTH),
  ];
}

/** A moment that has passed stands in the column `since` already; one to come is shown as the time of this day. */
function withShortTimes(wait: string): string {
  return wait.replace(/, (?:asked|last heard) at \S+Z/, '').replace(ISO_TIME, (iso) => {
    const date = new Date(iso);
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    return parts.map((part) => String(part).padStart(2, '0')).join(':');
  });
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
