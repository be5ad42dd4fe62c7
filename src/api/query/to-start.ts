import { given } from '../../core/json/given.js';
import { toThinking } from '../../model/choice/to-thinking.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { SessionStart } from '../../actors/contract/session-start.js';
import type { ParsedOptions } from './parse-options.js';

/** The options that concern this one session. */
export function toStart(options: ParsedOptions['options']): SessionStart {
  return {
    ...toPrompts(options),
    ...given({
      resume: options.resume,
      continues: options.continue || undefined,
      forks: options.forkSession || undefined,
      sessionId: options.sessionId,
      thinking: thinkingOf(options),
      outputSchema: options.outputFormat?.schema,
      title: options.title,
      fallbackModel: options.fallbackModel,
      maxTurns: options.maxTurns,
      maxBudgetUsd: options.maxBudgetUsd,
      includePartialMessages: options.includePartialMessages,
      includeHookEvents: options.includeHookEvents,
      forwardSubagentText: options.forwardSubagentText,
      signal: options.abortController?.signal,
    }),
  };
}

/** A resumed session keeps its prompt: programs give the same options again, and the session has the prompt already. */
function toPrompts({
  systemPrompt,
  appendSystemPrompt = '',
  resume,
  continue: resumes,
}: ParsedOptions['options']): Pick<SessionStart, 'appendSystemPrompt' | 'systemPrompt'> {
  if (resume !== undefined || resumes === true) return {};
  const { own, append = '' } =
    typeof systemPrompt === 'object' ? { ...systemPrompt, own: '' } : { own: systemPrompt ?? '' };
  const appended = [append, appendSystemPrompt].filter((text) => text !== '').join('\n\n');
  return given({
    systemPrompt: own || undefined,
    appendSystemPrompt: appended || undefined,
  });
}

function thinkingOf({
  thinking,
  maxThinkingTokens,
}: ParsedOptions['options']): ThinkingConfig | undefined {
  if (thinking?.type === 'enabled') {
    const { budgetTokens } = thinking;
    return budgetTokens === undefined ? { type: 'adaptive' } : { type: 'enabled', budgetTokens };
  }
  if (thinking !== undefined || maxThinkingTokens === undefined) return thinking;
  return toThinking(maxThinkingTokens);
}
