import type { Effort } from '../../../core/agents/agent-definition.js';
import type { AgentId } from '../../../core/ids.js';
import type { PermissionMode } from '../../../core/permission-types.js';
import type { Worktree } from '../../../core/worktree.js';
import type { AgentEntry, AgentSkill } from '../../../journal/entries/agent-entries.js';
import type { ThinkingConfig } from '../../../model/model.js';
import { readEarlierSkills } from './earlier-skills.js';
import { rebuildAgent, type RebuiltAgent } from './rebuild.js';
import { readPrompt, type FrozenPrompt } from '../../services/frozen-prompt.js';

/** The state of an ended agent, read from its own journal, for a resume. */
export type ResumableAgent = {
  readonly agentId: AgentId;
  readonly name: string | undefined;
  readonly agentType: string;
  readonly model: string;
  readonly effort: Effort | undefined;
  readonly thinking: ThinkingConfig | undefined;
  readonly permissionMode: PermissionMode;
  /** In plan mode: the mode after an approved plan. */
  readonly prePlanMode: PermissionMode | undefined;
  /** The mode that the start of the agent requested. */
  readonly askedMode: PermissionMode | undefined;
  readonly worktree: Worktree | undefined;
  /** The prompt is frozen for the agent's life. */
  readonly prompt: FrozenPrompt;
  readonly agent: RebuiltAgent;
  /** The skills of its unfinished turn, and of prompts that wait. */
  readonly skills: readonly AgentSkill[];
  /** The number of lines in the agent's journal: no two runs begin at the same line. */
  readonly lines: number;
};

/** @param entries the first is `agent.started` @throws JournalDamagedError, ReplayDivergedError */
export function toResumableAgent({
  directory,
  agentId,
  entries,
}: {
  readonly directory: string;
  readonly agentId: AgentId;
  readonly entries: readonly AgentEntry[];
}): ResumableAgent {
  const started = entries[0] as Extract<AgentEntry, { type: 'agent.started' }>; // the reader has checked the first entry
  const resumed = entries.findLast((entry) => entry.type === 'agent.resumed');
  const changed = entries.findLast(
    (entry) => entry.type === 'agent.resumed' || entry.type === 'agent.mode',
  );
  const equipped = entries.findLast((entry) => entry.type === 'agent.equipped');
  return {
    agentId,
    name: started.name,
    agentType: started.agentType,
    model: resumed?.model ?? started.model,
    effort: resumed?.effort ?? started.effort,
    thinking: resumed?.thinking ?? started.thinking,
    permissionMode: changed?.permissionMode ?? started.permissionMode,
    prePlanMode: changed?.type === 'agent.mode' ? changed.prePlanMode : undefined,
    askedMode: started.askedMode,
    worktree: started.worktree,
    prompt: readPrompt(directory, equipped?.prompt ?? started.prompt),
    agent: rebuildAgent(agentId, entries),
    skills: readEarlierSkills(entries),
    lines: entries.length,
  };
}
