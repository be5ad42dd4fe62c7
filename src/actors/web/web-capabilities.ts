import type { AgentId } from '../../core/ids.js';
import type { ModelCall } from '../../core/tasks/usage.js';
import type { JournalLines } from '../../journal/journal.js';
import type { Model } from '../../model/model.js';
import type {
  HelperCall,
  PageCache,
  ToolUseWeb,
  WebSearchProvider,
} from '../../tools/capabilities/web-capabilities.js';
import { given } from '../../core/json/given.js';
import { textOf } from '../../core/messages.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import { askForReply, type HelperReply, type Question } from '../agents/requests/ask-model.js';
import type { SamplingServices } from '../agents/requests/sampling-services.js';
import { createModelSearch, SEARCH_TOOL } from './search-by-model.js';

type WebOwners = {
  readonly agents: LiveAgents;
  readonly services: SamplingServices;
  readonly journal: JournalLines;
  readonly pages: PageCache;
};

/** Make the web access of one agent's tools. Their model requests are the agent's own, and journaled as such. */
export function createWebCapabilities(
  { agents, services, journal, pages }: WebOwners,
  agentId: AgentId,
): ToolUseWeb {
  const { settings, model } = services;
  const ask = (question: Question, { toolUseId, signal }: HelperCall): Promise<HelperReply> => {
    const caller = agents.live.get(agentId)?.parts;
    if (caller === undefined) throw new DOMException('The agent has ended.', 'AbortError');
    const onUsed = (call: ModelCall): void =>
      void journal.append(journal.agentFile(agentId), { type: 'helper.asked', toolUseId, call });
    return askForReply(caller, services, question, { signal, onActivity: () => {}, onUsed });
  };
  return {
    pages,
    async askHelper({ system, prompt, maxTokens }, call) {
      const small = settings.limitModels.small(settings.env);
      const question = {
        system: [system],
        messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
        maxTokens,
        ...given({ model: small }),
      } as const;
      const { message } = await ask(question, call);
      return textOf(message);
    },
    ...(canSearch(settings, model) && {
      searchProvider: settings.webSearch ?? createModelSearch(ask),
    }),
  };
}

/** Whether the tool WebSearch can work: by a provider of the program, or by the API of the model. */
export function canSearch(
  { webSearch }: { readonly webSearch?: WebSearchProvider },
  { serverTools = [] }: Pick<Model, 'serverTools'>,
): boolean {
  return webSearch !== undefined || serverTools.includes(SEARCH_TOOL);
}
