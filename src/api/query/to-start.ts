import { given } from '../../core/json/given.js';
import { shared } from '../../actors/sessions/session-schema.js';
import { toThinking } from '../../model/choice/to-thinking.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { SessionStart, SharedOptions } from '../../actors/contract/session-start.js';
import type { ParsedOptions } from './parse-options.js';

/** The options that concern this one session. */
export function toStart(options: ParsedOptions['options']): SessionStart {
  return {
    ...toPrompts(options),
    ...toShared(options),
    ...given({
      resume: options.resume,
      continues: options.continue || undefined,
      forks: options.forkSession || undefined,
      thinking: thinkingOf(options),
      outputSchema: options.outputFormat?.schema,
      fallbackModel: options.fallbackModel,
      signal: options.abortController?.signal,
    }),
  };
}

/** The options that the session takes as they are. */
function toShared(options: ParsedOptions['options']): SharedOptions {
  const names = Object.keys(shared) as readonly (keyof SharedOptions)[]; // its own keys
  return given(Object.fromEntries(names.map((name) => [name, options[name]])));
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
