import type { LiveFollower } from '../../options/live-files.js';
import type { AgentId, TaskId } from '../../../core/ids.js';
import type { FilePool } from '../../../journal/storage/file-pool.js';
import type { KeepWhole } from '../../../journal/storage/keep-whole.js';
import type { FolderSyncs } from '../../../journal/storage/sync-rounds.js';
import type { AgentServers } from './agent-servers.js';
import type { RateLimits } from '../../../model/errors/rate-limits.js';
import type { UsageLedger } from '../../../usage/usage-ledger.js';
import type { BashGrammar } from '../../../tools/shell/bash-grammar.js';
import type { ProcessSupervisor } from '../../../processes/process-supervisor.js';
import type { Admission } from '../../tasks/admission.js';
import type { LiveCaller } from '../runtime/live-caller.js';
import type { RemoteTriggers, Scheduler } from './scheduler-types.js';
import type { SharePrompt } from '../../services/frozen-prompt.js';
import type { ToolReferences } from '../../../model/choice/tool-references.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Timers } from '../../services/timers.js';

/** The services that all sessions of an orchestrator share. */
export type SharedServices = {
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly rateLimits: RateLimits;
  readonly toolReferences: ToolReferences;
  /** Limits the number of agents that work at once; absent without a limit. */
  readonly admission: Admission | undefined;
  readonly processes: ProcessSupervisor;
  readonly agentServers: AgentServers;
  readonly bashGrammar: BashGrammar;
  readonly files: FilePool;
  readonly folders: FolderSyncs;
  readonly keepWhole: KeepWhole;
  readonly sharePrompt: SharePrompt;
  readonly scheduler: Scheduler;
  readonly triggers: RemoteTriggers;
  readonly telemetry: Telemetry;
  /** Follows the files of settings; absent if no option follows its files. */
  readonly follower: LiveFollower | undefined;
  /** Live agents of all sessions. */
  readonly agents: Map<AgentId, LiveCaller>;
  /** Forget a task that has left memory. */
  forgetTask(id: TaskId): void;
};
