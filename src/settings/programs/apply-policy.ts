import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { nameSome } from '../../core/text/name-some.js';
import { valueAt } from '../../core/text/describe-issue.js';
import type { Environment } from '../../files/folders.js';
import { readOwnPackage } from '../../files/own-package.js';
import { isSwitchedOn } from '../explain/idle-keys.js';
import { findNearKeys } from '../explain/find-near-keys.js';
import { idlePaths } from '../explain/idle-paths.js';
import { parseJsonAs } from '../files/parse-json.js';
import { forPolicy } from '../schema/policy-settings.js';
import { managedFolderOf } from '../files/managed-folder.js';
import { isManaged } from '../files/settings-files.js';
import type { SettingPath } from '../files/restrict-settings.js';
import { runPolicyHelper } from './run-policy-helper.js';

type LoadedSettings = Parameters<typeof findNearKeys>[0];
type Earlier = {
  readonly found: readonly LoadedSettings[];
  readonly onFault: (fault: UsageError) => void;
};
type Place = { readonly cwd: string; readonly env: Environment };

/**
 * Apply the managed settings that are about the settings themselves. A helper's settings replace those of the folder that
 * names it. A key that restricts and that Troupe cannot obey refuses the run.
 *
 * @param managed lowest first
 * @param earlier the last good settings, which replace unusable ones
 * @throws UsageError with the file of the key
 */
export async function applyPolicy(
  managed: readonly LoadedSettings[],
  place: Place,
  earlier?: Earlier,
): Promise<readonly LoadedSettings[]> {
  try {
    return await applied(managed, place);
  } catch (error) {
    if (earlier === undefined || !(error instanceof UsageError)) throw error;
    earlier.onFault(error);
    return earlier.found.filter(isManaged);
  }
}

async function applied(
  managed: readonly LoadedSettings[],
  place: Place,
): Promise<readonly LoadedSettings[]> {
  const folders = [...new Set(managed.map(folderOf))];
  const byFolder = await Promise.all(
    folders.map((folder) =>
      computed(
        managed.filter((one) => folderOf(one) === folder),
        place,
      ),
    ),
  );
  byFolder.flat().forEach(requireValid);
  byFolder.flat().forEach(requireVersion);
  byFolder.forEach((layers, index) => {
    const accepted = byFolder.slice(index).flatMap((one) => one.flatMap(acceptedBy));
    for (const layer of layers) refuseUnobeyed(layer, accepted);
  });
  return byFolder.flat().flatMap((layer) => [layer, ...inOwnWords(layer)]);
}

/** The settings of one folder, or those that its helper computes. */
async function computed(
  layers: readonly LoadedSettings[],
  place: Place,
): Promise<readonly LoadedSettings[]> {
  const naming = layers.findLast(({ settings }) => settings.policyHelper !== undefined);
  if (naming === undefined) return layers;
  const { path, output } = await runPolicyHelper(naming.settings.policyHelper, {
    ...place,
    file: fileOf(naming),
  });
  const { managedSettings, claudeMd, appendSystemPrompt } = output;
  const words = [claudeMd, appendSystemPrompt].filter((text) => text !== undefined).join('\n\n');
  const settings = { ...managedSettings, ...(words !== '' && { claudeMd: words }) };
  const own = { settings, source: 'policySettings', file: path } as const;
  return managedSettings === undefined ? [...layers, own] : [own];
}

/** @throws UsageError for an invalid value of a key that only managed settings have */
function requireValid(layer: LoadedSettings): void {
  const { file = '', settings, text = JSON.stringify(settings) } = layer;
  parseJsonAs(z.looseObject(forPolicy()), text, { file, whole: 'The settings' });
}

/** @throws UsageError if this is another version than the settings need */
function requireVersion(layer: LoadedSettings): void {
  const { requiredMinimumVersion: least, requiredMaximumVersion: most } = layer.settings;
  if (isOfOthers(layer)) return;
  const { version } = readOwnPackage();
  const own = partsOf(version);
  for (const [key, wanted] of Object.entries({
    requiredMinimumVersion: least,
    requiredMaximumVersion: most,
  })) {
    if (wanted === undefined) continue;
    const parts = partsOf(wanted);
    const file = fileOf(layer);
    if (parts === undefined || own === undefined)
      throw new UsageError(
        `${key} is "${wanted}", which is no version. Write one, such as "1.2.3".`,
        {
          file,
        },
      );
    const isLeast = key === 'requiredMinimumVersion';
    if (isLeast ? isBefore(own, parts) : isBefore(parts, own))
      throw new UsageError(
        `${key} is ${wanted}, and this is Troupe ${version}. Install Troupe ${wanted}${isLeast ? ' or later' : ' or an earlier version'}.`,
        { file },
      );
  }
}

