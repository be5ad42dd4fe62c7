import type { Tool } from '../../tools/tool.js';
import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { findAgentDefinition, FORK, isSameAgentType } from '../../core/agents/agent-type.js';
import { toolUsesOf } from '../../core/messages.js';
import { PermissionMode } from '../../core/permission-types.js';
import type { Environment } from '../../files/folders.js';
import { requirePermitted, type ModelLimits } from '../../model/choice/model-limits.js';
import type { Worktree } from '../../core/worktree.js';
import type { AgentRequest } from '../../tools/capabilities/task-capabilities.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import { onlyUnknownTools } from '../agents/tools-of-agent.js';
import { forkAgent, type ForkedAgent } from '../agents/conversation/fork.js';
import type { ResumableAgent } from '../agents/conversation/resumable-agent.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import type { SessionMcp } from '../agents/session/session-options.js';
import { LASTS, TaskRefusedError } from '../contract/task-refused-error.js';
import { teamOf, type TeamOwners } from '../teams/membership.js';
import { findResumableAgent, type ResumableOwners } from './find-resumable-agent.js';
import { checkTeam } from './check-team.js';

/** The services that a plan is made with. */
export type PlanOwners = ResumableOwners &
  TeamOwners & {
    readonly options: {
      readonly tools: readonly Tool[];
      readonly mcp?: Pick<SessionMcp, 'servers'> | undefined;
    };
    readonly settings: {
      readonly definitions: readonly AgentDefinition[];
      readonly maxDepth: number;
      readonly env: Environment;
      readonly limitModels: ModelLimits;
    };
  };

/** The plan for a requested agent: new, resumed, or a fork of the caller. */
export type AgentPlan = {
  readonly definition: AgentDefinition;
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  /** `new`, or the agent's existing worktree. */
  readonly needsWorktree: 'new' | Worktree | undefined;
  readonly earlier?: ResumableAgent;
  readonly fork?: ForkedAgent;
};

/** In place of the ID of a tool call: no call waits for a task of a program. */
export const BY_PROGRAM = 'program';

/**
 * @param known the definition, if the caller has its own one
 * @throws TaskRefusedError, JournalDamagedError; UsageError for a model that may not be used
 */
export function planAgent(
  owners: PlanOwners,
  parent: LiveCaller,
  request: AgentRequest,
  known?: AgentDefinition,
): AgentPlan | Promise<AgentPlan> {
  const { definitions, maxDepth } = owners.settings;
  if (parent.parts.depth + 1 > maxDepth)
    throw new TaskRefusedError(
      `agents may be at most ${maxDepth} deep, and this one would be deeper`,
      LASTS,
    );
  checkNameIsFree(owners.agents, request.name);
  checkTeam(owners, parent.parts, request);
  const { model = 'inherit' } = request;
  if (model.toLowerCase() !== 'inherit') requirePermitted(model, owners.settings);
  if (request.resume !== undefined) return planResumed(owners, parent, request, request.resume);
  const definition = known ?? findAgentDefinition(definitions, request.agentType);
  if (definition !== undefined) {
    checkTools(owners, definition);
    return planNew(parent, request, definition);
  }
  if (request.agentType === FORK) return planFork(owners, parent, request);
  throw new TaskRefusedError(
    `there is no agent type "${request.agentType}". Available: ${definitions.map((one) => one.name).join(', ')}`,
    LASTS,
  );
}

/** @throws TaskRefusedError */
function checkTools({ options }: PlanOwners, definition: AgentDefinition): void {
  const servers = (options.mcp?.servers() ?? []).map(({ name }) => name);
  const unknown = onlyUnknownTools(definition, options.tools, servers);
  if (unknown.length === 0) return;
  throw new TaskRefusedError(
    `the agent "${definition.name}" names no known tool: ${unknown.join(', ')}`,
    LASTS,
  );
}

/** @throws TaskRefusedError */
export function checkNameIsFree(agents: AgentDirectory, name: string | undefined): void {
  const id = name === undefined ? undefined : agents.names.find(name);
  if (id !== undefined && agents.live.has(id))
    throw new TaskRefusedError(`the name "${name}" is taken by a running agent`);
}

