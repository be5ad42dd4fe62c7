import type { JSONPath } from 'jsonc-parser';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { JsonEdit } from '../../files/edit-json.js';
import { userFolders, type Environment } from '../../files/folders.js';
import { normalisePath } from '../../permissions/paths/normalise.js';
import { formatRule, parseRule } from '../../permissions/rules/rule.js';
import { anchorRule } from './anchor-rule.js';
import { changeSettings } from '../files/change-settings.js';
import { LAYER_OF } from '../files/settings-files.js';
import type { Settings } from '../schema/settings-schema.js';

type Place = {
  readonly cwd: string;
  readonly env: Environment;
};

/**
 * Write an update of permissions to the settings file of its destination, so that it applies from now on. The rest of
 * the file does not change: comments, order, unknown keys. The file is replaced as a whole or not at all, and the new
 * text is checked to be valid settings. `/p` of a rule is relative to the folder of the session.
 *
 * @param options.isOwn write an update for this folder to the user's own file for it, not into the folder
 * @returns the file; undefined if the destination is not a file
 * @throws UsageError if the file cannot be read, is not a settings file, is outside the folder, or cannot be written
 */
export async function savePermissionUpdate(
  update: PermissionUpdate,
  place: Place,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<string | undefined> {
  const layer = LAYER_OF[update.destination];
  if (layer === undefined) return undefined;
  const anchored = layer === 'user' ? fromAnywhere(update, place) : update;
  return changeSettings(layer, place, (settings) => editsOf(anchored, settings), { isOwn });
}

/** In a user's settings `/p` is relative to the folder of the file: convert the rule so that it keeps its meaning. */
function fromAnywhere(update: PermissionUpdate, { cwd, env }: Place): PermissionUpdate {
  if (!('rules' in update)) return update;
  const home = normalisePath(userFolders(env).home);
  const rules = update.rules.flatMap((rule) =>
    anchorRule(formatRule(rule), [normalisePath(cwd)], home).map((text) => {
      const parsed = parseRule(text);
      return parsed.ok ? parsed.value : rule;
    }),
  );
  return { ...update, rules };
}

/** The edits of the file; none if it already has the update. */
function editsOf(update: PermissionUpdate, { permissions = {} }: Settings): readonly JsonEdit[] {
  switch (update.type) {
    case 'addRules': {
      const known = permissions[update.behavior] ?? [];
      return additions(['permissions', update.behavior], known, update.rules.map(formatRule));
    }
    case 'replaceRules': {
      const rules = [...new Set(update.rules.map(formatRule))];
      return [{ path: ['permissions', update.behavior], value: rules }];
    }
    case 'removeRules': {
      const known = permissions[update.behavior] ?? [];
      return removals(['permissions', update.behavior], known, update.rules.map(formatRule));
    }
    case 'setMode':
      return [{ path: ['permissions', 'defaultMode'], value: update.mode }];
    case 'addDirectories': {
      const known = permissions.additionalDirectories ?? [];
      return additions(['permissions', 'additionalDirectories'], known, update.directories);
    }
    case 'removeDirectories': {
      const known = permissions.additionalDirectories ?? [];
      return removals(['permissions', 'additionalDirectories'], known, update.directories);
    }
    default:
      return update satisfies never;
  }
}

function additions(
  path: JSONPath,
  known: readonly string[],
  added: readonly string[],
): readonly JsonEdit[] {
  const missing = [...new Set(added)].filter((item) => !known.includes(item));
  return missing.map((value, index) => ({ path: [...path, known.length + index], value }));
}

/** From the last item to the first, so that earlier items keep their places. */
function removals(
  path: JSONPath,
  known: readonly string[],
  removed: readonly string[],
): readonly JsonEdit[] {
  return known
    .flatMap((item, index) => (removed.includes(item) ? [index] : []))
    .toReversed()
    .map((index) => ({ path: [...path, index], value: undefined }));
}
