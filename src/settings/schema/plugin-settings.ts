import { z } from 'zod';

/** The options of one plugin. */
export type PluginConfig = {
  /** Values for `${user_config.NAME}`, by name. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
};

/** An entry of `strictKnownMarketplaces`: a source of a marketplace, or a pattern of sources. */
export type AllowedMarketplace = {
  /** Kind of the source, `hostPattern` or `pathPattern`. */
  readonly source: string;
  readonly [field: string]: unknown;
};

/** Settings about plugins. */
export type PluginSettings = {
  /** Plugins by `NAME@MARKETPLACE`: true if sessions have them. */
  readonly enabledPlugins?: Readonly<Record<string, boolean>> | undefined;
  /** Marketplaces of plugins by name, for `troupe plugin`. */
  readonly extraKnownMarketplaces?: Readonly<Record<string, unknown>> | undefined;
  /** The only marketplaces that `troupe plugin` may use; managed settings only. */
  readonly strictKnownMarketplaces?: readonly AllowedMarketplace[] | undefined;
  /** Another name of `strictKnownMarketplaces`. */
  readonly allowedMarketplaces?: readonly AllowedMarketplace[] | undefined;
  /** Options of plugins by `NAME@MARKETPLACE`. */
  readonly pluginConfigs?: Readonly<Record<string, PluginConfig>> | undefined;
};

export const forPlugins = () => ({
  enabledPlugins: z
    .record(z.string(), z.boolean())
    .optional()
    .describe('Plugins by NAME@MARKETPLACE: true if sessions have them.'),
  extraKnownMarketplaces: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Marketplaces of plugins, by name.'),
  pluginConfigs: z
    .record(z.string(), z.looseObject({ options: z.record(z.string(), z.unknown()).optional() }))
    .optional()
    .describe(
      'Options of plugins by NAME@MARKETPLACE. Without effect in the settings of a project.',
    ),
});
