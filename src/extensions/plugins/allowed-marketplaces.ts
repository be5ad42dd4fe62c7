import { UsageError } from '../../core/errors.js';
import { loadSettingsFile } from '../../settings/files/load-settings.js';
import type { AllowedMarketplace } from '../../settings/schema/plugin-settings.js';
import { settingsFiles } from '../../settings/files/settings-files.js';
import type { Environment } from '../../files/folders.js';
import type { MarketplaceSource } from './plugin-state.js';

/**
 * Refuse a marketplace that managed settings do not allow, before anything of it is read.
 *
 * @throws UsageError
 */
export async function checkMarketplaceAllowed(
  source: MarketplaceSource | SkillsFolder,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<void> {
  for (const file of settingsFiles({ cwd, env, sources: [] })) {
    const { settings } = (await loadSettingsFile(file, () => false)) ?? {};
    const allowed = settings?.strictKnownMarketplaces ?? settings?.allowedMarketplaces;
    if (allowed !== undefined && !allowed.some((entry) => isAllowed(source, entry)))
      throw new UsageError(
        `Managed settings do not allow this marketplace: "strictKnownMarketplaces" of ${file.path} does not have it.`,
      );
    if (settings?.blockedMarketplaces?.some((entry) => isBlocked(source, entry)) === true)
      throw new UsageError(
        `Managed settings do not allow this marketplace: "blockedMarketplaces" of ${file.path} has it.`,
      );
  }
}

/** Plugins in the user's folder of skills. */
type SkillsFolder = { readonly source: 'skills-dir' };

/** Whether an entry of the list means a source. Entries are compared exactly, as published. */
export function isAllowed(
  source: MarketplaceSource | SkillsFolder,
  entry: AllowedMarketplace,
): boolean {
  if (entry.source === 'hostPattern') return matches(entry['hostPattern'], hostOf(source));
  if (entry.source === 'pathPattern') return matches(entry['pathPattern'], pathOf(source));
  if (entry.source !== source.source) return false;
  const owner = /^([^*/]+)\/\*$/.exec(String(entry['repo']))?.[1];
  const isAnyOfOwner = owner !== undefined && field(source, 'repo')?.startsWith(`${owner}/`);
  const places = isAnyOfOwner === true ? [] : ['repo', 'url', 'path', 'package'];
  if (
    isAnyOfOwner === true &&
    entry['path'] !== undefined &&
    entry['path'] !== field(source, 'path')
  )
    return false;
  return [...places, 'ref'].every((name) => entry[name] === field(source, name));
}

/**
 * Whether an entry of `blockedMarketplaces` means a source. A repository at GitHub is the same under all its addresses,
 * and an entry without `ref` or `path` means all of them.
 */
export function isBlocked(
  source: MarketplaceSource | SkillsFolder,
  entry: AllowedMarketplace,
): boolean {
  if (isAllowed(source, entry)) return true;
  const isSame = (name: string): boolean =>
    entry[name] === undefined || entry[name] === field(source, name);
  const [wanted, found] = [repositoryOf(entry), repositoryOf(source)];
  if (wanted === undefined || found === undefined) return false;
  const isAny = wanted.endsWith('/*') && found.startsWith(wanted.slice(0, -1));
  return (isAny || wanted === found) && isSame('ref') && isSame('path');
}

/** The address of a git repository without scheme, user and ending; of one at GitHub as `github.com/owner/name`. */
function repositoryOf(source: object): string | undefined {
  const repository = field(source, 'repo');
  if (repository !== undefined) return `github.com/${repository}`.toLowerCase();
  if (field(source, 'source') !== 'git') return undefined;
  const url = (field(source, 'url') ?? '').trim().toLowerCase();
  const [, host = '', path = ''] =
    /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([^/:]+)(?::\d+(?=\/))?[:/]+(.*)$/.exec(url) ?? [];
  return `${host.replace(/^www\.|\.$/g, '')}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

function field(source: object, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(source, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

function matches(pattern: unknown, text: string | undefined): boolean {
  if (typeof pattern !== 'string' || text === undefined) return false;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false; // an invalid pattern allows nothing
  }
}

function hostOf(source: MarketplaceSource | SkillsFolder): string | undefined {
  if (source.source === 'github') return 'github.com';
  const url = field(source, 'url') ?? '';
  if (URL.canParse(url)) return new URL(url).hostname;
  return /^[^/@:]+@([^/:]+):/.exec(url)?.[1];
}

function pathOf(source: MarketplaceSource | SkillsFolder): string | undefined {
  return source.source === 'file' || source.source === 'directory'
    ? field(source, 'path')
    : undefined;
}
