import { UsageError } from '../../core/errors.js';
import { resolveModelName } from './aliases.js';
import type { Environment } from '../../files/folders.js';
import { ALL_MODELS, type ModelLimits } from './model-limits.js';

/**
 * The models that replace an overloaded `primary`, in the order of their use. A text may name several, with commas
 * between them; aliases become IDs. Those that may not be used are left out.
 *
 * @throws UsageError if one is the primary itself, or none is named
 */
export function toFallbackModels(
  named: string | readonly string[] | undefined,
  primary: string,
  {
    env,
    limitModels = ALL_MODELS,
  }: { readonly env: Environment; readonly limitModels?: ModelLimits | undefined } = { env: {} },
): readonly string[] {
  if (named === undefined) return [];
  const names = fallbackNames(named);
  if (names.length === 0 || names.includes(''))
    throw new UsageError(
      'The fallback model has no name. Name one, or several with commas between them: "haiku,opus".',
    );
  const models = [...new Set(names.flatMap((name) => limitModels.permit(name, env) ?? []))];
  const same = models.find((model) => model === resolveModelName(primary, env));
  if (same !== undefined)
    throw new UsageError(
      `The fallback model "${same}" is the model itself. Name another one to use while it is overloaded.`,
    );
  return models;
}

/** The names of fallback models. */
export function fallbackNames(named: string | readonly string[]): readonly string[] {
  return (typeof named === 'string' ? named.split(',') : named).map((name) => name.trim());
}
