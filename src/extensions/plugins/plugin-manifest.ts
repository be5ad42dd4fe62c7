import { z } from 'zod';

const TEXT = 'must be a text';

/** A valid name before a colon, and within the name of a folder. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** A path that stays below the plugin's folder. Links are followed, and checked, when the file is read. */
const InnerPath = z
  .string('must be a path')
  .refine(isInnerPath, 'must be a path below the folder of the plugin, such as "./more"');

const InnerPaths = z
  .union([InnerPath, z.array(InnerPath)], {
    error: 'must be a path below the folder of the plugin, or a list of such paths',
  })
  .transform((paths) => [paths].flat());

/** Paths of files, values in place of the files, or both in a list. */
const Sources = z
  .union(
    [
      InnerPath,
      z.record(z.string(), z.unknown()),
      z.array(z.union([InnerPath, z.record(z.string(), z.unknown())])),
    ],
    {
      error: 'must be a path below the folder of the plugin, an object, or a list of these',
    },
  )
  .transform((sources) => [sources].flat());

/** Commands by name, each in a file. */
const NamedCommands = z.record(z.string(), z.looseObject({ source: InnerPath }));

/** The parts of a plugin that a manifest, or the entry of a marketplace, may name. */
const parts = {
  commands: z.union([InnerPaths, NamedCommands]),
  agents: InnerPaths,
  skills: InnerPaths,
  hooks: Sources,
  mcpServers: Sources,
  lspServers: Sources,
  outputStyles: InnerPaths,
};

const describing = {
  displayName: z.string(TEXT),
  version: z.string(TEXT),
  description: z.string(TEXT),
  author: z.union([z.looseObject({}), z.string()]),
  homepage: z.string(TEXT),
  repository: z.union([z.string(), z.looseObject({})]),
  license: z.string(TEXT),
  keywords: z.array(z.string(), 'must be a list of texts'),
  defaultEnabled: z.boolean(),
};

/** Fields that other programs act on: they load, and have no effect. */
const idle = {
  workflows: z.unknown(),
  themes: z.unknown(),
  monitors: z.unknown(),
  experimental: z.unknown(),
  channels: z.unknown(),
  dependencies: z.unknown(),
};

/** Options of the plugin. A value that settings lack is the default. */
const UserConfig = z.record(z.string(), z.looseObject({ default: z.unknown() }));

const fields = z
  .object({
    $schema: z.unknown(),
    metadata: z.unknown(),
    userConfig: UserConfig,
    settings: z.record(z.string(), z.unknown()),
    ...describing,
    ...parts,
    ...idle,
  })
  .partial();

/** The fields of `plugin.json`. Fields of other programs are ignored. */
export const PluginManifest = fields.extend({
  name: z.string(TEXT).regex(NAME, 'must be one word of letters, digits, "-", "_" and "."'),
});
export type PluginManifest = Readonly<z.infer<typeof PluginManifest>>;

/** Parts and fields of a manifest that the entry of a marketplace may have. */
export const PluginEntryFields = fields;

export const MANIFEST_FIELDS: readonly string[] = Object.keys(PluginManifest.shape);
export const IDLE_FIELDS: readonly string[] = Object.keys(idle);
export const PART_FIELDS = Object.keys(parts) as readonly (keyof typeof parts)[];

/** Whether a path is relative and has no `..`. */
export function isInnerPath(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}

/** Whether a text can be the name of a plugin or a marketplace. */
export function isPluginName(name: string): boolean {
  return NAME.test(name);
}
