import { Effort } from '../../core/agents/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import { toTaskId } from '../../core/ids.js';
import { requirePermitted, type ModelLimits } from '../../model/choice/model-limits.js';
import { filledText } from '../../tools/calls/check-options.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import { contextUsageOf } from '../contract/context-usage.js';
import { mapTasks } from '../handles/map-tasks.js';
import { checkMode, checkUpdates } from './check-updates.js';
import type { Environment } from '../../files/folders.js';
import type { KnownNames } from '../../permissions/rules/rule-problems.js';
import type { PermissionState } from '../services/permission-state.js';
import type { SessionHandle } from '../contract/handles.js';
import { checkThinking } from './resume/session-choices.js';
import { hearOfFolders, hearOfModel, judgeModel } from '../agents/parts/heard-by-hooks.js';
import { costOfSwitch } from '../agents/parts/switch-cost.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { EventSource } from '../services/event-bus.js';
import type { Stopwatch } from '../services/timers.js';
import type { ModelPrices } from '../../usage/prices.js';
import type { UsageLedger } from '../../usage/usage-ledger.js';
import type { AppStateStore } from '../services/app-state-store.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import { BY_PROGRAM } from '../spawn/plan-agent.js';
import type { DreamOwners } from '../spawn/dream.js';
import { startAgent } from '../handles/start-agent.js';
import { hasBackground } from '../../tools/feature-gates.js';
import { backgroundTask } from '../tasks/task-commands.js';
import { createTaskHandle } from '../handles/task-handle.js';
import { startWorkflow } from '../workflow/start-workflow.js';

export type TaskControlOwners = DreamOwners &
  Parameters<typeof startAgent>[0] &
  Parameters<typeof startWorkflow>[0];

/** A program's actions on the tasks below a main agent. */
export function createTaskControls(
  owners: TaskControlOwners,
  agent: AgentRuntime,
): Pick<SessionHandle, 'spawn' | 'map' | 'workflow' | 'background' | 'dream' | 'task' | 'tasks'> {
  const { tasks } = owners;
  const { id: agentId, taskId } = agent.parts;
  const spawn: SessionHandle['spawn'] = (options) => startAgent(owners, agent.parts, options);
  return {
    spawn,
    map: ((items, toSpawn, options) =>
      mapTasks(spawn, items, toSpawn, options)) as SessionHandle['map'], // `settle` decides whether the results are outcomes
    async dream() {
      const { dream } = await import('../spawn/dream.js'); // few sessions need it
      return dream(owners, agent.parts);
    },
    workflow: (asked) => startWorkflow(owners, { taskId, agentId }, asked),
    async background(id) {
      if (!hasBackground(owners.settings.env)) return [];
      const wanted = tasks
        .list()
        .filter((one) =>
          id === undefined
            ? one.parentId === taskId && one.toolUseId !== BY_PROGRAM
            : one.id === id && one.id !== taskId,
        )
        .map((one) => one.id);
      const went = await Promise.all(wanted.map((one) => backgroundTask(tasks, one)));
      return wanted.filter((_, index) => went[index]);
    },
    task(id) {
      const known = toTaskId(id);
      return known === null || tasks.find(known) === undefined
        ? undefined
        : createTaskHandle(owners, known);
    },
    tasks: () => tasks.list(),
  };
}

/** A program's actions on the permission mode and rules of a session. */
export function createPermissionControls(
  {
    settings,
    permissions,
    hooks,
  }: {
    readonly settings: { readonly known: KnownNames };
    readonly permissions: PermissionState;
    readonly hooks: SessionHooks;
  },
  { parts }: Pick<AgentRuntime, 'parts'>,
): Pick<SessionHandle, 'permissions' | 'setPermissionMode' | 'updatePermissions'> {
  const updatePermissions: SessionHandle['updatePermissions'] = (updates) => {
    checkUpdates(updates, settings.known);
    permissions.apply(updates);
    hearOfFolders(hooks, parts, updates);
  };
  return {
    permissions: permissions.get,
    updatePermissions,
    setPermissionMode(mode) {
      checkMode(mode);
      updatePermissions([{ type: 'setMode', mode, destination: 'session' }]);
    },
  };
}

/** A program's actions on the model of a main agent. */
export function createModelControls(
  {
    options,
    settings,
    hooks,
    bus,
    store,
    shared,
  }: {
    readonly options: SessionOptions;
    readonly settings: {
      readonly env: Environment;
      readonly limitModels: ModelLimits;
      readonly contextWindow?: number | undefined;
      readonly prices?: ModelPrices | undefined;
    };
    readonly hooks: SessionHooks;
    readonly bus: EventSource;
    readonly store: Pick<AppStateStore, 'setState'>;
    readonly shared: { readonly ledger: UsageLedger; readonly timers: Stopwatch };
  },
  { parts, sampling }: AgentRuntime,
): Pick<SessionHandle, 'setModel' | 'setThinking' | 'setEffort' | 'contextUsage'> {
  const { model: firstModel, planModel: firstPlanModel } = parts;
  let sinceReply: (() => number) | undefined;
  bus.on('agent.sampled', ({ agentId }) => {
    if (agentId === parts.id) sinceReply = shared.timers.stopwatch();
  });
  const costOf = (to: string) => () =>
    costOfSwitch(to, parts, { ledger: shared.ledger, prices: settings.prices }, sinceReply?.());
  const use = (model: string | undefined, to: string): void => {
    const { model: from } = parts;
    parts.model = to;
    parts.planModel =
      model === undefined ? firstPlanModel : settings.limitModels.plan(model, settings.env);
    parts.toolContext = {
      ...parts.toolContext,
      session: { ...parts.toolContext.session, mainLoopModel: parts.model },
    };
    store.setState((state) => ({ ...state, mainLoopModel: to }));
    sampling.useOwnModel();
    const cost = costOf(to);
    hearOfModel(hooks, parts, { from, to, asked: model ?? null, source: 'sdk', cost });
  };
  return {
    setModel(model) {
      if (model !== undefined && !filledText.safeParse(model).success)
        throw new UsageError('session.setModel: give the id or the alias of a model, or nothing.');
      const to = model === undefined ? firstModel : requirePermitted(model, settings);
      const asked = { from: parts.model, to, asked: model ?? null, cost: costOf(to) };
      const judging = judgeModel(hooks, parts, asked);
      if (judging !== undefined) return judging.then(() => use(model, to));
      use(model, to);
      return Promise.resolve();
    },
    setThinking(thinking) {
      checkThinking(thinking, options);
      parts.thinking = thinking;
    },
    setEffort(effort) {
      if (!Effort.optional().safeParse(effort).success)
        throw new UsageError(
          `session.setEffort: give ${Effort.options.join(', ')}, or nothing for the model's default.`,
        );
      parts.effort = effort;
    },
    contextUsage: () => contextUsageOf(parts, settings.contextWindow),
  };
}
