import type { Timers } from '../../actors/services/timers.js';
import { createActor, type AnyActorRef } from 'xstate';
import { UsageError } from '../../core/errors.js';
import { toTaskId, type AgentId, type TaskId } from '../../core/ids.js';
import { isTerminalTaskStatus } from '../../core/task-types.js';
import type { LiveCaller } from '../../actors/agents/runtime/live-caller.js';
import type { Admission } from '../../actors/tasks/admission.js';
import { createPermissionRequests } from '../../actors/approvals/permission-requests.js';
import type { PermissionRequests } from '../../actors/approvals/permission-requests.js';
import { inspectTree } from './inspect.js';
import { isOpen } from '../../actors/tasks/task-activity.js';
import { sendToAgent } from '../../actors/tasks/task-commands.js';
import { createStateTimes } from '../../actors/tasks/state-times.js';
import { provideMachines, type MachineEffects } from './machines.js';
import { createControl, createServers } from './mcp-services.js';
import { attachApprovers } from '../../actors/approvals/attach-approvers.js';
import { createPermissionWriter } from '../../actors/approvals/permission-writer.js';
import type { SharedServices } from '../../actors/agents/session/shared-services.js';
import type { Settings } from '../../actors/options/settings.js';
import { createBase } from './base.js';
import { toSettings } from '../options/check-orchestrator-options.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import type { TaskHandle } from '../../actors/contract/handles.js';
import type { Orchestrator } from '../../actors/contract/orchestrator.js';
import type { SessionStart } from '../../actors/contract/session-start.js';
import {
  createSessionDirectory,
  type SessionDirectory,
} from '../../actors/sessions/session-directory.js';
import { createSessionHome } from '../../actors/sessions/session-home.js';
import { createSessionStarter } from '../../actors/sessions/start-session.js';
import { createRemoteTriggers } from '../../actors/schedule/remote-triggers.js';
import { createScheduler } from '../../actors/schedule/scheduler.js';
import { createTaskHandle } from '../../actors/handles/task-handle.js';
import { toApprovals } from '../../actors/approvals/to-approvals.js';
import { toldOnce } from '../../actors/services/told-once.js';

/**
 * The composition root: everything of one tree of agents is made here, and two orchestrators share nothing. Starts no
 * process and writes no file before a session needs one.
 *
 * @example const troupe = createOrchestrator({ cwd: '/path/to/repository' }) const session = troupe.session({ prompt:
 * 'Fix the failing tests.' }) for await (const message of session) console.log(message.type) await troupe.close()
 */
export function createOrchestrator(options: OrchestratorOptions = {}): Orchestrator {
  const settings = toSettings(options);
  const sessions = createSessionDirectory();
  const control = createControl(sessions, () => {
    requireOpen();
    return { pool: mcp, root, env: settings.env, limits: () => settings.limitServers };
  });
  const base = createBase(settings, sessions, control.follow);
  const { timers, processes, agents, admission, follower } = base;
  const states = createStateTimes(timers.now);
  const home = createSessionHome(settings);
  const { mcp, agentServers, connection } = createServers(settings, sessions, base, () => root);
  const permissionWriter = createPermissionWriter(settings, settings.env);
  const requests: PermissionRequests = createPermissionRequests({
    root: () => root,
    sessionOfTask: sessions.get,
    timers,
    permissionWriter,
  });
  const root = createActor(
    provideMachines({
      timers,
      graceMs: settings.graceMs,
      requests: () => requests,
      schedulerLogic: () => scheduler.logic(),
      mcp: connection,
      session: ({ id }) => sessions.of(id),
      record: recordStatus(sessions, admission),
      timed: states.of,
      caller: (id) => liveCaller(agents, id),
    }),
    inspectionOf(settings),
  );
  root.start();
  const promptTool = attachApprovers(settings, requests, {
    open: () => mcp.open(root),
    call: mcp.call,
  });

  const { triggers, scheduler } = createSchedules(settings, sessions, base, () => root);
  const startSession = createSessionStarter(
    { settings, root, mcp, sessions, shared: { ...base, agentServers, scheduler, triggers } },
    { home, sandbox: base.sandbox },
  );
  const { close, requireOpen } = createEnd(async (reason) => {
    follower?.close();
    completeWaiting(sessions);
    await stop(root, reason);
    await triggers.close();
    await permissionWriter.settled();
    await processes.close();
    await base.telemetry.close();
    await closeJournals(sessions, timers);
    home.remove();
  });

  return {
    approvals: toApprovals(requests),
    mcp: control.mcp,
    inspect: () =>
      inspectTree(root, {
        since: states.since,
        sessionOf: ({ id }) => sessions.of(id),
        approvers: requests.approvers,
        places: admission?.places() ?? new Map(),
        processes: processes.list,
        triggers,
      }),
    task: (id) => handleOf(sessions, id),
    containment: () => processes.containment(),
    async ready() {
      if (promptTool === undefined) await mcp.open(root);
      else await promptTool.ready();
    },
    close,
    session: ((given: SessionStart = {}) => {
      requireOpen();
      return startSession(given);
    }) as Orchestrator['session'], // the start decides the type of the result
  };
}

