import type { ToolUseContext } from '../tool.js';

/** The folders that commands may write to in a sandbox: the project root, and the added folders. */
export function workspaceOf({ files, permissions }: ToolUseContext): readonly string[] {
  const added = permissions.current?.().additionalWorkingDirectories ?? {};
  return [files.projectRoot, ...Object.values(added).map(({ path }) => path)];
}
