/** Plugins and their marketplaces, for front ends. */
export { mergeSettings } from '../../settings/merge/merge-settings.js';
export {
  enablePlugin,
  findToEnable,
  installPlugin,
  removePlugin,
  updatePlugin,
} from '../../extensions/plugins/install-plugin.js';
export { listPlugins, type ListedPlugin } from '../../extensions/plugins/list-plugins.js';
export {
  addMarketplace,
  knownMarketplace,
  parseMarketplaceSource,
  placeOf,
  removeMarketplace,
} from '../../extensions/plugins/marketplaces.js';
export { readMarketplaces } from '../../extensions/plugins/plugin-state.js';
export type { PluginScope } from '../../extensions/plugins/plugin-scopes.js';
export { validatePlugin } from '../../extensions/plugins/validate-plugin.js';
