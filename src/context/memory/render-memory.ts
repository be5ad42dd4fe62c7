import type { MemoryFileInfo, MemoryType } from './memory-file.js';

const OWNERS: Readonly<Record<MemoryType, string>> = {
  User: "the user's own, for all projects",
  Project: "the project's",
  Local: "the user's own, for this project",
};

/** The instructions as a part of the system prompt; empty if there are none. */
export function renderMemory(files: readonly MemoryFileInfo[]): string {
  if (files.length === 0) return '';
  return [
    'Instructions of the user and of the project follow. Follow them; if two contradict each other, the later one applies.',
    ...files.map((file) => `${headOf(file)}\n\n${file.content}`),
  ].join('\n\n');
}

function headOf({ path, type, parent, globs }: MemoryFileInfo): string {
  const by = parent === undefined ? '' : `, imported by ${parent}`;
  const scope = globs === undefined ? '' : `; only for files that match ${globs.join(', ')}`;
  return `Contents of ${path} (${OWNERS[type]}${by}${scope}):`;
}