/** The scheduler and the triggers of other programs, which wake agents. */
function createSchedules(
  { env }: Settings,
  sessions: SessionDirectory,
  { timers, agents }: Pick<SharedServices, 'agents' | 'timers'>,
  root: () => AnyActorRef,
) {
  const sessionOf = ({ parts }: LiveCaller) => sessions.of(parts.taskId);
  const parties = { timers, agents, sessionOf };
  return {
    triggers: createRemoteTriggers(parties),
    scheduler: createScheduler({ ...parties, env, root }),
  };
}

/** The end of an orchestrator, which happens once. */
function createEnd(
  end: (reason: string) => Promise<void>,
): Pick<Orchestrator, 'close'> & { readonly requireOpen: () => void } {
  let ending: Promise<void> | undefined;
  return {
    close: (reason = 'the program closed the orchestrator') => (ending ??= end(reason)),
    requireOpen() {
      if (ending !== undefined) throw new UsageError('The orchestrator is closed.');
    },
  };
}

function handleOf(sessions: SessionDirectory, id: string): TaskHandle | undefined {
  const known = toTaskId(id);
  const session = known === null ? undefined : sessions.find(known);
  return known === null || session === undefined ? undefined : createTaskHandle(session, known);
}

function inspectionOf({ inspect }: Settings): Pick<Settings, 'inspect'> {
  return inspect === undefined ? {} : { inspect: toldOnce('The function `inspect`', inspect) };
}

function liveCaller(callers: ReadonlyMap<AgentId, LiveCaller>, id: AgentId): LiveCaller {
  const caller = callers.get(id);
  if (caller === undefined) throw new Error(`No live agent has the ID ${id}.`);
  return caller;
}

/** Sessions that have answered and wait for a prompt are over, not killed. */
function completeWaiting(sessions: SessionDirectory): void {
  for (const { options, tasks } of sessions.live())
    if (isOpen(tasks, options.taskId)) sendToAgent(tasks, options.taskId, { type: 'agent.quit' });
}

async function closeJournals(sessions: SessionDirectory, timers: Timers): Promise<void> {
  for (const { journal } of sessions.live()) await journal.close();
  timers.close();
}

/** Resolves when everything below the root has ended. */
function stop(root: AnyActorRef, reason: string): Promise<void> {
  const stopped = new Promise<void>((resolve) => root.subscribe({ complete: resolve }));
  root.send({ type: 'orchestrator.close', reason });
  return stopped;
}

/** Tell journal, bus and read model the status of a task. No other code does. */
function recordStatus(
  sessions: SessionDirectory,
  admission: Admission | undefined,
): MachineEffects['record'] {
  return (actor, status, context) => {
    const { input: task } = context;
    const session = sessions.get(task.id) ?? sessions.of(task.parentId as TaskId); // the root's session is added before
    sessions.add(task.id, session);
    session.recorder.observe(actor, status, context);
    admission?.observe(task.id, status, context.isIdle);
    if (!isTerminalTaskStatus(status)) return;
    if (task.agentId !== undefined) session.factory.end(task.agentId, status);
    if (task.kind !== 'session') return;
    queueMicrotask(() => void session.journal.close().then(() => sessions.end(session)));
  };
}
