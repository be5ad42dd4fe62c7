import { resolveModelName, SUB_AGENT_MODEL } from '../../model/choice/aliases.js';
import { fallbackNames } from '../../model/choice/fallback-models.js';
import type { Environment } from '../../files/folders.js';
import { requirePermitted, type ModelLimits } from '../../model/choice/model-limits.js';

type Names = { readonly env: Environment; readonly limitModels: ModelLimits };

/** The models that a run names beside its own. */
export type NamedModels = {
  /** Agents and skills. */
  readonly parts: readonly { readonly name: string; readonly model?: string | undefined }[];
  readonly fallbackModel: string | readonly string[] | undefined;
  /** The model of the run, by its options or else by settings. */
  readonly asked: string | undefined;
};

/**
 * Choose the model of a session whose settings limit models. A model that a person or a program names must be one that may
 * be used. In place of another one that settings or `ANTHROPIC_MODEL` name there is the default one.
 *
 * @param given the model that a person or a program names
 * @throws UsageError for a named model that may not be used, and if no model is left
 */
export function choosePermitted(
  given: string | undefined,
  named: NamedModels,
  names: Names,
): { readonly name: string | undefined; readonly warnings: readonly string[] } {
  const { env, limitModels } = names;
  const left = describeRefused(named, names);
  if (given !== undefined) requirePermitted(given, names);
  const asked = named.asked ?? (env['ANTHROPIC_MODEL'] || undefined);
  const first = asked ?? 'default';
  const model = limitModels.permit(first, env);
  const used = model ?? requirePermitted('default', names);
  const wanted = resolveModelName(first, env);
  if (used === wanted || asked === undefined) return { name: asked, warnings: left };
  if (model !== undefined) {
    const line = `The model "${first}" is ${used} here, by the limits of settings.`;
    return { name: asked, warnings: [line, ...left] };
  }
  const place = named.asked === undefined ? 'ANTHROPIC_MODEL' : 'The setting "model"';
  const line = `${place}: ${limitModels.why(wanted)} The session uses ${used}.`;
  return { name: used, warnings: [line, ...left] };
}

/** Describe the models of agents, skills, fallbacks and of the variable for sub-agents that are not used, one line each. */
function describeRefused(
  { parts, fallbackModel }: NamedModels,
  { env, limitModels }: Names,
): readonly string[] {
  const named = [
    ...parts.map(({ name, model }) => ({ whose: `"${name}"`, model })),
    ...fallbackNames(fallbackModel ?? []).map((model) => ({ whose: 'The fallback model', model })),
    { whose: SUB_AGENT_MODEL, model: env[SUB_AGENT_MODEL] },
  ];
  return named.flatMap(({ whose, model }) => {
    if (model === undefined || model === '' || model.toLowerCase() === 'inherit') return [];
    if (limitModels.permit(model, env) !== undefined) return [];
    return [`${whose}: ${limitModels.why(resolveModelName(model, env))} It is left out.`];
  });
}
