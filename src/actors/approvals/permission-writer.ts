import { userFolders, type Environment } from '../../files/folders.js';
import { messageOf } from '../../core/errors.js';
import type { RequestId } from '../../core/ids.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import { LAYER_OF } from '../../settings/files/settings-files.js';
import { noteOnGit } from './note-on-git.js';
import { makeHome } from '../../journal/storage/prepare-folders.js';
import type { OrchestratorOptions } from '../options/orchestrator-options.js';
import type { PermissionKept, Saved } from '../../core/permission-kept.js';
import type { Audit } from '../agents/permissions/audit.js';
import type { EventSink } from '../services/event-bus.js';

/** The home of a remembered rule, and the audience of the news about it. */
export type KeepOwners = {
  readonly settings: { readonly cwd: string };
  readonly bus: EventSink;
  readonly audit: Audit;
};

/** Write remembered rules to the settings files: one after the other, each at most once. */
export interface PermissionWriter {
  /** @returns undefined if there is nothing to write; the promise resolves even if a write fails */
  keep(
    updates: readonly PermissionUpdate[],
    requestId: RequestId,
    session: KeepOwners,
  ): Promise<void> | undefined;
  /** Resolve when every write has ended. */
  settled(): Promise<void>;
}

type WriterOptions = Pick<
  OrchestratorOptions,
  'isTrusted' | 'ownFileIfUntrusted' | 'persistPermissions'
>;

/** @param env names the user's own folders */
export function createPermissionWriter(
  { isTrusted = true, ownFileIfUntrusted = false, persistPermissions: sources = [] }: WriterOptions,
  env: Environment,
): PermissionWriter {
  let last: Promise<void> = Promise.resolve();

  const save = async (update: PermissionUpdate, cwd: string): Promise<Saved | undefined> => {
    const layer = LAYER_OF[update.destination];
    if (layer === undefined) return undefined;
    if (!sources.includes(layer))
      return { status: 'failed', message: `the ${layer} settings are not read here` };
    try {
      const { savePermissionUpdate } =
        await import('../../settings/permissions/save-permission-update.js'); // most runs write nothing
      const waits = layer !== 'user' && opens(update) && isTrusted !== true;
      const isOwn = waits && layer === 'local' && ownFileIfUntrusted;
      if (isOwn) makeHome(userFolders(env).troupe); // sessions may live in another folder
      const file = await savePermissionUpdate(update, { cwd, env }, { isOwn });
      if (file === undefined) return undefined;
      if (isOwn) return { status: 'kept', file };
      const note = waits
        ? WAITS
        : layer === 'local'
          ? await noteOnGit(file, { cwd, env })
          : undefined;
      return { status: 'kept', file, ...(note === undefined ? {} : { note }) };
    } catch (error) {
      return { status: 'failed', message: messageOf(error) };
    }
  };

  const saveAll = async (
    updates: readonly PermissionUpdate[],
    requestId: RequestId,
    { settings: { cwd }, bus, audit }: KeepOwners,
    before: Promise<void>,
  ): Promise<void> => {
    await before;
    for (const update of updates) {
      const saved = await save(update, cwd);
      if (saved === undefined) continue;
      const kept: PermissionKept = { requestId, update, ...saved };
      audit.kept(kept);
      bus.emit('permission.kept', kept);
    }
  };

  return {
    keep(updates, requestId, session) {
      const lasting = updates.filter(({ destination }) => LAYER_OF[destination] !== undefined);
      if (sources.length === 0 || lasting.length === 0) return undefined;
      const writing = saveAll(lasting, requestId, session, last);
      last = writing.catch(() => {}); // the caller of this write gets the error
      return writing;
    },
    settled: () => last,
  };
}

const WAITS =
  'this folder is not trusted, so it counts in later runs only after "troupe trust" or with --trust';

/** Whether the update allows more than before: files of an untrusted folder must not. */
function opens(update: PermissionUpdate): boolean {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
      return update.behavior === 'allow';
    case 'addDirectories':
      return true;
    case 'setMode':
      return update.mode !== 'plan' && update.mode !== 'dontAsk';
    case 'removeRules':
    case 'removeDirectories':
      return false;
    default:
      return update satisfies never;
  }
}
