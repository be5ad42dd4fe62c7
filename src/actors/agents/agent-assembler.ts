import { createAgentId, type AgentId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import { rulesOfFolder, rulesOfNotes } from '../../context/memory/agent-notes.js';
import type { ScopedRules } from '../../core/permission-types.js';
import { userFolders } from '../../files/folders.js';
import type { Settings } from '../options/settings.js';
import type { AgentSkill } from '../../journal/entries/agent-entries.js';
import type { Journal } from '../../journal/journal.js';
import { SUB_AGENT_MODEL } from '../../model/choice/aliases.js';
import { contextWindowOf } from '../../model/choice/context-window.js';
import { toModelTools } from '../../tools/pool/pool.js';
import { createStructuredOutputTool } from '../../tools/dialogue/structured-output.js';
import type { Tool } from '../../tools/tool.js';
import { createActiveSkills } from './parts/active-skills.js';
import type { AgentParts } from './parts/agent-parts.js';
import { createConversation } from './conversation/conversation.js';
import { forkedConversation } from './conversation/fork.js';
import { createMailbox } from '../mail/mailbox.js';
import { createJournaledContext } from './conversation/journaled-context.js';
import { startableAgents } from './startable-agents.js';
import { createSystemOfAgent } from './system-of-agent.js';
import { createToolContext, type ToolContextOwners } from './tool-context.js';
import { createToolFilter, deniedToolsOf, namedTools } from './tools-of-agent.js';
import type { AgentDirectory } from './agent-directory.js';
import { emitTo, type EventSink } from '../services/event-bus.js';
import { keepPrompt, type FrozenPrompt } from '../services/frozen-prompt.js';
import { keepMode } from './keep-mode.js';
import { createPermissionView } from './permission-view.js';
import { describeStarted } from './session/settle-past-tasks.js';
import type { NewAgent } from './new-agent.js';
import type { SessionOptions } from './session/session-options.js';
import type { SharedServices } from './session/shared-services.js';
import type { PastTasks } from '../tasks/past-tasks.js';
import type { Team } from '../../core/tasks/team.js';
import { deferTools, TOOL_SEARCH } from '../../tools/pool/deferral.js';
import type { ModelTool } from '../../model/model.js';
import { deferralLimitOf, skillBudgetOf } from '../options/limits-from-environment.js';
import { withDeferredNames } from './parts/deferred-tools.js';
import { createEquipper, createToolChanges, type AgentTools, type Equip } from './equip.js';

/** Make the parts of an agent, and write the first lines of its journal. */
export interface AgentAssembler {
  /** @param pool the tools that are available by now @param isWhole whether no server is still starting */
  assemble(agent: NewAgent, pool: readonly Tool[], isWhole: boolean): AgentParts;
  /** Give an agent its tools and its journal the final digest, once the servers that were starting have answered. */
  readonly equip: Equip;
  /** Add the new tools of servers behind the tools of an agent. Nothing in front of them changes. */
  extend(agent: NewAgent, parts: AgentParts, whole: readonly Tool[]): void;
  /** Renew tools of an agent in their places. Without a change its prompt stays as it is. */
  renew(
    agent: NewAgent,
    parts: AgentParts,
    whole: readonly Tool[],
    isRenewed: (tool: Tool) => boolean,
  ): void;
}

export type AssemblerOwners = ToolContextOwners & {
  readonly options: SessionOptions;
  readonly shared: Pick<SharedServices, 'timers' | 'sharePrompt'>;
  readonly journal: Journal;
  /** For lines that an agent needs: a failed write is an error. */
  readonly strict: Journal;
  readonly bus: EventSink;
  readonly pastTasks: Pick<PastTasks, 'history'>;
  readonly agents: AgentDirectory;
  readonly teams: { teams(): readonly Team[] };
};

export function createAgentAssembler(owners: AssemblerOwners): AgentAssembler {
  const { options, settings, journal, strict, bus, pastTasks } = owners;
  const { timers, sharePrompt } = owners.shared;
  const { resumed } = options;
  const toolsFor = createToolChoice(options, settings);
  const systemFor = createSystemOfAgent(options, settings, timers);
  const assemble: AgentAssembler['assemble'] = (agent, pool, isWhole) => {
    const { definition, parent, taskId, name } = agent;
    const earlier = agent.earlier ?? (parent === undefined ? resumed : undefined);
    const id = earlier?.agentId ?? createAgentId(name ?? definition.name);
    const models = modelsOf(agent, options, settings);
    const deniedTools = deniedToolsOf(definition, parent?.parts.deniedTools);
    const { tools, modelTools: shown } =
      agent.fork ?? toolsFor(agent, deniedTools, pool, earlier?.prompt.tools);
    const prompt = sharePrompt({
      system:
        earlier?.prompt.system ??
        agent.fork?.system ??
        withDeferredNames(systemFor(agent, isWhole ? tools : []), shown),
      tools: shown,
    });
    const { system, tools: modelTools } = prompt;
    const skilled = viewWithSkills(owners, agent, id, earlier?.skills);
    const effortNow = () => skilled.activeSkills.effort() ?? parts.effort;
    const toolUser = { id, model: models.model, tools, modelTools, effortNow, ...skilled };
    const origin = { agentId: id, taskId, parentToolUseId: agent.parentToolUseId };
    const inbox = createMailbox();
    const abort = new AbortController();
    const stepContext = createJournaledContext({
      id,
      journal: strict,
      inbox,
      timers,
      signal: abort.signal,
      emit: emitTo(bus, origin),
      ...(earlier === undefined
        ? {}
        : { entries: earlier.agent.entries, run: `@${earlier.lines}` }),
    });
    const parts: AgentParts = {
      id,
      taskId,
      parentAgentId: parent?.parts.id,
      type: definition.name,
      name,
      description: agent.description,
      depth: parent === undefined ? 0 : parent.parts.depth + 1,
      deniedTools,
      origin,
      ...models,
      effort: effortOf(agent, options),
      thinking: options.choices.thinking,
      system,
      tools,
      modelTools,
      newTools: [],
      opening: parent === undefined && earlier === undefined ? openingOf(definition) : undefined,
      ...withoutModel(agent),
      stepContext,
      inbox,
      conversation: earlier?.agent.conversation ?? newConversation(agent),
      lostWork:
        earlier === undefined ? undefined : (call) => describeStarted(pastTasks.history(), call),
      abort,
      ...skilled,
      toolContext: createToolContext(owners, agent, toolUser),
    };
    writeStart(owners, agent, parts, earlier === undefined ? prompt : undefined);
    if (parent === undefined) keepMode(owners, id);
    return parts;
  };

  return {
    assemble,
    equip: createEquipper(owners, toolsFor),
    ...createToolChanges(journal, toolsFor),
  };
}

/** In a folder that is not trusted, a file of the project allows nothing. */
function notesRulesOf(
  definition: NewAgent['definition'],
  { cwd, env, isTrusted }: Settings,
): ScopedRules | undefined {
  if (isTrusted === false || definition.memory === undefined) return undefined;
  return rulesOfNotes(definition, { cwd, folders: userFolders(env) });
}

/** Rules for the notes that teams share. */
function teamRulesOf({ context, isTrusted }: Settings): ScopedRules | undefined {
  const folder = isTrusted === false ? undefined : context?.teamNotes;
  return folder === undefined ? undefined : rulesOfFolder(folder);
}

/** The rules of an agent, and the skills that change them for a turn. */
function viewWithSkills(
  {
    settings,
    permissions,
    teams,
    journal,
  }: Pick<AssemblerOwners, 'settings' | 'permissions' | 'teams' | 'journal'>,
  agent: NewAgent,
  id: AgentId,
  earlier: readonly AgentSkill[] = [],
): Pick<AgentParts, 'activeSkills' | 'judgingContext' | 'permissionContext'> {
  const activeSkills = createActiveSkills(
    settings,
    (line) => void journal.append(journal.agentFile(id), line),
    settings.isTrusted === false ? earlier.map((skill) => ({ ...skill, allow: [] })) : earlier,
  );
  const teamRules = teamRulesOf(settings);
  const hasPart = ({ lead, members }: Team): boolean => lead === id || members.has(id);
  const view = createPermissionView(agent, permissions, {
    isPlanApproved: () => teams.teams().some(({ planned }) => planned.has(id)),
    skillRules: () => activeSkills.rules(),
    notesRules: notesRulesOf(agent.definition, settings),
    teamRules: () =>
      teamRules !== undefined && teams.teams().some(hasPart) ? teamRules : undefined,
  });
  return { ...view, activeSkills };
}

function effortOf(
  { definition, parent, earlier, effort }: NewAgent,
  { choices }: SessionOptions,
): AgentParts['effort'] {
  if (earlier !== undefined) return earlier.effort;
  return effort ?? definition.effort ?? parent?.parts.effort ?? choices.effort;
}

function openingOf(definition: NewAgent['definition']): AgentParts['opening'] {
  const { skills = [], initialPrompt = '' } = definition;
  return skills.length > 0 || initialPrompt.startsWith('/') ? definition : undefined;
}

function withoutModel({ asksNoModel = false, onData }: NewAgent) {
  return { asksNoModel, onData };
}

function newConversation({ fork }: NewAgent): AgentParts['conversation'] {
  return fork === undefined ? createConversation() : forkedConversation(fork.messages);
}

/** Choose an agent's tools out of the pool. The main agent also gets the tool for its structured output. */
function createToolChoice({ choices, modelName }: SessionOptions, settings: Settings) {
  const { cwd, builtInTools } = settings;
  const contextWindow = settings.contextWindow ?? contextWindowOf(modelName);
  const { budgetFraction: share, maxDescriptionChars } = settings.skillListing ?? {};
  const limit = deferralLimitOf(settings.env);
  const { outputSchema, outputType } = choices;
  const answering =
    outputSchema === undefined ? [] : [createStructuredOutputTool(outputSchema, outputType)];
  const toolsOfAgent = createToolFilter();
  return (
    { definition, parent, isTeammate }: NewAgent,
    deniedTools: readonly string[],
    from: readonly Tool[],
    shown?: readonly ModelTool[],
  ): AgentTools => {
    const own = parent === undefined ? answering : [];
    const all = [...toolsOfAgent(from, definition, deniedTools), ...own];
    const { definitions, skills = [], env } = settings;
    const skillBudget = skillBudgetOf(env, contextWindow, { share, count: skills.length });
    const agents = startableAgents(definition, definitions);
    const named = namedTools(definition, builtInTools, isTeammate);
    const prompted = { agents, cwd, skills, skillBudget, ...given({ maxDescriptionChars }) };
    const modelTools = shown ?? deferTools(all, toModelTools(all, prompted), limit, named);
    const hasSearch = modelTools.some(({ name }) => name === TOOL_SEARCH);
    return { tools: hasSearch ? all : all.filter(({ name }) => name !== TOOL_SEARCH), modelTools };
  };
}

/**
 * Write the first lines of an agent's journal, or of the part after a resume.
 *
 * @param prompt undefined after a resume: it is in the journal already
 */
function writeStart(
  { journal, settings, options }: Pick<AssemblerOwners, 'journal' | 'settings' | 'options'>,
  { definition, parent, permissionMode: askedMode, worktree, fork }: NewAgent,
  { id, taskId, name, model, effort, thinking, permissionContext }: AgentParts,
  prompt: FrozenPrompt | undefined,
): void {
  const file = journal.agentFile(id);
  const permissionMode = permissionContext().mode;
  const chosen = { model, effort, thinking, permissionMode };
  if (prompt === undefined)
    return void journal.append(file, { type: 'agent.resumed', taskId, ...chosen });
  journal.append(file, {
    type: 'agent.started',
    agentId: id,
    taskId,
    agentType: definition.name,
    name,
    ...chosen,
    script: parent === undefined ? options.model.script : undefined,
    askedMode,
    cwd: settings.cwd,
    worktree,
    prompt: keepPrompt(journal, prompt),
  });
  if (fork === undefined) return;
  journal.append(file, { type: 'agent.forked', from: fork.from, messages: fork.messages });
}

function modelsOf(
  { model, definition, parent, fork }: NewAgent,
  { modelName, planModelName }: SessionOptions,
  { env, limitModels }: Settings,
): Pick<AgentParts, 'model' | 'planModel'> {
  // A fork continues its parent's conversation, so it keeps the parent's model.
  const forSubAgents = parent === undefined || fork !== undefined ? '' : env[SUB_AGENT_MODEL];
  const wanted = model ?? definition.model ?? (forSubAgents?.trim() || 'inherit');
  const own = wanted.toLowerCase() === 'inherit' ? undefined : limitModels.permit(wanted, env);
  if (own !== undefined) return { model: own, planModel: limitModels.plan(wanted, env) };
  return parent === undefined
    ? { model: modelName, planModel: planModelName }
    : { model: parent.parts.model, planModel: parent.parts.planModel };
}
