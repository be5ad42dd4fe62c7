import { UsageError } from '../../core/errors.js';
import { CHOOSABLE_PERMISSION_MODES, type PermissionMode } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { listModelAliases } from '../../model/choice/aliases.js';
import { ALL_MODELS, type ModelLimits } from '../../model/choice/model-limits.js';
import type { ContextUsage } from '../../actors/contract/context-usage.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { toSlashCommands } from '../../actors/contract/slash-commands.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import { keySourceOf } from '../../actors/sessions/messages/init-message.js';
import { toWireStatus } from '../../actors/sessions/messages/wire-status.js';
import type {
  AgentInfo,
  ContextUsageReport,
  McpServerState,
  ModelInfo,
  SessionDescription,
} from './query-types.js';
import type { Environment } from '../../files/folders.js';

export async function describeSession(
  session: Pick<SessionHandle, 'agents' | 'commands'>,
  options: Pick<OrchestratorOptions, 'context' | 'env' | 'limitModels' | 'liveFiles' | 'model'>,
): Promise<SessionDescription> {
  const { env = {}, limitModels, model: client, context = {} } = options;
  return {
    commands: toSlashCommands(session.commands()),
    agents: describeAgents(session),
    models: listModels({ env, limitModels }),
    output_style: context.outputStyle?.name ?? 'default',
    available_output_styles: await listStyles(options),
    account: { apiKeySource: keySourceOf(env, client) },
  };
}

/** The names of all output styles, as the files are now. */
export async function listStyles({
  liveFiles,
}: Pick<OrchestratorOptions, 'liveFiles'>): Promise<readonly string[]> {
  if (liveFiles !== undefined) return liveFiles.outputStyles();
  const { listBuiltInStyles } = await import('../../context/output-style.js');
  return listBuiltInStyles();
}

export function describeAgents(session: Pick<SessionHandle, 'agents'>): readonly AgentInfo[] {
  return session
    .agents()
    .map(({ name, description, model }) => ({ name, description, ...given({ model }) }));
}

export function listModels({
  env,
  limitModels = ALL_MODELS,
}: {
  readonly env: Environment;
  readonly limitModels?: ModelLimits | undefined;
}): readonly ModelInfo[] {
  return listModelAliases(env).flatMap(({ alias }) => {
    const id = limitModels.permit(alias, env);
    if (id === undefined) return [];
    return [{ value: alias, resolvedModel: id, displayName: alias, description: id }];
  });
}

/** @throws UsageError for a mode that does not exist */
export function toPermissionMode(mode: unknown): PermissionMode {
  const wanted = mode === 'manual' ? 'default' : mode;
  const known = CHOOSABLE_PERMISSION_MODES.find((one) => one === wanted);
  if (known !== undefined) return known;
  throw new UsageError(
    `There is no permission mode ${JSON.stringify(mode) ?? 'at all'}. Choose ${CHOOSABLE_PERMISSION_MODES.join(', ')}.`,
  );
}

export function listServers(session: Pick<SessionHandle, 'mcpServers'>): readonly McpServerState[] {
  return session.mcpServers().map((server) => ({
    name: server.name,
    status: toWireStatus(server),
    ...given({ error: server.problem }),
  }));
}

/** @throws UsageError if there is no task with this ID */
export async function stopTask(
  session: Pick<SessionHandle, 'task'>,
  taskId: string,
  reason: string,
): Promise<void> {
  const task = session.task(taskId);
  if (task === undefined) throw new UsageError(`There is no task "${taskId}".`);
  await task.kill(reason);
}

/**
 * Send tasks that an agent waits for to the background: the one that a tool call started, or all of them.
 *
 * @returns whether there was any
 */
export async function backgroundTasks(
  session: Pick<SessionHandle, 'background' | 'tasks'>,
  toolUseId?: string,
): Promise<boolean> {
  if (toolUseId === undefined) return (await session.background()).length > 0;
  const task = session.tasks().find((one) => one.toolUseId === toolUseId);
  return task !== undefined && (await session.background(task.id)).length > 0;
}

export function toContextUsageReport({
  model,
  tokens,
  contextWindow,
}: ContextUsage): ContextUsageReport {
  const free = Math.max(0, contextWindow - tokens);
  return {
    model,
    totalTokens: tokens,
    maxTokens: contextWindow,
    rawMaxTokens: contextWindow,
    percentage: Math.round((tokens / contextWindow) * 1_000) / 10,
    categories: [
      { name: 'System prompt, tools and messages', tokens, color: 'inactive', kind: 'used' },
      { name: 'Free space', tokens: free, color: 'inactive', kind: 'free' },
    ],
    gridRows: [],
    memoryFiles: [],
    mcpTools: [],
    agents: [],
  };
}