function planNew(
  { parts }: LiveCaller,
  request: AgentRequest,
  definition: AgentDefinition,
): AgentPlan {
  const isPlanning = parts.permissionContext().mode === 'plan';
  if (isPlanning && request.isolation !== undefined)
    throw new TaskRefusedError(
      'in plan mode nothing is changed, and a worktree is a change: leave isolation out',
    );
  const isolation = isPlanning ? undefined : (request.isolation ?? definition.isolation);
  return {
    definition,
    name: request.name,
    model: request.model,
    permissionMode: modeOf(request),
    needsWorktree: isolation === undefined ? undefined : 'new',
  };
}

function planResumed(
  owners: PlanOwners,
  parent: LiveCaller,
  request: AgentRequest,
  wanted: string,
): AgentPlan {
  const earlier = findResumableAgent(owners, parent.parts, wanted);
  const { agentType, name, model, askedMode, worktree } = earlier;
  const who = `the agent ${earlier.agentId}`;
  if (request.agentType !== undefined && !isSameAgentType(request.agentType, agentType))
    throw new TaskRefusedError(`${who} is of the type ${agentType}, not ${request.agentType}`);
  if (request.name !== undefined && request.name !== name)
    throw new TaskRefusedError(
      `${who} keeps ${name === undefined ? 'having no name' : `its name, ${name}`}: leave the name out`,
    );
  if (request.isolation !== undefined && worktree === undefined)
    throw new TaskRefusedError(`${who} keeps its folder: remove isolation`);
  const team = teamOf(owners.teams, earlier.agentId)?.name;
  if (team !== (request.kind === 'in_process_teammate' ? request.team : undefined))
    throw new TaskRefusedError(
      team === undefined
        ? `${who} is no teammate: leave the team out`
        : `${who} is a teammate of "${team}": name that team`,
    );
  checkNameIsFree(owners.agents, name);
  const definition =
    findAgentDefinition(owners.settings.definitions, agentType) ??
    (agentType === FORK ? definitionOfFork(owners, parent.parts) : undefined);
  if (definition === undefined)
    throw new TaskRefusedError(`${who} is of the type ${agentType}, which is not defined any more`);
  return {
    definition,
    name,
    model: request.model ?? model,
    permissionMode: modeOf(request) ?? askedMode,
    needsWorktree: worktree,
    earlier,
  };
}

async function planFork(
  owners: PlanOwners,
  { parts }: LiveCaller,
  request: AgentRequest,
): Promise<AgentPlan> {
  if (parts.type === FORK)
    throw new TaskRefusedError('a fork cannot be forked: do it yourself, or start another agent');
  if (request.model !== undefined || request.isolation !== undefined)
    throw new TaskRefusedError(
      'a fork has the model and the folder of the agent that it is a copy of: leave model and isolation out',
    );
  if (request.toolUseId !== BY_PROGRAM) await untilSaid(parts, request.toolUseId);
  const fork = forkAgent(parts);
  if (fork === undefined) throw new TaskRefusedError('nothing was said yet that could be forked');
  return {
    definition: definitionOfFork(owners, parts),
    name: request.name,
    model: 'inherit',
    permissionMode: modeOf(request),
    needsWorktree: undefined,
    fork,
  };
}

/** Wait for the whole reply. Tools start while their reply still streams, but a fork has the whole reply. */
async function untilSaid(
  parts: Pick<LiveCaller['parts'], 'conversation' | 'abort'>,
  toolUseId: string,
): Promise<void> {
  const { conversation, abort } = parts;
  const isSaid = (): boolean => {
    const newest = conversation.messages().at(-1);
    return newest?.role === 'assistant' && toolUsesOf(newest).some(({ id }) => id === toolUseId);
  };
  if (isSaid()) return;
  const tornOff = new Promise<void>((resolve) =>
    abort.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await Promise.race([conversation.nextReply(), tornOff]);
  if (!isSaid()) throw new TaskRefusedError('the reply that asked for it was given up');
}

/** The definition of a fork: the rules and limits of its original. */
function definitionOfFork(owners: PlanOwners, { type }: AgentIdentity): AgentDefinition {
  const own = owners.settings.definitions.find(({ name }) => name === type);
  return { prompt: '', ...own, name: FORK, description: 'A copy of the agent that started it.' };
}

function modeOf({ permissionMode }: AgentRequest): PermissionMode | undefined {
  return permissionMode === undefined ? undefined : PermissionMode.parse(permissionMode);
}
