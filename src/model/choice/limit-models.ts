import type { Environment } from '../../files/folders.js';
import {
  DEFAULT_MODEL,
  SCRIPTED_MODEL_NAME,
  familyOf,
  planModelOf,
  resolveModelName,
  smallModel,
  withoutSuffix,
} from './aliases.js';
import type { ModelLimits } from './model-limits.js';

/** Limits of models, as settings write them. */
export type ModelRules = {
  /** The only models that may be chosen: families, IDs, beginnings of IDs. All models if absent. */
  readonly available?: { readonly names: readonly string[]; readonly place: string } | undefined;
  /** Models that are never used. */
  readonly denied: readonly { readonly name: string; readonly place: string }[];
  /** An ID of `available` allows no later version. */
  readonly isExact: boolean;
  /** The default model must be available, too. */
  readonly coversDefault: boolean;
};

/** Aliases whose model depends on the version of Troupe: in a list they name nothing. */
export const MOVING_ALIASES: readonly string[] = ['best', 'default', 'opusplan'];

/**
 * Limit the models of sessions. Without `coversDefault` the default model may be used although it is not available,
 * and in any case the small model, unless they are denied.
 */
export function limitModels(rules: ModelRules): ModelLimits {
  const { available, denied, isExact } = rules;
  const names = (available?.names ?? []).map(written).filter(isFixed);
  const isAvailable = (id: string): boolean =>
    available === undefined || names.some((name) => allows(name, id, { names, isExact }));
  const denies = (id: string) => denied.find(({ name }) => isDenied(written(name), id));
  const isUsable = (id: string): boolean =>
    id === SCRIPTED_MODEL_NAME || (isAvailable(id) && denies(id) === undefined);
  const coversDefault = rules.coversDefault && names.length > 0;
  const mayBeDefault = (id: string): boolean =>
    denies(id) === undefined && (!coversDefault || isAvailable(id));
  const whyUnusable = (id: string): string => {
    const place = denies(id)?.place;
    const whose = `The model "${id}" may not be used: `;
    if (place !== undefined) return `${whose}deniedModels of ${place} has it.`;
    const list = available?.names.join(', ') || 'none but the default model';
    return `${whose}availableModels of ${available?.place} does not have it. It has: ${list}.`;
  };
  /** The versions of a family that the list names, the newest first. */
  const listed = (family: string): readonly string[] =>
    names
      .filter((name) => !isFamily(name) && wordsOf(name).includes(family))
      .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const permitDefault = (env: Environment): string | undefined => {
    const own = resolveModelName(DEFAULT_MODEL);
    const redirected = resolveModelName(DEFAULT_MODEL, env);
    const others = [...names, 'haiku'].map((name) => resolveModelName(name));
    return [redirected].find(isUsable) ?? [own].find(mayBeDefault) ?? others.find(isUsable);
  };
  const permit = (name: string, env: Environment): string | undefined => {
    if (withoutSuffix(name).toLowerCase() === 'default') return permitDefault(env);
    const family = familyOf(name);
    const others = family === undefined ? [] : [resolveModelName(name), ...listed(family)];
    return [resolveModelName(name, env), ...others].find(isUsable);
  };
  return {
    permit,
    plan: (name, env) => (planModelOf(name, env) === undefined ? undefined : permit('opus', env)),
    small(env) {
      const own = resolveModelName('haiku');
      return [smallModel(env)].find(isUsable) ?? (denies(own) === undefined ? own : undefined);
    },
    mayAsk(id) {
      const isDefault = id === resolveModelName(DEFAULT_MODEL) && mayBeDefault(id);
      const isSmall = id === resolveModelName('haiku') && denies(id) === undefined;
      return isUsable(id) || isDefault || isSmall;
    },
    why: whyUnusable,
  };
}

/** One spelling for all: `Opus-4.5[1m]` is `claude-opus-4-5`. */
function written(name: string): string {
  const bare = withoutSuffix(name)
    .toLowerCase()
    .replaceAll(/(?<=\d)\.(?=\d)/g, '-');
  return /^(?:sonnet|opus|haiku|fable|mythos)-\d|^\d-/.test(bare) ? `claude-${bare}` : bare;
}

function isFixed(name: string): boolean {
  return !MOVING_ALIASES.includes(name);
}

function isFamily(name: string): boolean {
  return /^[a-z]+$/.test(name);
}

function wordsOf(id: string): readonly string[] {
  return id.split(/[^a-z]+/);
}

function allows(
  name: string,
  id: string,
  { names, isExact }: { readonly names: readonly string[]; readonly isExact: boolean },
): boolean {
  const asked = written(id);
  if (isFamily(name)) {
    const hasVersions = names.some((one) => !isFamily(one) && wordsOf(one).includes(name));
    const families = wordsOf(asked).filter((word) => word === name || familyOf(word) === word);
    return !hasVersions && families.length === 1 && families[0] === name;
  }
  if (!asked.startsWith(name)) return false;
  const rest = asked.slice(name.length);
  return isExact ? /^(?:[-@]\d{8})?(?:-fast)?$/.test(rest) : /^(?:$|[-@:])/.test(rest);
}

function isDenied(name: string, id: string): boolean {
  if (!isFixed(name)) return false;
  if (isFamily(name)) return wordsOf(written(id)).includes(name);
  const [version, asked] = [versionOf(name), versionOf(written(id))];
  return asked === version || asked.startsWith(`${version}-`);
}

/** The version that an ID names, without provider, date and speed. */
function versionOf(id: string): string {
  return id
    .replace(/^.*(?=claude-)|^.*\//, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/[-@](?:\d{8}|latest)(?=$|-)/, '')
    .replace(/-fast$/, '');
}
