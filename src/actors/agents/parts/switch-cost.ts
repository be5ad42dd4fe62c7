import { NO_USAGE } from '../../../core/tasks/usage.js';
import type { ModelPrices } from '../../../usage/prices.js';
import type { UsageLedger } from '../../../usage/usage-ledger.js';
import type { OwnFields } from '../../hooks/session-hooks.js';

/** The facts about the cost of another model, for hooks. */
export type SwitchCost = Pick<
  OwnFields<'PreModelSwitch'>,
  'cache_ttl' | 'context_tokens' | 'estimated_cache_write_usd' | 'pricing' | 'prompt_cache_warm'
>;

/** How long the API keeps a cached prompt. */
const CACHE_TTL_MS = 300_000;

/**
 * Estimate the cost of sending a conversation to another model, which has none of it in its cache.
 *
 * @param sinceReplyMs time since the newest reply; undefined before the first one in this process
 */
export function costOfSwitch(
  to: string,
  { conversation }: { readonly conversation: { readonly tokens: { newest(): number } } },
  {
    ledger,
    prices = {},
  }: { readonly ledger: UsageLedger; readonly prices?: ModelPrices | undefined },
  sinceReplyMs?: number,
): SwitchCost {
  const tokens = conversation.tokens.newest();
  const usage = { ...NO_USAGE, cache_creation_input_tokens: tokens };
  const costUsd = ledger.costOf({ model: to, usage });
  const known = Object.hasOwn(prices, to) ? 'configured' : 'catalog';
  return {
    context_tokens: tokens,
    prompt_cache_warm: tokens > 0 && sinceReplyMs !== undefined && sinceReplyMs < CACHE_TTL_MS,
    cache_ttl: '5m',
    estimated_cache_write_usd: costUsd ?? null,
    pricing: costUsd === undefined ? 'default' : known,
  };
}
