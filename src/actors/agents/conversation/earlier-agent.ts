import type { Effort } from '../../../core/agents/agent-definition.js';
import type { AgentId } from '../../../core/ids.js';
import type { PermissionMode } from '../../../core/permission-types.js';
import type { Worktree } from '../../../core/worktree.js';
import type { AgentEntry } from '../../../journal/entries/agent-entries.js';
import type { ThinkingConfig } from '../../../model/model.js';
import { rebuildAgent, type RebuiltAgent } from './rebuild.js';
import { readPrompt, type FrozenPrompt } from '../../services/frozen-prompt.js';

/** An agent that had ended, as its own journal makes it: what it goes on with. */
export type EarlierAgent = {
  readonly agentId: AgentId;
  readonly name: string | undefined;
  readonly agentType: string;
  readonly model: string;
  readonly effort: Effort | undefined;
  readonly thinking: ThinkingConfig | undefined;
  readonly permissionMode: PermissionMode;
  /** In plan mode: what holds again when a plan is approved. */
  readonly prePlanMode: PermissionMode | undefined;
  /** The mode that was asked for it when it was started. */
  readonly askedMode: PermissionMode | undefined;
  readonly worktree: Worktree | undefined;
  /** What is frozen for the agent's life. */
  readonly prompt: FrozenPrompt;
  readonly agent: RebuiltAgent;
  /** Lines of the agent's journal: no two runs have begun at the same one. */
  readonly lines: number;
};

/** @param entries the first is `agent.started` @throws JournalDamagedError, ReplayDivergedError */
export function toEarlierAgent({
  directory,
  agentId,
  entries,
}: {
  readonly directory: string;
  readonly agentId: AgentId;
  readonly entries: readonly AgentEntry[];
}): EarlierAgent {
  const started = entries[0] as Extract<AgentEntry, { type: 'agent.started' }>; // looked at when it was read
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
    lines: entries.length,
  };
}
