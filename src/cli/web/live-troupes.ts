import { choicesOf, describeUpdate } from '../approval/choices.js';
import { describeRequest, type ShownRequest } from '../approval/describe-request.js';
import { readChange } from '../approval/read-change.js';
import { whoAsks } from '../approval/who-asks.js';
import { userFolders } from '../../api/files/folders.js';
import { fieldsOfForm, readElicitation, type FormField } from '../../api/sessions/prompts.js';
import type { Environment, ToldActor } from '../../api/types.js';
import { messageOf } from '../../api/errors.js';
import { seeAll, type SeenTroupe } from '../control/running.js';
import { describeActivities } from '../control/tree-rows.js';
import { createRequestReader, type WaitingRequest } from '../control/waiting-requests.js';
import { describePath } from '../summaries/request-path.js';

/** A running troupe as the page shows it. */
export type LiveTroupe = {
  readonly pid: number;
  readonly cwd: string;
  readonly startedAt: number;
  /** IDs of its sessions. */
  readonly sessions: readonly string[];
  readonly budgets: readonly LiveBudget[];
  /** The work and the waits of tasks in words, by the ID of the task. */
  readonly activities: Readonly<Record<string, string>>;
};

/** The budget of a task and everything below it. */
export type LiveBudget = NonNullable<ToldActor['budget']> & {
  readonly session: string;
  readonly task: string;
  readonly name: string;
};

/** A field of a form of an MCP server. */
export type LiveField = Omit<FormField, 'problemOf'>;

/** A request as the page shows it: its whole input, and what a decision that lasts would allow. */
export type LiveRequest = {
  readonly requestId: string;
  readonly kind: string;
  readonly at: number;
  /** The session of its agent, and the folder of its troupe. */
  readonly session: string | undefined;
  readonly cwd: string;
  readonly taskId: string;
  readonly who: string;
  readonly path: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly shown: ShownRequest;
  /** The fields of a form; absent for another request. */
  readonly form?: readonly LiveField[];
  /** The page that an MCP server wants the person to open. */
  readonly page?: string;
  readonly always: Readonly<Partial<Record<'session' | 'folder', string>>>;
};

export type Live = {
  readonly troupes: readonly LiveTroupe[];
  readonly requests: readonly LiveRequest[];
  /** Troupes that do not answer, one line each. */
  readonly silent: readonly string[];
};

/** The running troupes for a page: the IDs of all requests, and the requests that it does not have. */
export type LiveNews = Omit<Live, 'requests'> & {
  readonly requests: { readonly ids: readonly string[]; readonly fresh: readonly LiveRequest[] };
};

/**
 * Looks at the running troupes for a page that has the requests with the IDs `known`. A request is described once: its input
 * never changes.
 */
export function createLiveLook(world: {
  readonly env: Environment;
}): (known: ReadonlySet<string>) => Promise<LiveNews> {
  let described = new Map<string, LiveRequest>();
  const readRequests = createRequestReader();
  return async (known) => {
    const silent: string[] = [];
    const note = (line: string): void => void silent.push(line);
    const home = userFolders(world.env).troupe;
    const seen = await seeAll(home, (_, error) => note(messageOf(error)));
    try {
      const waiting = await readRequests(seen, note);
      const requests = await Promise.all(
        waiting.map((one) => described.get(one.request.requestId) ?? toLiveRequest(one, seen)),
      );
      described = new Map(requests.map((one) => [one.requestId, one]));
      const troupes = seen.map(({ troupe: { owner, cwd, startedAt }, tree }) => {
        const sessions = tree.children.flatMap(({ sessionId }) => sessionId ?? []);
        const activities = describeActivities(tree);
        return { pid: owner.pid, cwd, startedAt, sessions, budgets: budgetsIn(tree), activities };
      });
      const ids = requests.map(({ requestId }) => requestId);
      const fresh = requests.filter(({ requestId }) => !known.has(requestId));
      return { troupes, requests: { ids, fresh }, silent };
    } finally {
      for (const { troupe } of seen) troupe.close();
    }
  };
}

async function toLiveRequest(
  { troupe, agents, request }: WaitingRequest,
  seen: readonly SeenTroupe[],
): Promise<LiveRequest> {
  const { requestId, kind, at, agent, taskId, input } = request;
  const who = whoAsks(agent);
  const change = await readChange(request, new AbortController().signal);
  const { session, folder } = choicesOf(request, '');
  const [forSession] = session;
  const [forFolder] = folder;
  return {
    requestId,
    kind,
    at,
    session: seen.flatMap(({ tree }) => sessionOf(taskId, tree) ?? []).at(0),
    cwd: troupe.cwd,
    taskId,
    who,
    path: describePath(request.path, 'you', agents),
    input,
    shown: describeRequest(request, who, change),
    ...(kind === 'elicitation' ? formOf(input) : {}),
    always: {
      ...(forSession === undefined ? {} : { session: describeUpdate(forSession) }),
      ...(forFolder === undefined ? {} : { folder: describeUpdate(forFolder) }),
    },
  };
}

function formOf(input: unknown): Pick<LiveRequest, 'form' | 'page'> {
  const { requestedSchema, url } = readElicitation(input) ?? {};
  if (url !== undefined) return { page: url };
  if (requestedSchema === undefined) return { form: [] };
  return { form: fieldsOfForm(requestedSchema).map(({ problemOf: _, ...field }) => field) };
}

/** The session that a task belongs to; undefined if it is not in the tree. */
function sessionOf(task: string, { id, sessionId, children }: ToldActor): string | undefined {
  if (id === task) return sessionId ?? '';
  for (const child of children) {
    const found = sessionOf(task, child);
    if (found !== undefined) return found === '' ? (sessionId ?? '') : found;
  }
  return undefined;
}

function budgetsIn(actor: ToldActor, above = ''): readonly LiveBudget[] {
  const { id: task, label: name, sessionId: session = above, budget, children } = actor;
  return [
    ...(budget === undefined ? [] : [{ ...budget, session, task, name }]),
    ...children.flatMap((child) => budgetsIn(child, session)),
  ];
}
