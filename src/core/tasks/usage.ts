import { z } from 'zod';

/** Tokens and searches as the API counts them. */
export type Usage = {
  /** Tokens of the prompt that were not in the cache. */
  readonly input_tokens: number;
  /** Tokens of the reply, thinking included. */
  readonly output_tokens: number;
  /** Tokens of the prompt written to the cache. */
  readonly cache_creation_input_tokens: number;
  /** Tokens of the prompt read from the cache. */
  readonly cache_read_input_tokens: number;
  /** Uses of the API's own tools; absent if there are none. */
  readonly server_tool_use?:
    | {
        /** Searches of the web. */
        readonly web_search_requests: number;
      }
    | undefined;
};

const Count = z.number().nonnegative();
export const Usage = z.object({
  input_tokens: Count,
  output_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_read_input_tokens: Count,
  server_tool_use: z.object({ web_search_requests: Count }).optional(),
}) satisfies z.ZodType<Usage>;

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    ...webSearches(webSearchesOf(a) + webSearchesOf(b)),
  };
}

export function webSearchesOf({ server_tool_use: uses }: Usage): number {
  return uses?.web_search_requests ?? 0;
}

/** The field of a usage with these searches. */
export function webSearches(count: number): Pick<Usage, 'server_tool_use'> {
  return count === 0 ? {} : { server_tool_use: { web_search_requests: count } };
}

/** The tokens of the prompt, in the cache or not. */
export function promptTokensOf(usage: Usage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

/** All tokens that the API counts. */
export function totalTokens(usage: Usage): number {
  return promptTokensOf(usage) + usage.output_tokens;
}

/** One answered request of a model, or one that broke off: what it is billed by. */
export type ModelCall = { readonly model: string; readonly usage: Usage };
