import type { Settings } from '../../settings/schema/settings-schema.js';

/** The values that apply, of those in the layers of settings. */
export function lastOf(merged: readonly Settings[]) {
  return <Name extends keyof Settings & string>(name: Name): Settings[Name] =>
    merged.findLast((one) => one[name] !== undefined)?.[name] as Settings[Name]; // undefined if no layer has one
}

/** Whether the settings were given for this run, or are managed settings. */
export function isExplicit({ source }: { readonly source: string }): boolean {
  return source === 'flagSettings' || source === 'policySettings';
}
