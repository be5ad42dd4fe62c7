/** Used where nobody names one. */
export const DEFAULT_MODEL = 'sonnet';

const MODEL_ALIASES = {
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
} as const;

/** The model id that `model` stands for. What is no alias is an id already. */
export function resolveModelAlias(model: string): string {
  return Object.hasOwn(MODEL_ALIASES, model)
    ? MODEL_ALIASES[model as keyof typeof MODEL_ALIASES] // just looked up
    : model;
}

/** Every alias with the model that it stands for. */
export function listModelAliases(): readonly { readonly alias: string; readonly id: string }[] {
  return Object.entries(MODEL_ALIASES).map(([alias, id]) => ({ alias, id }));
}
