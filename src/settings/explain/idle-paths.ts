import type { SettingPath } from '../files/restrict-settings.js';
import { PermissionSettings, SandboxSettings, Settings } from '../schema/settings-schema.js';

/** The keys of a settings file that have no effect in Troupe. */
export function idlePaths(settings: Settings): readonly SettingPath[] {
  const { permissions = {}, sandbox = {} } = settings;
  const unknown = (shape: object, of: object, above: SettingPath = []): readonly SettingPath[] =>
    Object.keys(of)
      .filter((key) => !Object.hasOwn(shape, key))
      .map((key) => [...above, key]);
  return [
    ...unknown(Settings.unwrap().shape, settings),
    ...unknown(PermissionSettings.unwrap().shape, permissions, ['permissions']),
    ...unknown(SandboxSettings.unwrap().shape, sandbox, ['sandbox']),
  ];
}
