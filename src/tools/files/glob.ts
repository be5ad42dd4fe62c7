import { join, sep } from 'node:path';
import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { FileError } from '../../files/file-error.js';
import { planGlob } from './search/glob-pattern.js';
import { FilePath, SearchPattern } from './access/input-fields.js';
import { GlobResult, type GlobOutput } from './output-schemas.js';
import { createReadFilter, noteLeftOut } from './search/read-filter.js';
import { runRipgrep } from './search/ripgrep.js';
import {
  resolveSearchStart,
  WITHOUT_VERSION_CONTROL,
  withSearchFolder,
} from './search/search-folder.js';
import { ToolInputError } from '../tool-input-error.js';

const DEFAULT_MAX_RESULTS = 100;

export const GlobInput = z.object({
  pattern: SearchPattern.describe('A glob pattern, such as "**/*.ts" or "src/**/*.{js,jsx}"'),
  path: FilePath.optional().describe('The folder to search; the working folder if left out'),
});
export type GlobInput = z.infer<typeof GlobInput>;

/**
 * Finds files by name, hidden ones too. Folders that ignore files (`.gitignore`, `.ignore`) exclude are not entered,
 * unless nothing else matches or the pattern itself names one. Symbolic links to folders are not followed.
 */
export const GlobTool = completeTool({
  name: 'Glob',
  searchHint: 'find files by name pattern',
  inputSchema: GlobInput,
  outputSchema: GlobResult,
  prompt: () =>
    [
      'Finds files by a glob pattern: "*.json" in the folder itself, "**/*.ts" at any depth, "src/**/*.{js,jsx}".',
      `Returns absolute paths, most recently modified first, at most ${DEFAULT_MAX_RESULTS}. Finds files, not folders.`,
      'Hidden files are included; folders in .gitignore are searched only if nothing else matches.',
    ].join('\n'),
  description: ({ pattern }) => `Find ${pattern}`,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  permissionTarget: ({ pattern, path = '.' }) => {
    const plan = planGlob(path, pattern);
    const searched = typeof plan === 'string' ? path : plan.base;
    return { kind: 'paths', paths: [{ path: searched, access: 'read', isTree: true }] };
  },

  async call({ pattern, path = '.' }, context): Promise<{ data: GlobOutput }> {
    const { globLimits } = context.files;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const plan = planGlob(path, pattern);
    if (typeof plan === 'string') throw inputError(`The pattern ${show(pattern)}: ${plan}`);
    const start = await resolveSearchStart(context.files, plan.base);
    const { folder, file } = start;
    if (file !== undefined) {
      const searched = join(folder, file);
      const message = `${searched} is a file, not a folder to search. Leave path out or give a folder.`;
      throw new FileError('not_a_folder', searched, message);
    }
    const maxResults = Math.min(globLimits?.maxResults ?? Infinity, DEFAULT_MAX_RESULTS);
    const filter = createReadFilter(context.files, start);
    const within = join(folder, sep); // joining each of many names takes longer than finding it
    const list = async (cwd: string, flags: readonly string[]) => {
      const files: string[] = [];
      let count = 0;
      const { complaint, isIncomplete } = await runRipgrep({
        args: ['--files', '--null', '--hidden', '--sortr=modified', ...flags],
        cwd,
        separator: '\0',
        signal,
        onRecord: (name) => {
          const one = within + name;
          if (!filter.allows(one)) return true;
          count += 1;
          if (count <= maxResults) files.push(one);
          return true;
        },
      });
      if (complaint !== undefined) {
        throw inputError(`The pattern ${show(pattern)} cannot be used: ${complaint.slice(-500)}`);
      }
      return { files, count, isIncomplete };
    };
    const flags = [...plan.args, WITHOUT_VERSION_CONTROL];
    const { isIgnored, ...found } = await withSearchFolder(start, async (cwd) => {
      const first = await list(cwd, flags);
      if (first.count > 0 || filter.leftOut > 0) return { ...first, isIgnored: false };
      const all = await list(cwd, [...flags, '--no-ignore']);
      return { ...all, isIgnored: all.count > 0 };
    });
    const truncated = found.count > found.files.length;
    const { leftOut } = filter;
    const kept = leftOut > 0 ? { leftOut } : {};
    return { data: { ...found, pattern, searchPath: folder, truncated, isIgnored, ...kept } };
  },

  present: ({ files }) => ({ kind: 'list', items: files }),
  mapToolResultToToolResultBlockParam(output: GlobOutput, toolUseId) {
    const { files, count, pattern, searchPath, truncated, isIgnored, isIncomplete } = output;
    const lines = count === 0 ? [`No files match ${show(pattern)} in ${searchPath}.`] : [...files];
    if (truncated) {
      lines.push(
        `[The ${files.length} most recently modified of ${count} files. Use a narrower pattern to see others.]`,
      );
    }
    if (isIgnored) lines.push('[Ignore files such as .gitignore exclude all of these.]');
    if (isIncomplete) lines.push('[Some folders could not be read.]');
    const note = noteLeftOut(output.leftOut);
    if (note !== undefined) lines.push(note);
    return { type: 'tool_result', tool_use_id: toolUseId, content: lines.join('\n') };
  },
});

function show(pattern: string): string {
  return JSON.stringify(pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);
}

function inputError(message: string): ToolInputError {
  return new ToolInputError('Glob', message);
}
