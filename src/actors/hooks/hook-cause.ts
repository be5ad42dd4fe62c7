import type { Effort } from '../../core/agents/agent-definition.js';
import type { AgentOrigin } from '../services/event-bus.js';

/** The agent that a hook runs for. */
export type HookSubject = {
  readonly origin: AgentOrigin;
  readonly agentType: string;
  readonly isRoot: boolean;
  readonly cwd: string;
  readonly mode: string;
  readonly effort: Effort | undefined;
};

/** The reason why hooks run: an event of an agent. */
export type HookCause = HookSubject & {
  /** The names that matchers are compared with. */
  readonly matched: readonly string[];
  /** The tool call, for events of tool calls. */
  readonly call?: HookedCall | undefined;
};

/** A tool call as hooks see it. */
export type HookedCall = {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether a rule (in a hook's `if`) matches the call. */
  readonly matchesRule: (rule: string) => Promise<boolean>;
};

/** A tool call with its agent. */
export type HookedUse = HookCause & { readonly call: HookedCall };
