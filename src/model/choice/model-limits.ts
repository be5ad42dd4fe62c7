import { UsageError } from '../../core/errors.js';
import type { Environment } from '../../files/folders.js';
import { planModelOf, resolveModelName, smallModel } from './aliases.js';

/** The models that sessions may use. */
export interface ModelLimits {
  /** Find the ID for a name; undefined if it may not be used. An alias gets another version of its family if need be. */
  permit(name: string, env: Environment): string | undefined;
  /** The ID for a name in plan mode, if it is a different one that may be used. */
  plan(name: string, env: Environment): string | undefined;
  /** The ID of the small model; undefined if no small model may be used. */
  small(env: Environment): string | undefined;
  /** Whether requests may be sent to a model. */
  mayAsk(id: string): boolean;
  /** Why a model may not be used. */
  why(id: string): string;
}

export const ALL_MODELS: ModelLimits = {
  permit: resolveModelName,
  plan: planModelOf,
  small: smallModel,
  mayAsk: () => true,
  why: () => '',
};

/** The ID for a name. @throws UsageError if it may not be used */
export function requirePermitted(
  name: string,
  { env, limitModels }: { readonly env: Environment; readonly limitModels: ModelLimits },
): string {
  const model = limitModels.permit(name, env);
  if (model === undefined) throw new UsageError(limitModels.why(resolveModelName(name, env)));
  return model;
}

/** The model for a hook: `name` if it has one that may be used, else the small one, else that of its agent. */
export function modelOfHook(
  name: string | undefined,
  { env, limitModels }: Parameters<typeof requirePermitted>[1],
  own: string,
): string {
  const named = name === undefined ? undefined : limitModels.permit(name, env);
  return named ?? limitModels.small(env) ?? own;
}
