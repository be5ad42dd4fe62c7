/** The end of a line about a link or an import that leads out of its project. */
const OUT = 'leads out of the project.';
const REMEDY =
  'This folder is not trusted, so links and imports that lead out of it are left out. To follow them: troupe trust, or --trust for one run.';

/**
 * Load files of a project. If links lead out of it, they are followed if the folder is trusted.
 *
 * @param isTrusted called only if a link leads out
 */
export async function followingLinks<Loaded extends { readonly warnings: readonly string[] }>(
  load: (followsLinks: boolean) => Loaded | Promise<Loaded>,
  isTrusted: () => boolean | Promise<boolean>,
): Promise<Loaded> {
  const loaded = await load(false);
  if (!loaded.warnings.some((line) => line.endsWith(OUT))) return loaded;
  if (await isTrusted()) return load(true);
  return { ...loaded, warnings: [...loaded.warnings, REMEDY] };
}
