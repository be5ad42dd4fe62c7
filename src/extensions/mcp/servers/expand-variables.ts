import { isRecord } from '../../../core/json/is-record.js';
import type { Environment } from '../../../files/folders.js';

const VARIABLE = /\$\{([A-Za-z_][0-9A-Za-z_]*)(?::-([^}]*))?\}/g;
const FIELDS: readonly string[] = ['command', 'args', 'env', 'url', 'headers', 'oauth'];

/**
 * Replace `${VAR}` and `${VAR:-default}` in a server's command, arguments, environment, address, headers and OAuth client. A variable
 * that is not set and has no default stays as written, and `missing` names it.
 */
export function expandVariables(
  written: unknown,
  env: Environment,
): { readonly server: unknown; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expand(one)]));
    if (typeof value !== 'string') return value;
    return value.replaceAll(VARIABLE, (text: string, name: string, preset: string | undefined) => {
      const set = env[name];
      if (set !== undefined && (set !== '' || preset === undefined)) return set;
      if (preset !== undefined) return preset;
      missing.add(name);
      return text;
    });
  };
  if (!isRecord(written)) return { server: written, missing: [] };
  const server = Object.fromEntries(
    Object.entries(written).map(([field, value]) => [
      field,
      FIELDS.includes(field) ? expand(value) : value,
    ]),
  );
  return { server, missing: [...missing] };
}
