import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Plugin } from '../../core/commands/plugin.js';
import { UsageError } from '../../core/errors.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { parseJsonAs } from '../../settings/files/parse-json.js';

/** A plugin's folder while its parts are read. */
export type PluginFolder = {
  readonly plugin: Plugin;
  /** The folder itself: no file outside of it is read. */
  readonly roots: readonly string[];
  /** Values of `${NAME}` in the plugin's configuration. */
  readonly variables: Readonly<Record<string, string>>;
  /** Add a fault of a part. The other parts load. */
  readonly warn: (line: string) => void;
};

/** Run the reader of a part. A fault leaves the part out. */
export function attemptPart(read: () => void, warn: (line: string) => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    warn(error.message);
  }
}

/** Read a file of a plugin; undefined for a missing one. @throws UsageError */
export function readInner({ plugin, roots }: PluginFolder, path: string): string | undefined {
  const file = join(plugin.path, path);
  const read = readPlantedFile(file, { roots });
  if (read.status === 'missing') return undefined;
  if (read.status === 'read') return read.text;
  throw new UsageError(`The file cannot be used: ${read.why}.`, { file });
}

/** Read a file that the manifest names. @throws UsageError if it is missing */
export function readNamed(folder: PluginFolder, path: string): string {
  const text = readInner(folder, path);
  if (text !== undefined) return text;
  throw new UsageError('The manifest of the plugin names this file, and it does not exist.', {
    file: join(folder.plugin.path, path),
  });
}

/** Parse a JSON file whose value is an object. @throws UsageError with file, line and column of the fault */
export function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  return parseJsonAs(z.looseObject({}), text, { file, whole: 'The file' });
}

/**
 * Give each source of a kind of parts to `add`, as parsed JSON with its file: the usual file, and what the manifest
 * names, which is files or the parts themselves. A fault leaves a source out.
 */
export function readSources(
  folder: PluginFolder,
  usual: string,
  named: readonly (string | Readonly<Record<string, unknown>>)[],
  add: (value: unknown, file: string) => void,
): void {
  const { plugin, warn } = folder;
  const usualFile = join(plugin.path, usual);
  attemptPart(() => {
    const text = readInner(folder, usual);
    if (text !== undefined) add(parseObject(text, usualFile), usualFile);
  }, warn);
  for (const source of named)
    attemptPart(() => {
      if (typeof source !== 'string')
        return add(source, join(plugin.path, '.claude-plugin', 'plugin.json'));
      const file = join(plugin.path, source);
      if (file !== usualFile) add(parseObject(readNamed(folder, source), file), file);
    }, warn);
}

/** Absolute paths of what the manifest names; what does not exist is left out with a warning. */
export function existingPaths(
  { plugin, warn }: PluginFolder,
  paths: readonly string[],
): readonly string[] {
  return paths.flatMap((path) => {
    const whole = join(plugin.path, path);
    if (existsSync(whole)) return [whole];
    warn(`${whole}: the manifest of the plugin names this path, and it does not exist.`);
    return [];
  });
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const PLACEHOLDER = /\$\{([\w.]+)\}/g;

/** Fill in the placeholders of a plugin in all texts of a value. Other placeholders stay. */
export function fillIn(value: unknown, variables: PluginFolder['variables']): unknown {
  if (typeof value === 'string')
    return value.replace(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
    );
  if (Array.isArray(value)) return value.map((one) => fillIn(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, fillIn(one, variables)]),
  );
}
