import { refuseOtherProviders } from './refuse-other-providers.js';
import { requireModelName, resolveModelName } from '../choice/aliases.js';
import { given } from '../../core/json/given.js';
import { createAnthropicModel, type AnthropicModelOptions } from './anthropic-model.js';
import type { Model } from '../model.js';
import type { Environment } from '../../files/folders.js';

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

/**
 * Throw before anything is written if the user's model, or the one of a variable, is impossible. Another provider has
 * other names, so it is refused first.
 *
 * @throws ModelProviderUnsupportedError if the environment asks for another provider
 * @throws UsageError with a suggestion
 */
function requireChosenModel(name: string | undefined, env: Environment): void {
  refuseOtherProviders(env);
  if (name === undefined) return;
  const baseURL = env['ANTHROPIC_BASE_URL'] ?? '';
  requireModelName(name, { baseURL });
  requireModelName(resolveModelName(name, env), { baseURL });
}
