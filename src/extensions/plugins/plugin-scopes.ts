/** Which settings enable a plugin: the user's, the project's, or the user's for the project. */
export const PLUGIN_SCOPES = ['user', 'project', 'local'] as const;
/** One of {@link PLUGIN_SCOPES}. */
export type PluginScope = (typeof PLUGIN_SCOPES)[number];
