import type { McpServerConfig } from './server-config.js';

type Env = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_][0-9A-Za-z_]*)(?::-([^}]*))?\}/g;

/**
 * Replace `${VAR}` and `${VAR:-default}` in a server's command, arguments and environment. A variable that is not set
 * and has no default stays as written, and `missing` names it.
 */
export function expandVariables(
  config: McpServerConfig,
  env: Env,
): { readonly config: McpServerConfig; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replaceAll(VARIABLE, (written: string, name: string, preset: string | undefined) => {
      const value = env[name];
      if (value !== undefined && (value !== '' || preset === undefined)) return value;
      if (preset !== undefined) return preset;
      missing.add(name);
      return written;
    });
  const { command, args, env: own } = config;
  const expanded: McpServerConfig = {
    ...config,
    command: expand(command),
    ...(args === undefined ? {} : { args: args.map(expand) }),
    ...(own === undefined
      ? {}
      : {
          env: Object.fromEntries(Object.entries(own).map(([name, text]) => [name, expand(text)])),
        }),
  };
  return { config: expanded, missing: [...missing] };
}
