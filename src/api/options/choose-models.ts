import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import { given } from '../../core/json/given.js';
import type { Environment } from '../../files/folders.js';
import { toFallbackModels } from '../../model/choice/fallback-models.js';
import type { Model } from '../../model/model.js';
import { ALL_MODELS, requirePermitted } from '../../model/choice/model-limits.js';
import type { KeyHelper } from './key-helper.js';
import type { ManagedLimits } from './managed-limits.js';
import type { lastOf } from './read-layers.js';

/** The model of a run, and its name. */
export type ChosenModel = {
  readonly model: Model | undefined;
  readonly modelName: string | undefined;
};

/** The choices of a command line or a program about models. */
export type ModelChoices<Place> = {
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  /** Make the model that a name means. The name is undefined if neither an option nor a setting has one. */
  readonly chooseModel: (
    name: string | undefined,
    workspace: Place,
    keyHelper: KeyHelper,
  ) => Promise<ChosenModel>;
};

type Limited = {
  readonly last: ReturnType<typeof lastOf>;
  readonly limits: ManagedLimits | undefined;
  readonly agents: readonly AgentDefinition[];
  /** The skills, if any are used. */
  readonly all: readonly Skill[] | undefined;
};

/**
 * Choose the models of a run. Options that are read again keep those of the first time.
 *
 * @throws UsageError for a model or fallback that cannot be used, before anything is written
 */
export async function chooseModels<Place extends { readonly env: Environment }>(
  choices: ModelChoices<Place> & { readonly resumes: boolean; readonly earlier?: unknown },
  { last, limits, agents, all = [] }: Limited,
  workspace: Place,
  { keyHelper }: { readonly keyHelper: KeyHelper },
) {
  const { limitModels } = limits ?? {};
  const isFirst = choices.earlier === undefined;
  const fallbackModel = choices.fallbackModel ?? last('fallbackModel');
  const asked = choices.model ?? last('model');
  const names = { env: workspace.env, limitModels: limitModels ?? ALL_MODELS };
  const parts = { parts: [...agents, ...all], fallbackModel, asked };
  const limited = isFirst ? limits?.chooseModel(choices.model, parts, names) : undefined;
  const { name, warnings } = limited ?? { name: asked, warnings: [] };
  const chosen = await choices.chooseModel(name, workspace, keyHelper);
  if (isFirst && (!choices.resumes || choices.model !== undefined))
    toFallbackModels(fallbackModel, requirePermitted(chosen.modelName ?? 'default', names), names);
  return {
    chosen: { ...chosen, ...given({ fallbackModel, limitModels }) },
    warnings,
  };
}
