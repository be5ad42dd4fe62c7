import type { AgentParts } from '../parts/agent-parts.js';
import type { AgentRuntime } from './agent-runtime.js';
import type { ToolCaller } from './tool-caller.js';

/** A caller that may start tasks and receive messages: an agent, a workflow, or a task that calls one tool. */
export type LiveCaller = ToolCaller & { readonly parts: AgentParts };

/** Whether the caller has turns. */
export function isAgent(caller: LiveCaller): caller is AgentRuntime {
  return 'sampling' in caller;
}

/** @throws Error if the caller has no turns */
export function requireAgent(caller: LiveCaller): AgentRuntime {
  if (isAgent(caller)) return caller;
  throw new Error(`${caller.parts.id} is no agent: it has no turns.`);
}
