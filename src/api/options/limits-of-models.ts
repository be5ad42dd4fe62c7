import type { ModelLimits } from '../../model/choice/model-limits.js';
import { limitModels, MOVING_ALIASES } from '../../model/choice/limit-models.js';
import { managedFolderOf } from '../../settings/files/managed-folder.js';
import { isManaged } from '../../settings/files/settings-files.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';

type Layers = SettingsLayers['layers'];
type Layer = Layers[number];

/**
 * The limits of models that all layers set; undefined if no layer has one. A list in managed settings replaces those of
 * other files, and the managed folder that comes last replaces those of other managed folders.
 */
export function limitsOfModels(layers: Layers): ModelLimits | undefined {
  const managed = layers.filter(isManaged);
  const withList = layers.filter(({ settings }) => settings.availableModels !== undefined);
  const last = withList.findLast(isManaged);
  const counting =
    last === undefined
      ? withList
      : withList.filter((one) => isManaged(one) && folderOf(one) === folderOf(last));
  const denied = managed.flatMap((layer) =>
    (layer.settings.deniedModels ?? []).map((name) => ({ name, place: placeOf(layer) })),
  );
  if (counting.length + denied.length === 0) return undefined;
  const isExact = managed.some(({ settings }) => settings.availableModelsMatch === 'exact');
  return limitModels({
    available:
      counting.length === 0
        ? undefined
        : {
            names: counting.flatMap(({ settings }) => settings.availableModels ?? []),
            place: counting.map(placeOf).join(', '),
          },
    denied,
    isExact,
    coversDefault:
      isExact || managed.some(({ settings }) => settings.enforceAvailableModels === true),
  });
}

/** Describe the names in the lists of models that stand for no fixed model, one line a file. */
export function describeMovingNames(layers: Layers): readonly string[] {
  return layers.flatMap((layer) =>
    (['availableModels', 'deniedModels'] as const).flatMap((key) => {
      const names = layer.settings[key] ?? [];
      const moving = names.filter((name) => MOVING_ALIASES.includes(name.toLowerCase()));
      if (moving.length === 0) return [];
      return [
        `${placeOf(layer)}: ${key}: these stand for no fixed model and have no effect: ${moving.join(', ')}. Name a family, such as opus, or an ID.`,
      ];
    }),
  );
}

function folderOf({ file = '' }: Layer): string {
  return managedFolderOf(file);
}

function placeOf({ file = '--settings' }: Layer): string {
  return file;
}
