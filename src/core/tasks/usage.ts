/** Tokens as the API counts them. */
export type Usage = {
  /** Tokens of the prompt that were not in the cache. */
  readonly input_tokens: number;
  /** Tokens of the reply, thinking included. */
  readonly output_tokens: number;
  /** Tokens of the prompt written to the cache. */
  readonly cache_creation_input_tokens: number;
  /** Tokens of the prompt read from the cache. */
  readonly cache_read_input_tokens: number;
};

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
  };
}

/** All tokens that the API counts. */
export function totalTokens(usage: Usage): number {
  const prompt = usage.input_tokens + usage.cache_read_input_tokens;
  return prompt + usage.cache_creation_input_tokens + usage.output_tokens;
}

/** One answered request of a model, or one that broke off: what it is billed by. */
export type ModelCall = { readonly model: string; readonly usage: Usage };
