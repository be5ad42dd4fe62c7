import type { SessionContext } from '../../context/context-keys.js';
import type { MemoryFileInfo } from '../../context/memory/memory-file.js';
import { printableLine } from '../../core/text/printable.js';

/** One line for each file of instructions: its path, whose it is, and when it counts. */
export function describeInstructions({
  memory = [],
  subfolders = [],
}: SessionContext | undefined = {}): string {
  const lines = memory.map((file) => printableLine(`${file.path}: ${whyOf(file)}`));
  const below =
    subfolders.length === 0
      ? []
      : ['Instructions of a folder below count when an agent uses a file there.'];
  return [...(lines.length === 0 ? ['There are no instructions.'] : lines), ...below].join('\n');
}

const WHOSE = {
  Managed: "the manager's",
  User: 'yours, for all projects',
  Project: "the project's",
  Local: 'yours, for this project',
  AutoMem: 'notes of earlier sessions, for the main agent',
  TeamMem: 'notes of teams, for the main agent and for teammates',
} as const satisfies Readonly<Record<MemoryFileInfo['type'], string>>;

function whyOf({ type, parent, globs }: MemoryFileInfo): string {
  const by = parent === undefined ? '' : `, imported by ${parent}`;
  const scope = globs === undefined ? '' : `, when an agent uses a file like ${globs.join(', ')}`;
  return `${WHOSE[type]}${by}${scope}`;
}
