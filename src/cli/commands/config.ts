import type { Folder, RunCommand } from '../command.js';
import { resolve } from 'node:path';
import type { ExplainedSettings, ValuePlace } from '../../api/types.js';
import { SOURCE_LABELS, explainSettings } from '../../api/settings/settings.js';
import { readSettings } from '../arguments/read-settings.js';
import { describeWaiting, loadRunSettings } from '../run/run-settings.js';
import { toTable, type Column } from '../output/table.js';
import type { SettingsArguments } from '../arguments/run-arguments.js';
import { isNarrow, printBlocks, printJson, printLines, printTable, warn } from '../output/print.js';

/** Settings whose values a listing hides: the listing may end in a log. */
const SECRET_NAME = /key|token|secret|password|credential/i;
const HIDDEN = '(hidden)';

/**
 * `troupe config`: print the settings of a run in this folder, each with its place.
 *
 * @returns the exit code
 * @throws UsageError for invalid settings, as a run does
 */
export const run: RunCommand = async (line, world) => {
  const cwd = resolve(world.cwd);
  const loaded = await loadRunSettings(readSettings(line), { cwd, env: world.env });
  const explained = addFlags(hideSecrets(explainSettings(loaded)), loaded.directories);
  if (line.given.has('--json')) {
    const files = loaded.found.map(({ source, file = '--settings' }) => ({ source, file }));
    await printJson([{ cwd, files, ...explained }]);
    return 0;
  }
  const rows = toRows(explained);
  if (rows.length === 0) await printLines([NO_SETTINGS]);
  else if (isNarrow())
    await printBlocks(rows.map(([name, value, place]) => [`${name}: ${value}`, place]));
  else await printTable(rows, COLUMNS);
  warn(describeWaiting(loaded.waiting));
  return 0;
};

/** The text of `/config`. */
export async function describeConfig(
  settings: SettingsArguments,
  world: Folder,
  width: number,
): Promise<string> {
  const loaded = await loadRunSettings(settings, world);
  const rows = toRows(addFlags(hideSecrets(explainSettings(loaded)), loaded.directories));
  if (rows.length === 0) return NO_SETTINGS;
  return (await toTable(rows, { columns: COLUMNS, width })).join('\n');
}

const NO_SETTINGS = 'No settings: everything is at its default.';

const COLUMNS: readonly Column[] = [
  { least: 12 },
  { least: 20, wraps: true },
  { least: 20, wraps: true, shortensPaths: true },
];

function addFlags(explained: ExplainedSettings, directories: readonly string[]): ExplainedSettings {
  const added = directories.map((value) => ({
    key: 'permissions.additionalDirectories',
    value,
    source: 'cliArg' as const,
    waitsForTrust: false,
  }));
  return { ...explained, values: [...explained.values, ...added] };
}

function hideSecrets(explained: ExplainedSettings): ExplainedSettings {
  const values = explained.values.map((one) => (isSecret(one) ? { ...one, value: HIDDEN } : one));
  return { ...explained, values };
}

/** A helper may have the key itself: `echo KEY`. A helper that waits for trust is shown: the user has to judge it. */
function isSecret({ key, waitsForTrust }: ExplainedSettings['values'][number]): boolean {
  if (key === 'apiKeyHelper') return !waitsForTrust;
  return key.startsWith('env.') && SECRET_NAME.test(key);
}

function toRows({
  values,
  rules,
  withoutEffect,
}: ExplainedSettings): readonly (readonly [name: string, value: string, place: string])[] {
  const rows = values.map((one) => [one.key, toWord(one.value), placeOf(one)] as const);
  const ruleRows = rules.map((one) => [one.behavior, one.rule, placeOf(one)] as const);
  const unknownRows = withoutEffect.map((one) => [one.key, 'has no effect', placeOf(one)] as const);
  return [...rows, ...ruleRows, ...unknownRows];
}

function toWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function placeOf(place: Omit<ValuePlace, 'waitsForTrust'> & Partial<ValuePlace>): string {
  const { source, file, line, waitsForTrust = false } = place;
  const at = [file, line].filter((part) => part !== undefined).join(':');
  const where =
    at === '' || file === undefined ? SOURCE_LABELS[source] : `${SOURCE_LABELS[source]}, ${at}`;
  return waitsForTrust ? `${where}, waits for trust` : where;
}
