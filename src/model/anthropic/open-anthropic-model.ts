import { given } from '../../core/json/given.js';
import { createAnthropicModel, type AnthropicModelOptions } from './anthropic-model.js';
import type { Model } from '../model.js';
import { requireChosenModel } from './require-chosen-model.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Make the model of the Messages API with this name, or with the name in `ANTHROPIC_MODEL`; the default one without
 * either. Opens a connection.
 *
 * @throws UsageError for an impossible name
 * @throws ModelAuthMissingError without a key
 */
export function openAnthropicModel(
  name: string | undefined,
  env: Environment,
  { betas = [], apiKeyHelper }: Pick<AnthropicModelOptions, 'apiKeyHelper' | 'betas'> = {},
): { readonly model: Model; readonly modelName: string | undefined } {
  const modelName = name ?? (env['ANTHROPIC_MODEL'] || undefined);
  requireChosenModel(modelName, env);
  const model = createAnthropicModel({ env, betas, ...given({ apiKeyHelper }) });
  model.warmUp();
  return { model, modelName };
}
