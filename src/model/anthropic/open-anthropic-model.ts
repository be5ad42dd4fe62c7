import { given } from '../../core/json/given.js';
import { createAnthropicModel, type AnthropicModelOptions } from './anthropic-model.js';
import type { Model } from '../model.js';
import { requireChosenModel } from './require-chosen-model.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The model of the Messages API that a name means, or that `ANTHROPIC_MODEL` names; the default one if neither does. A
 * connection is opened.
 *
 * @throws UsageError for a name that cannot be one
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
