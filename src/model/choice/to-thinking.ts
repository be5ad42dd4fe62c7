import type { ThinkingConfig } from '../model.js';

/** @param tokens 0 switches thinking off, null leaves it to the model */
export function toThinking(tokens: number | null): ThinkingConfig | undefined {
  if (tokens === null) return undefined;
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens };
}
