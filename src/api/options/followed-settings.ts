import { findKeyHelper, type KeyHelper } from './key-helper.js';
import type { Workspace } from './workspace.js';

/** Settings that a run reads at each use: a change of their files reaches it. */
export type FollowedSettings = {
  readonly keyHelper: KeyHelper;
  /** The line about the session at a terminal. */
  statusLine: Workspace['layers'][number]['settings']['statusLine'];
  /** The keys of the prompt at a terminal. */
  editorMode: Workspace['layers'][number]['settings']['editorMode'];
  /** False: the next session at a terminal keeps no earlier versions of files. */
  fileCheckpointingEnabled: Workspace['layers'][number]['settings']['fileCheckpointingEnabled'];
};

/** @param earlier those of a run, which get the present values */
export function followSettings(
  workspace: Workspace,
  earlier: FollowedSettings | undefined,
): FollowedSettings {
  const all = workspace.layers.map(({ settings }) => settings);
  const isOff = all.some((one) => one.disableAllHooks === true);
  const named = all.findLast((one) => one.statusLine !== undefined);
  const statusLine = isOff ? undefined : named?.statusLine;
  const editorMode = all.findLast((one) => one.editorMode !== undefined)?.editorMode;
  const { fileCheckpointingEnabled } =
    all.findLast((one) => one.fileCheckpointingEnabled !== undefined) ?? {};
  const now = { statusLine, editorMode, fileCheckpointingEnabled };
  if (earlier === undefined) return { keyHelper: findKeyHelper(workspace), ...now };
  Object.assign(earlier, now);
  earlier.keyHelper.follow?.(workspace);
  return earlier;
}
