import { UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import { given } from '../../core/json/given.js';
import { oneLine } from '../../core/text/printable.js';
import type { TaskOutcome } from '../../core/task-types.js';
import type { SessionHandle, TaskHandle } from '../../actors/contract/handles.js';
import { checkMode } from './check-spawn.js';
import type { AgentState, OpenedFolder, ServedClient, SpawnRequest } from './serve-types.js';

const TITLE_WIDTH = 80;

/** A spawned agent. A resumed session gets a new task and keeps its ID. */
export type Agent = {
  readonly id: string;
  readonly kind: AgentState['kind'];
  readonly title: string;
  readonly folder: OpenedFolder;
  /** Choices that the session keeps when it is resumed. */
  readonly choices: OpenedFolder['start'];
  /** Listeners for the lines of the session. */
  readonly lines: Set<(line: string) => void>;
  client: ServedClient;
  session: SessionHandle;
  handle: TaskHandle;
  outcome: TaskOutcome | undefined;
};

/** Start a new session. @throws UsageError */
export function startSession(
  folder: OpenedFolder,
  request: SpawnRequest,
  client: ServedClient,
): Agent {
  const { prompt, agent, model, mode, budget, title = titleOf(prompt) } = request;
  checkMode(mode, folder.mode);
  const { usd, ...taskBudget } = budget ?? {};
  const { maxBudgetUsd, maxTurns, modelName } = folder.start;
  const choices: OpenedFolder['start'] = {
    ...given({ modelName: model ?? modelName, maxBudgetUsd: usd ?? maxBudgetUsd, maxTurns }),
    ...(Object.keys(taskBudget).length === 0 ? {} : { taskBudget }),
  };
  const session = folder.orchestrator.session({
    ...folder.start,
    ...choices,
    ...given({ agent, permissionMode: mode }),
    prompt,
    title,
  });
  return {
    id: session.sessionId,
    kind: 'session',
    title,
    client,
    folder,
    choices,
    lines: new Set(),
    session,
    handle: session,
    outcome: undefined,
  };
}

/** Start a sub-agent of a running session. @throws UsageError, TaskRefusedError */
export async function startBelow(
  parent: Agent,
  request: SpawnRequest,
  client: ServedClient,
): Promise<Agent> {
  const { below = '', cwd, tools, prompt, agent, model, mode, budget, title } = request;
  if (parent.kind !== 'session' || parent.outcome !== undefined)
    throw new UsageError(
      `below: ${below} is not a running session. Name one, or leave "below" out for a new session.`,
    );
  if (cwd !== undefined || tools !== undefined)
    throw new UsageError(
      'A sub-agent has the folder of its session and the tools of its type: remove "cwd" and "tools", or leave "below" out for a new session.',
    );
  checkMode(mode, parent.folder.mode);
  const { session, folder, lines } = parent;
  const description = title ?? titleOf(prompt);
  const handle = await session.spawn({
    prompt,
    description,
    ...given({ agent, model, permissionMode: mode, taskBudget: budget }),
  });
  return {
    id: handle.id,
    kind: 'sub-agent',
    title: description,
    client,
    folder,
    choices: {},
    lines,
    session,
    handle,
    outcome: undefined,
  };
}

/** Resume a session that has ended, with a message. @throws UsageError */
export function resumeSession(agent: Agent, text: string, client: ServedClient): void {
  const { id, kind, folder, choices } = agent;
  if (kind !== 'session')
    throw new UsageError(`${id} has ended. Only sessions take messages after their end.`);
  const session = folder.orchestrator.session({ ...choices, resume: id, prompt: text });
  Object.assign(agent, { client, session, handle: session, outcome: undefined });
}

export function stateOf(agent: Agent): AgentState {
  const { id, kind, title, handle, outcome } = agent;
  return {
    id,
    kind,
    title,
    status: outcome?.status ?? handle.status,
    ...(outcome?.status === 'completed' ? { result: outcome.result } : {}),
    ...(outcome?.status === 'failed' ? { error: outcome.failure.message } : {}),
    ...(outcome?.status === 'killed' ? { error: outcome.reason } : {}),
    waitsFor: outcome === undefined ? requestsOf(agent).map(({ requestId }) => requestId) : [],
    costUsd: handle.usage().total.costUsd ?? null,
  };
}

/** Pending requests of an agent and of all agents below it. */
function requestsOf({ folder, handle }: Agent): readonly PermissionRequest[] {
  const { approvals, task } = folder.orchestrator;
  return approvals.list().filter(({ taskId }) => task(taskId)?.path.includes(handle.id));
}

function titleOf(prompt: string): string {
  return oneLine(prompt, TITLE_WIDTH);
}