/** Versions in the files of Claude Code are versions of Claude Code. */
export function isOfOthers({ file = '' }: Pick<LoadedSettings, 'file'>): boolean {
  return managedFolderOf(file) === '/etc/claude-code';
}

function partsOf(version: string): readonly number[] | undefined {
  return /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version)
    ? version.split('-', 1)[0]?.split('.').map(Number)
    : undefined;
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const differing = one.findIndex((part, index) => part !== other[index]);
  return differing >= 0 && (one[differing] ?? 0) < (other[differing] ?? 0);
}

/** Keys at the top that restrict a session in a way that Troupe cannot. */
const UNOBEYED: Readonly<Record<string, string>> = {
  forceLoginOrgUUID:
    'Troupe has keys and no logins, and cannot tell to which organization a key belongs',
  forceRemoteSettingsRefresh: 'Troupe reads no settings from a server',
};

/** Keys below `permissions` and `sandbox` that only loosen something, or that each session of Troupe obeys. */
const HARMLESS: readonly string[] = [
  'permissions.blockReadsExemptPaths',
  'permissions.workingDirectoriesAsGiven',
  'sandbox.allowAppleEvents',
  'sandbox.allowNestedUserNamespaces',
  'sandbox.autoAllowBashIfSandboxed',
  'sandbox.bwrapPath',
  'sandbox.enableWeakerNestedSandbox',
  'sandbox.enableWeakerNetworkIsolation',
  'sandbox.enabledPlatforms',
  'sandbox.failIfUnavailable', // a sandbox that does not work ends the run
  'sandbox.ignoreViolations',
  'sandbox.ripgrep',
  'sandbox.socatPath',
];

/** Fields of keys below `sandbox` that restrict. */
const RESTRICTING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'sandbox.filesystem': ['denyRead', 'denyWrite'],
  'sandbox.credentials': ['files', 'envVars'],
};

/** @throws UsageError for a key that restricts, without effect, and that nobody has accepted */
function refuseUnobeyed(layer: LoadedSettings, accepted: readonly string[]): void {
  const [near] = findNearKeys(layer);
  if (near !== undefined)
    throw new UsageError(`${near} Nothing runs while managed settings have a misspelt key.`);
  const unobeyed = idlePaths(layer.settings)
    .filter((path) => restricts(path, layer) && !accepted.includes(path.join('.')))
    .map((path) => path.join('.'));
  if (unobeyed.length === 0) return;
  const reasons = unobeyed.flatMap((key) => UNOBEYED[key] ?? []).map((why) => ` ${why}.`);
  const accept = JSON.stringify({ acceptUnsupported: unobeyed });
  throw new UsageError(
    `Troupe cannot obey these managed settings, and does not run without them: ${nameSome(unobeyed, 12)}.${reasons.join('')} ` +
      `To use Troupe all the same, add ${accept} to managed settings, here or in /etc/troupe/managed-settings.json.`,
    { file: fileOf(layer) },
  );
}

function restricts(path: SettingPath, { settings }: LoadedSettings): boolean {
  const key = path.join('.');
  const value = valueAt(settings, path);
  if (!isSwitchedOn(value) || HARMLESS.includes(key)) return false;
  const fields = RESTRICTING_FIELDS[key];
  if (fields !== undefined) return fields.some((field) => isSwitchedOn(valueAt(value, [field])));
  return path.length > 1 || Object.hasOwn(UNOBEYED, key);
}

/** Express settings of another program in settings of Troupe. */
function inOwnWords(layer: LoadedSettings): readonly LoadedSettings[] {
  const { autoMode, disableWorkflows } = layer.settings;
  const settings = {
    ...(isSwitchedOn(autoMode) && { disableAutoMode: 'disable' as const }),
    ...(disableWorkflows === true && { permissions: { deny: ['Workflow'] } }),
  };
  if (Object.keys(settings).length === 0) return [];
  return [{ settings, source: layer.source, file: fileOf(layer) }];
}

function acceptedBy({ settings }: LoadedSettings): readonly string[] {
  return settings.acceptUnsupported ?? [];
}

function folderOf(layer: LoadedSettings): string {
  return managedFolderOf(fileOf(layer));
}

/** Managed settings always have a file. */
function fileOf({ file = '' }: LoadedSettings): string {
  return file;
}
