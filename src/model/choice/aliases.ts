// Names of models: aliases, the variables that redirect them, and names that cannot be a model.
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import type { Environment } from '../../files/folders.js';

/** The model of a session if none is named. */
export const DEFAULT_MODEL = 'sonnet';

/** The variable that names the model of sub-agents. */
export const SUB_AGENT_MODEL = 'CLAUDE_CODE_SUBAGENT_MODEL';

/** The name of a scripted model. It has no price. */
export const SCRIPTED_MODEL_NAME = 'scripted';

/** Families of models: the current ID, and the variable that replaces it. */
const FAMILIES = {
  sonnet: { id: 'claude-sonnet-5-5', variable: 'ANTHROPIC_DEFAULT_SONNET_MODEL' },
  opus: { id: 'claude-opus-5-5', variable: 'ANTHROPIC_DEFAULT_OPUS_MODEL' },
  haiku: { id: 'claude-haiku-5-5', variable: 'ANTHROPIC_DEFAULT_HAIKU_MODEL' },
  fable: { id: 'claude-fable-5-1', variable: 'ANTHROPIC_DEFAULT_FABLE_MODEL' },
} as const;
type Family = keyof typeof FAMILIES;

const ALIASES: ReadonlyMap<string, Family> = new Map([
  ['default', DEFAULT_MODEL],
  ['sonnet', 'sonnet'],
  ['opus', 'opus'],
  ['haiku', 'haiku'],
  ['fable', 'fable'],
  ['best', 'opus'],
  ['opusplan', 'sonnet'], // and Opus in plan mode: planModelOf
]);

/** Claude Code's request for the large context window; current models have it without. */
const LARGE_WINDOW = /\s*\[1m\]$/i;
const FIRST_PARTY = 'api.anthropic.com';

/** The model ID for `name`: an alias in any case, or an ID; a suffix `[1m]` is removed. */
export function resolveModelName(name: string, env: Environment = {}): string {
  const bare = withoutSuffix(name);
  const family = ALIASES.get(bare.toLowerCase());
  if (family === undefined) return bare;
  const { id, variable } = FAMILIES[family];
  const redirected = env[variable]?.trim();
  return redirected ? resolveModelName(redirected) : id;
}

/** The family that an alias stands for; undefined if `name` is no alias. */
export function familyOf(name: string): string | undefined {
  return ALIASES.get(withoutSuffix(name).toLowerCase());
}

/** The model ID for a name in plan mode, if it is a different one: `opusplan`. */
export function planModelOf(name: string, env: Environment = {}): string | undefined {
  const isOpusPlan = withoutSuffix(name).toLowerCase() === 'opusplan';
  return isOpusPlan ? resolveModelName('opus', env) : undefined;
}

/** The small model, for short questions such as those of the classifier. */
export function smallModel(env: Environment): string {
  return resolveModelName(env['ANTHROPIC_SMALL_FAST_MODEL']?.trim() || 'haiku', env);
}

/**
 * Throw if `name` cannot be a model of the Messages API. Endpoints other than Anthropic's may have models of any name:
 * there only a misspelt alias is an error.
 *
 * @param baseURL the address of requests; Anthropic's own if left out
 * @throws UsageError with a suggestion
 */
export function requireModelName(
  name: string,
  { baseURL = '' }: { readonly baseURL?: string } = {},
): void {
  const bare = withoutSuffix(name);
  const known = [...ALIASES.keys()];
  if (bare === '')
    throw new UsageError(`The model has no name. Name an alias (${known.join(', ')}) or an ID.`);
  if (known.includes(bare.toLowerCase())) return;
  if (/^scripted:?$/i.test(bare))
    throw new UsageError(`The model is "${name}": scripted:FILE needs a file.`);
  const isFirstParty = isAnthropic(baseURL);
  if (isFirstParty ? /^claude/i.test(bare) : !/^[a-z]+$/i.test(bare)) return;
  const near = isFirstParty
    ? nearestName(bare, known)
    : nearestName(bare, Object.keys(FAMILIES), 1);
  if (near !== undefined)
    throw new UsageError(`The model is "${name}", which does not exist. Did you mean ${near}?`);
  if (isFirstParty)
    throw new UsageError(
      `The model is "${name}", which is not a Claude model. Name an alias (${known.join(', ')}) or an ID that starts with "claude-", ` +
        'or set ANTHROPIC_BASE_URL to a gateway that has this model.',
    );
}

/** Every alias with its model, the default first. */
export function listModelAliases(
  env: Environment = {},
): readonly { readonly alias: string; readonly id: string }[] {
  return [...ALIASES.keys()].map((alias) => ({ alias, id: resolveModelName(alias, env) }));
}

/** A name without the request for the large context window. */
export function withoutSuffix(name: string): string {
  return name.trim().replace(LARGE_WINDOW, '');
}

/** Whether an address is Anthropic's own; that is the default. */
export function isAnthropic(baseURL: string): boolean {
  return baseURL === '' || (URL.canParse(baseURL) && new URL(baseURL).hostname === FIRST_PARTY);
}
