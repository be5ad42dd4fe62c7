import type { PermissionBehavior, PermissionRuleSource } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { idlePaths } from './idle-paths.js';
import { parseJsonWithPositions } from '../files/json-positions.js';
import type { SettingsLayers } from '../files/load-layers.js';
import type { LoadedSettings } from '../files/load-settings.js';
import { withoutByteOrderMark } from '../files/parse-json.js';
import { isManagedOnly, type SettingPath } from '../files/restrict-settings.js';
import { PermissionSettings, Settings } from '../schema/settings-schema.js';

export type ValuePlace = {
  readonly source: PermissionRuleSource;
  /** Absent if the settings were given as text; then the line is that of the text. */
  readonly file?: string;
  readonly line?: number;
  readonly waitsForTrust: boolean;
};
export type ExplainedValue = { readonly key: string; readonly value: unknown } & ValuePlace;
export type ExplainedRule = {
  readonly behavior: PermissionBehavior;
  readonly rule: string;
} & ValuePlace;

export type ExplainedSettings = {
  /**
   * One entry for each key, with the value that applies, and further ones that wait for trust. Lists have one entry for
   * each item.
   */
  readonly values: readonly ExplainedValue[];
  readonly rules: readonly ExplainedRule[];
  /** Keys that are kept and have no effect. */
  readonly withoutEffect: readonly ({ readonly key: string } & Omit<ValuePlace, 'waitsForTrust'>)[];
};

const BEHAVIORS = ['deny', 'ask', 'allow'] as const satisfies readonly PermissionBehavior[];

/** The origin of each value that applies or waits. */
export function explainSettings({ layers, found, waiting }: SettingsLayers): ExplainedSettings {
  const values = new Map<string, ExplainedValue>();
  const rules: ExplainedRule[] = [];
  const waitingValues: ExplainedValue[] = [];

  for (const loaded of layers) {
    const locate = locator(loaded);
    for (const { key, path, value, isItem } of valuesOf(loaded.settings)) {
      const id = isItem ? `${key} ${String(value)}` : key;
      values.set(id, { key, value, ...locate(path), waitsForTrust: false });
    }
    for (const { path, ...rule } of rulesOf(loaded.settings))
      rules.push({ ...rule, ...locate(path), waitsForTrust: false });
  }
  for (const { loaded, paths } of waiting) {
    const locate = locator(loaded);
    const waits = (path: SettingPath): boolean =>
      paths.some((prefix) => prefix.every((key, index) => key === path[index]));
    for (const { key, path, value } of valuesOf(loaded.settings))
      if (waits(path)) waitingValues.push({ key, value, ...locate(path), waitsForTrust: true });
    for (const { path, ...rule } of rulesOf(loaded.settings))
      if (waits(path)) rules.push({ ...rule, ...locate(path), waitsForTrust: true });
  }
  return {
    values: [...values.values(), ...waitingValues].sort((a, b) => (a.key < b.key ? -1 : 1)),
    rules: BEHAVIORS.flatMap((behavior) => rules.filter((rule) => rule.behavior === behavior)),
    withoutEffect: found.flatMap((loaded) => {
      const locate = locator(loaded);
      return idlePaths(loaded.settings).map((path) => ({
        key: path.join('.'),
        ...locate(path),
      }));
    }),
  };
}

type Value = {
  readonly key: string;
  readonly path: SettingPath;
  readonly value: unknown;
  /** True: an item of a list. All items of a list apply. */
  readonly isItem: boolean;
};

/** All values except rules. */
function valuesOf({
  permissions = {},
  env = {},
  modelPrices = {},
  lspServers = {},
  ...others
}: Settings): readonly Value[] {
  const known = (shape: object, of: object): readonly (readonly [string, unknown])[] =>
    Object.entries(of).filter(
      ([key, value]) => (Object.hasOwn(shape, key) || isManagedOnly(key)) && value !== undefined,
    );
  return [
    ...known(Settings.unwrap().shape, others)
      .filter(([key]) => key !== '$schema')
      .flatMap(([key, value]) => toValues([key], value)),
    ...Object.entries(env).flatMap(([name, value]) => toValues(['env', name], value)),
    ...Object.entries(lspServers).flatMap(([name, value]) => toValues(['lspServers', name], value)),
    ...Object.entries(modelPrices).flatMap(([name, value]) =>
      toValues(['modelPrices', name], value),
    ),
    ...known(PermissionSettings.unwrap().shape, permissions)
      .filter(([key]) => !isBehavior(key))
      .flatMap(([key, value]) => toValues(['permissions', key], value)),
  ];
}

/** An item of a list has the key of its list. */
function toValues(path: SettingPath, value: unknown): readonly Value[] {
  const key = path.join('.');
  if (!Array.isArray(value)) return [{ key, path, value, isItem: false }];
  return value.map((item: unknown, index) => {
    return { key, path: [...path, String(index)], value: item, isItem: true };
  });
}

/** The rules of one file, deny first, with their keys. */
export function rulesOf({
  permissions,
}: Settings): readonly Omit<ExplainedRule & { readonly path: SettingPath }, keyof ValuePlace>[] {
  return BEHAVIORS.flatMap((behavior) =>
    (permissions?.[behavior] ?? []).map((rule, index) => ({
      behavior,
      rule,
      path: ['permissions', behavior, String(index)],
    })),
  );
}

function isBehavior(key: string): boolean {
  return BEHAVIORS.some((behavior) => behavior === key);
}

/** Make a function that finds the place of a value. */
export function locator({
  source,
  file,
  text,
}: LoadedSettings): (path: SettingPath) => Omit<ValuePlace, 'waitsForTrust'> {
  const json = text === undefined ? undefined : parseJsonWithPositions(withoutByteOrderMark(text));
  return (path) => ({
    source,
    ...given({ file }),
    ...(json?.ok === true ? { line: json.positionOf(path).line } : {}),
  });
}
