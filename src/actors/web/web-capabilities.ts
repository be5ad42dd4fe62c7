import type { AgentId } from '../../core/ids.js';
import type { ModelCall } from '../../core/tasks/usage.js';
import type { Journal } from '../../journal/journal.js';
import { smallModel } from '../../model/choice/aliases.js';
import type { PageCache, ToolUseWeb } from '../../tools/web-capabilities.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import { askModel } from '../agents/requests/ask-model.js';
import type { SamplingServices } from '../agents/requests/sampling-services.js';

type WebOwners = {
  readonly agents: Pick<AgentDirectory, 'live'>;
  readonly services: SamplingServices;
  readonly journal: Journal;
  readonly pages: PageCache;
};

/** Make the web access of one agent's tools. Their model requests are the agent's own, and journaled as such. */
export function createWebCapabilities(
  { agents, services, journal, pages }: WebOwners,
  agentId: AgentId,
): ToolUseWeb {
  return {
    pages,
    async askHelper({ system, prompt, maxTokens }, { toolUseId, signal }) {
      const caller = agents.live.get(agentId)?.parts;
      if (caller === undefined) throw new DOMException('The agent has ended.', 'AbortError');
      const question = {
        system: [system],
        messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
        maxTokens,
        model: smallModel(services.settings.env),
      } as const;
      const onUsed = (call: ModelCall): void =>
        void journal.append(journal.agentFile(agentId), { type: 'helper.asked', toolUseId, call });
      return askModel(caller, services, question, { signal, onActivity: () => {}, onUsed });
    },
  };
}
