import { toThinking } from '../../model/to-thinking.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { SessionStart } from '../public-types.js';
import type { ParsedOptions } from './parse-options.js';

/** What of the options is about the one session. */
export function toStart(options: ParsedOptions['options']): SessionStart {
  const { effort, fallbackModel, sessionId, resume, maxTurns, includePartialMessages } = options;
  const { forwardSubagentText, maxBudgetUsd, outputFormat, title } = options;
  const thinking = thinkingOf(options);
  return {
    ...(resume === undefined ? {} : { resume }),
    ...(options.continue === true ? { continues: true } : {}),
    ...(options.forkSession === true ? { forks: true } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...toPrompts(options),
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(outputFormat === undefined ? {} : { outputSchema: outputFormat.schema }),
    ...(title === undefined ? {} : { title }),
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
    ...(includePartialMessages === undefined ? {} : { includePartialMessages }),
    ...(forwardSubagentText === undefined ? {} : { forwardSubagentText }),
    ...(options.abortController === undefined ? {} : { signal: options.abortController.signal }),
  };
}

/** A session that is gone on with keeps its prompt: programs give the same options again, and it has been given. */
function toPrompts({
  systemPrompt,
  appendSystemPrompt = '',
  resume,
  continue: goesOn,
}: ParsedOptions['options']): Pick<SessionStart, 'appendSystemPrompt' | 'systemPrompt'> {
  if (resume !== undefined || goesOn === true) return {};
  const { own, append = '' } =
    typeof systemPrompt === 'object' ? { ...systemPrompt, own: '' } : { own: systemPrompt ?? '' };
  const appended = [append, appendSystemPrompt].filter((text) => text !== '').join('\n\n');
  return {
    ...(own === '' ? {} : { systemPrompt: own }),
    ...(appended === '' ? {} : { appendSystemPrompt: appended }),
  };
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
