/** A plugin: a folder with commands, skills, agents, hooks, servers and output styles. */
export type Plugin = {
  /** Name of the plugin, in front of the names of its parts: `kit` in `/kit:deploy`. */
  readonly name: string;
  /** `NAME@MARKETPLACE`; `NAME@inline` if a flag or a program names the folder. */
  readonly id: string;
  /** Absolute path of the folder, after all links. */
  readonly path: string;
  /** Absolute path of the folder for files that an update of the plugin keeps. */
  readonly dataFolder: string;
};

/** A plugin in the first message of a session. */
export type PluginPlace = {
  /** Prefix of the names of its parts. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly path: string;
  /** ID of the plugin. */
  readonly source: string;
};

/** The plugins in the first message of a session. */
export type PluginFields = {
  /** The plugins whose parts the session has. */
  readonly plugins: readonly PluginPlace[];
  /** Plugins that were asked for and are left out; absent without such plugins. */
  readonly plugin_errors?: readonly PluginError[];
};

/** Why a plugin is not in a session. */
export type PluginError = {
  /** ID of the plugin, or the folder that was named. */
  readonly plugin: string;
  /** Kind of the fault. */
  readonly type: 'not-found' | 'not-installed' | 'not-trusted' | 'invalid' | 'duplicate';
  /** Reason, as sentences for people. */
  readonly message: string;
};

/** The plugins of a session. */
export type SessionPlugins = {
  /** Plugins whose parts the session has. */
  readonly loaded: readonly Plugin[];
  /** Plugins that were asked for and are left out. */
  readonly errors: readonly PluginError[];
};
