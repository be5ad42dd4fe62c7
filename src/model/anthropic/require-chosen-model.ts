import { requireModelName, resolveModelName } from '../choice/aliases.js';
import { refuseOtherProviders } from './refuse-other-providers.js';

/**
 * Throw before anything is written if the user's model, or the one of a variable, is impossible. Another provider has
 * other names, so it is refused first.
 *
 * @throws ModelProviderUnsupportedError if the environment asks for another provider
 * @throws UsageError with a suggestion
 */
export function requireChosenModel(
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): void {
  refuseOtherProviders(env);
  if (name === undefined) return;
  const baseURL = env['ANTHROPIC_BASE_URL'] ?? '';
  requireModelName(name, { baseURL });
  requireModelName(resolveModelName(name, env), { baseURL });
}
