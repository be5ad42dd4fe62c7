import type { ToldActor } from '../../actors/control/protocol.js';
import { UsageError } from '../../core/errors.js';
import { toTaskId, type TaskId } from '../../core/ids.js';
import type { SeenTroupe } from './running.js';

/** A live task in one of the running troupes. */
export type Target = {
  readonly troupe: SeenTroupe['troupe'];
  readonly task: TaskId;
  readonly kind: ToldActor['kind'];
  /** Its conversation, where it has one. */
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
};

/** How many tasks a message names. */
const MOST_NAMED = 8;

/**
 * The live task that `wanted` names: its id, its agent's id, its session's id, or its name.
 *
 * @throws UsageError where there is none, or more than one of that name
 */
export function findTarget(seen: readonly SeenTroupe[], wanted: string): Target {
  const all = seen.flatMap(({ troupe, tree }) => targetsIn(troupe, tree));
  const byId = all.find(({ task, agentId, sessionId, kind }) =>
    [task, agentId, kind === 'session' ? sessionId : undefined].includes(wanted),
  );
  if (byId !== undefined) return byId;
  const named = all.filter(({ label }) => label === wanted);
  const [only, another] = named;
  if (only !== undefined && another === undefined) return only;
  if (only !== undefined)
    throw new UsageError(
      `There are ${named.length} called "${wanted}": ${nameSome(named)}. Give the id of one.`,
    );
  const live = all.length === 0 ? 'Nothing runs.' : `Running: ${nameSome(all)}. See troupe ps.`;
  throw new UsageError(
    `Nothing that runs is called "${wanted}". ${live} What has ended: troupe sessions, troupe log.`,
  );
}

type Named = Target & { readonly label: string };

function targetsIn(troupe: SeenTroupe['troupe'], tree: ToldActor): readonly Named[] {
  const visit = (actor: ToldActor, session: string | undefined): readonly Named[] => {
    const sessionId = actor.sessionId ?? session;
    const task = toTaskId(actor.id);
    const own = task === null ? [] : [{ troupe, task, sessionId, ...describe(actor) }];
    return [...own, ...actor.children.flatMap((child) => visit(child, sessionId))];
  };
  return visit(tree, undefined);
}

function describe({ kind, label, children }: ToldActor) {
  return { kind, label, agentId: children.find((child) => child.kind === 'agent')?.id };
}

function nameSome(targets: readonly Named[]): string {
  const first = targets.slice(0, MOST_NAMED).map(({ label, task }) => `${task} (${label})`);
  const left = targets.length - first.length;
  return `${first.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}
