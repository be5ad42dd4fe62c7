import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { HooksSettings } from '../../settings/schema/hooks-settings.js';
import { allowsManagedOnly, httpLimitsOf, readHooks } from './collect-hooks.js';

type Owner = { readonly hooks?: unknown };

/**
 * Read the field `hooks` of agents or skills. Invalid hooks are left out, with a warning.
 *
 * @param layers settings that limit hooks
 * @param ofSkills whether the owners are skills
 */
export function withReadHooks<One extends Owner>(
  owners: readonly One[],
  placeOf: (owner: One) => string,
  layers: Parameters<typeof httpLimitsOf>[0] = [],
  ofSkills = false,
): { readonly owners: readonly One[]; readonly warnings: readonly string[] } {
  if (owners.every(({ hooks }) => hooks === undefined)) return { owners, warnings: [] };
  const isManagedOnly = allowsManagedOnly(layers);
  const isDisabled = layers.some(({ settings }) => settings.disableAllHooks === true);
  const limits = httpLimitsOf(layers);
  const warnings: string[] = [];
  const read = owners.map((owner) => {
    if (owner.hooks === undefined) return owner;
    if (isManagedOnly)
      warnings.push(
        `${placeOf(owner)}: its hooks do not run: managed settings have allowManagedHooksOnly.`,
      );
    if (isDisabled || isManagedOnly) return { ...owner, hooks: undefined };
    const own = readOwn(owner.hooks, placeOf(owner), limits, ofSkills);
    warnings.push(...own.warnings);
    return { ...owner, hooks: own.hooks };
  });
  return { owners: read, warnings };
}

function readOwn(
  found: unknown,
  place: string,
  limits: Parameters<typeof readHooks>[2],
  ofSkill: boolean,
) {
  const parsed = HooksSettings.safeParse(found);
  if (parsed.success) return readHooks(parsed.data, place, limits, ofSkill);
  const why = describeRefusal(parsed.error, found, quotedField('it'));
  return { hooks: undefined, warnings: [`${place}: its hooks do not run: ${why}`] };
}
