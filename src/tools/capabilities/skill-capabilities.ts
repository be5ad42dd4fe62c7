import type { Effort } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';

/** The skills of a session, for the tools of one agent. */
export interface SkillCapabilities {
  /** Every skill and command, those that only a person uses included. */
  readonly all: readonly Skill[];
  /** ID of the session, for `${CLAUDE_SESSION_ID}`. */
  readonly sessionId: string;
  /** How much the agent thinks at present, for `${CLAUDE_EFFORT}`; undefined if nothing says so. */
  effort?(): Effort | undefined;
  /** Whether the model does not wait for a skill with a sub-agent, unless the skill says so. */
  readonly inBackground?: boolean | undefined;
  /** Begin to run the hooks of a skill. */
  useHooks?(skill: Skill): void;
  /** Apply the tools, the model and the effort of a skill until the next prompt. */
  begin(skill: Skill): void;
}
