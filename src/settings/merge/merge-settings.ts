import type { Settings } from '../schema/settings-schema.js';

/** Fields whose lists are joined from all layers. */
const JOINED = {
  permissions: ['allow', 'ask', 'deny', 'additionalDirectories'],
  sandbox: ['writable', 'excludedCommands'],
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** One value for each key of settings, as sessions combine them. @param layers lowest first */
export function mergeSettings(layers: readonly Settings[]): Settings {
  const keys = [...new Set(layers.flatMap((layer) => Object.keys(layer)))];
  return Object.fromEntries(
    keys.map((key) => {
      const values = layers.map((layer) => layer[key]).filter((value) => value !== undefined);
      return [key, mergeValues(key, values)];
    }),
  );
}

function mergeValues(key: string, values: readonly unknown[]): unknown {
  switch (key) {
    case 'permissions':
    case 'sandbox':
      return mergeFields(values as readonly Fields[], JOINED[key]); // checked by the schema
    case 'hooks': {
      const events = values as readonly Fields[]; // checked by the schema
      return mergeFields(
        events,
        events.flatMap((one) => Object.keys(one)),
      );
    }
    case 'env':
    case 'enabledPlugins':
    case 'extraKnownMarketplaces':
    case 'lspServers':
    case 'modelPrices':
    case 'pluginConfigs':
    case 'skillOverrides':
      return Object.assign({}, ...values);
    case 'allowedMcpServers':
    case 'availableModels':
    case 'claudeMdExcludes':
    case 'deniedMcpServers':
    case 'deniedModels':
    case 'enabledMcpjsonServers':
    case 'disabledMcpjsonServers':
      return joinLists(values);
    case 'disableAllHooks':
    case 'disableSkillShellExecution':
      return values.includes(true);
    default:
      return values.at(-1);
  }
}

function mergeFields(values: readonly Fields[], joined: readonly string[]): Fields {
  const lists = joined
    .map((name) => [name, values.map((one) => one[name]).filter(Array.isArray)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([name, found]) => [name, joinLists(found)] as const);
  return { ...Object.assign({}, ...values), ...Object.fromEntries(lists) };
}

function joinLists(lists: readonly unknown[]): readonly unknown[] {
  return [...new Set(lists.flat())];
}
