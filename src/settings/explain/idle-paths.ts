import { isManaged } from '../files/settings-files.js';
import { isManagedOnly, MANAGED_ONLY, type SettingPath } from '../files/restrict-settings.js';
import { PermissionSettings, SandboxSettings, Settings } from '../schema/settings-schema.js';

/** The keys of a settings file that have no effect in Troupe. */
export function idlePaths(settings: Settings): readonly SettingPath[] {
  const { permissions = {}, sandbox = {} } = settings;
  const unknown = (shape: object, of: object, above: SettingPath = []): readonly SettingPath[] =>
    Object.keys(of)
      .filter((key) => !Object.hasOwn(shape, key))
      .map((key) => [...above, key]);
  return [
    ...unknown(Settings.unwrap().shape, settings).filter(([key]) => !isManagedOnly(key)),
    ...unknown(PermissionSettings.unwrap().shape, permissions, ['permissions']),
    ...unknown(SandboxSettings.unwrap().shape, sandbox, ['sandbox']),
  ];
}

/** The keys of a file that is no managed one with an effect in managed settings only. */
export function managedOnlyKeys(layer: {
  readonly settings: Settings;
  readonly source: string;
}): readonly string[] {
  return isManaged(layer) ? [] : MANAGED_ONLY.filter((key) => layer.settings[key] !== undefined);
}
