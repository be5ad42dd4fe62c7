import type { ToolUseFiles } from '../tool-context-groups.js';

/** The folders that an agent works in. */
export type WorkingFolders = Pick<ToolUseFiles, 'cwd' | 'projectRoot' | 'outerRoots'>;

/** Work in another folder. The deny and ask rules of the folder before stay in force. */
export function enterFolder(
  { projectRoot, outerRoots = [] }: WorkingFolders,
  folder: string,
): WorkingFolders {
  return { cwd: folder, projectRoot: folder, outerRoots: [projectRoot, ...outerRoots] };
}

/** Work in the folder before again. Nothing changes if the agent does not work in `folder`. */
export function leaveFolder(files: WorkingFolders, folder: string): WorkingFolders {
  const [before, ...around] = files.outerRoots ?? [];
  if (files.projectRoot !== folder || before === undefined) return files;
  return { cwd: before, projectRoot: before, outerRoots: around };
}
