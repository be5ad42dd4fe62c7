import type { TaskId, ToldActor } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { nameSome, oneLine } from '../../api/text.js';
import { TASK_TYPES, toTaskId } from '../../api/messages.js';
import type { SeenTroupe } from './running.js';

/** A live task in one of the running troupes. */
export type Target = {
  readonly troupe: SeenTroupe['troupe'];
  readonly task: TaskId;
  readonly kind: ToldActor['kind'];
  /** ID of its conversation; absent if it has none. */
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
};

/** Most tasks that a message names. */
const MOST_NAMED = 8;
const LABEL_WIDTH = 48;
const TASK_KINDS: ReadonlySet<string> = new Set(['session', ...TASK_TYPES]);

/**
 * Find the live task that `wanted` names: by its ID, its agent's ID, its session's ID, or its name.
 *
 * @param silent number of troupes that do not answer
 * @throws UsageError if no task, or more than one, has that name
 */
export function findTarget(seen: readonly SeenTroupe[], wanted: string, silent = 0): Target {
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
      `There are ${named.length} called "${wanted}": ${nameTargets(named)}. Give the ID of one.`,
    );
  const [other] = seen.flatMap(({ tree }) => findOthers(tree, wanted));
  if (other !== undefined)
    throw new UsageError(
      `"${wanted}" is not a task but a ${other.kind}${other.owner === undefined ? '' : ` of ${other.owner}`}. Give the ID of a session, an agent, a command or a workflow.`,
    );
  const nothing = silent === 0 ? 'Nothing runs.' : 'No running troupe answers.';
  const live = all.length === 0 ? nothing : `Running: ${nameTargets(all)}. See troupe ps.`;
  throw new UsageError(
    `No running task is called "${wanted}". ${live} For ended sessions: troupe sessions, troupe log.`,
  );
}

type Named = Target & { readonly label: string };

function targetsIn(troupe: SeenTroupe['troupe'], tree: ToldActor): readonly Named[] {
  const visit = (actor: ToldActor, session: string | undefined): readonly Named[] => {
    const sessionId = actor.sessionId ?? session;
    const task = TASK_KINDS.has(actor.kind) ? toTaskId(actor.id) : null;
    const own = task === null ? [] : [{ troupe, task, sessionId, ...describe(actor) }];
    return [...own, ...actor.children.flatMap((child) => visit(child, sessionId))];
  };
  return visit(tree, undefined);
}

/** The actor with this ID that is not a task, and its task. */
function findOthers(
  actor: ToldActor,
  wanted: string,
  owner?: string,
): readonly { readonly kind: string; readonly owner: string | undefined }[] {
  const isTask = TASK_KINDS.has(actor.kind);
  const own = actor.id === wanted && !isTask ? [{ kind: actor.kind, owner }] : [];
  const below = isTask ? actor.id : owner;
  return [...own, ...actor.children.flatMap((child) => findOthers(child, wanted, below))];
}

function describe({ kind, label, children }: ToldActor) {
  return { kind, label, agentId: children.find((child) => child.kind === 'agent')?.id };
}

function nameTargets(targets: readonly Named[]): string {
  const names = targets.map(({ label, task }) => `${task} (${oneLine(label, LABEL_WIDTH)})`);
  return nameSome(names, MOST_NAMED);
}
