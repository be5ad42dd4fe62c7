import { z } from 'zod';
import { strictObject } from '../core/text/strict-object.js';
import { promptTokensOf, webSearchesOf, type Usage } from '../core/tasks/usage.js';

const Amount = z.number().nonnegative();

/** Prices of a model, in USD per million tokens. */
export type ModelPrice = {
  /** Tokens of the prompt that are not in the cache. */
  readonly input: number;
  /** Tokens of the reply. */
  readonly output: number;
  /** Tokens of the prompt that are read from the cache. */
  readonly cacheRead: number;
  /** Tokens of the prompt that are written to the cache; 1.25 times `input` if absent. */
  readonly cacheWrite?: number | undefined;
};
export const ModelPrice = strictObject({
  input: Amount,
  output: Amount,
  cacheRead: Amount,
  cacheWrite: Amount.optional(),
}) satisfies z.ZodType<ModelPrice>;

/** Prices by model ID, with or without the date of a snapshot. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** The day of the public list of the built-in prices. */
export const PRICES_AS_OF = '2026-10-24';

/** The cost of requests. The cost for an unknown model is unknown, never 0. */
export interface PriceTable {
  /**
   * The cost of one request; undefined if the model's price is not known. Call it once per request, not on sums: some
   * prices depend on the length of the prompt.
   *
   * @param model an ID, with or without the date of its snapshot (`claude-sonnet-4-5-20250929`).
   */
  costUsd(model: string, usage: Usage): number | undefined;
  /** The highest price of a token of such a request, in USD per million tokens. */
  highest(
    model: string,
    promptTokens: number,
  ): { readonly prompt: number; readonly output: number } | undefined;
}

type Price = ModelPrice & {
  /** If the whole prompt is longer than this, every token of the request costs `long`. */
  readonly long?: { readonly aboveTokens: number; readonly price: ModelPrice };
};

/** The price of one search of the API's own tool. */
export const WEB_SEARCH_USD = 0.01;

const CACHE_WRITE_FACTOR = 1.25;
const MILLION = 1_000_000;

const SONNET_4: Price = { input: 3, output: 15, cacheRead: 0.3 };
const OPUS_4: Price = { input: 15, output: 75, cacheRead: 1.5 };
const OPUS_4_5: Price = { input: 5, output: 25, cacheRead: 0.5 };
const HAIKU_5_5_LONG: Price = { input: 0.5, output: 2.5, cacheRead: 0.05 };

/**
 * Public list prices (https://platform.claude.com/docs/en/about-claude/pricing), as of {@link PRICES_AS_OF}. Cache
 * writes are for five minutes.
 */
const PRICES: { readonly [model: string]: Price } = {
  'claude-fable-5-1': { input: 10, output: 50, cacheRead: 0.25 },
  'claude-fable-5': { input: 10, output: 50, cacheRead: 1 },
  'claude-mythos-5-1': { input: 10, output: 50, cacheRead: 0.25 },
  'claude-mythos-5': { input: 10, output: 50, cacheRead: 1 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2 },
  'claude-opus-5': OPUS_4_5,
  'claude-opus-4-8': OPUS_4_5,
  'claude-opus-4-7': OPUS_4_5,
  'claude-opus-4-6': OPUS_4_5,
  'claude-opus-4-5': OPUS_4_5,
  'claude-opus-4-1': OPUS_4,
  'claude-opus-4': OPUS_4,
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2 },
  'claude-sonnet-4-6': SONNET_4,
  'claude-sonnet-4-5': SONNET_4,
  'claude-sonnet-4': SONNET_4,
  'claude-3-7-sonnet': SONNET_4,
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    long: { aboveTokens: 100_000, price: HAIKU_5_5_LONG },
  },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cacheRead: 0.08 },
};

/** @param overrides replace built-in prices */
export function createPriceTable(overrides: ModelPrices = {}): PriceTable {
  const lookUp = (model: string): Price | undefined => {
    const id = model.replace(/-(?:\d{8}|latest)$/, '');
    return own(overrides, model) ?? own(overrides, id) ?? own(PRICES, id);
  };
  /** By the name of the model: each request asks several times. */
  const found = new Map<string, Price | undefined>();
  const find = (model: string): Price | undefined => {
    if (!found.has(model)) found.set(model, lookUp(model));
    return found.get(model);
  };
  return {
    costUsd(model, usage) {
      const listed = find(model);
      if (listed === undefined) return undefined;
      const { long } = listed;
      const isLong = long !== undefined && promptTokensOf(usage) > long.aboveTokens;
      const price = isLong ? long.price : listed;
      const total =
        usage.input_tokens * price.input +
        usage.cache_creation_input_tokens * cacheWriteOf(price) +
        usage.cache_read_input_tokens * price.cacheRead +
        usage.output_tokens * price.output;
      return total / MILLION + webSearchesOf(usage) * WEB_SEARCH_USD;
    },
    highest(model, promptTokens) {
      const listed = find(model);
      if (listed === undefined) return undefined;
      const { long } = listed;
      const isLong = long !== undefined && promptTokens > long.aboveTokens;
      const prices = isLong ? [listed, long.price] : [listed];
      return {
        prompt: Math.max(...prices.flatMap((one) => [one.input, one.cacheRead, cacheWriteOf(one)])),
        output: Math.max(...prices.map((one) => one.output)),
      };
    },
  };
}

function cacheWriteOf({ input, cacheWrite = input * CACHE_WRITE_FACTOR }: ModelPrice): number {
  return cacheWrite;
}

function own(prices: Readonly<Record<string, Price>>, id: string): Price | undefined {
  return Object.hasOwn(prices, id) ? prices[id] : undefined;
}
