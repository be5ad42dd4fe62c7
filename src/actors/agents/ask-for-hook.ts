import { modelOfHook } from '../../model/choice/model-limits.js';
import type { AskForHook } from '../hooks/run-prompt-hook.js';
import type { LiveAgents } from './agent-directory.js';
import { askModel } from './requests/ask-model.js';
import type { SamplingServices } from './requests/sampling-services.js';

const MAX_TOKENS = 1_000;

export type AskForHookOwners = {
  readonly agents: LiveAgents;
  readonly services: SamplingServices;
};

/** Ask a model for a hook; the request counts to the usage of the hook's agent. */
export async function askForHook(
  { agents, services }: AskForHookOwners,
  ...[agentId, { system, text, model }, signal]: Parameters<AskForHook>
): ReturnType<AskForHook> {
  const agent = agents.live.get(agentId);
  if (agent === undefined) throw new Error('its agent has ended');
  const question = {
    model: modelOfHook(model, services.settings, agent.parts.model),
    system: [system],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    maxTokens: MAX_TOKENS,
  } as const;
  const nothing = (): void => {};
  return askModel(agent.parts, services, question, {
    signal,
    onActivity: nothing,
    onUsed: nothing,
  });
}
