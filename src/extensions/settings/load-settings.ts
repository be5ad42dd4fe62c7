import { readFile } from 'node:fs/promises';
import { UsageError } from '../../core/errors.js';
import type { PermissionRuleSource } from '../../core/permission-types.js';
import { parseJsonWithPositions } from './json-positions.js';
import { Settings } from './settings-schema.js';

export type LoadedSettings = {
  readonly settings: Settings;
  readonly source: PermissionRuleSource;
  /** Absent where the settings were given as text. */
  readonly file?: string;
};

/**
 * Reads settings from JSON text or from a file; the file is left as it is.
 *
 * @param textOrPath JSON text where it starts with `{`, else a path.
 * @throws UsageError with file, line and column of what is wrong, or with the path that cannot be read.
 */
export async function loadSettings(
  textOrPath: string,
  source: PermissionRuleSource,
): Promise<LoadedSettings> {
  if (textOrPath.trimStart().startsWith('{')) {
    return { settings: parseSettings(textOrPath, '--settings'), source };
  }
  let text: string;
  try {
    text = await readFile(textOrPath, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `Settings cannot be read: ${why}. Give the path of a JSON file, or JSON text that starts with "{".`,
      { file: textOrPath },
      { cause: error },
    );
  }
  return { settings: parseSettings(text, textOrPath), source, file: textOrPath };
}

/** @param file what the text is called in an error. */
function parseSettings(text: string, file: string): Settings {
  const json = parseJsonWithPositions(text.replace(/^\uFEFF/, ''));
  if (!json.ok) {
    const { message, line, column } = json;
    throw new UsageError(`This is not JSON: ${message}.`, { file, line, column });
  }
  const parsed = Settings.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const name = path.length === 0 ? 'The settings' : `"${path.map(String).join('.')}"`;
  throw new UsageError(`${name}: ${issue?.message ?? 'not valid'}`, {
    file,
    ...json.positionOf(path),
  });
}
