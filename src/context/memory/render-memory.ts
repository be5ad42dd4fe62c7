import { frame } from '../../core/text/frame.js';
import type { MemoryFileInfo, MemoryType } from './memory-file.js';

const OWNERS: Readonly<Record<MemoryType, string>> = {
  Managed: "the manager's, for everybody",
  User: "the user's own, for all projects",
  Project: "the project's",
  Local: "the user's own, for this project",
  AutoMem: 'notes of earlier sessions in this project',
  TeamMem: 'notes that teams in this project share',
};

/** The instructions for all files as a part of the system prompt; empty if there are none. */
export function renderMemory(all: readonly MemoryFileInfo[]): string {
  const files = all.filter(({ globs }) => globs === undefined);
  if (files.length === 0) return '';
  return [
    'Instructions of the user and of the project follow. Follow them; if two contradict each other, the later one applies.',
    ...files.map(renderFile),
  ].join('\n\n');
}

const REMINDER = 'system-reminder';

/** The instructions of one file as a block behind the result of a tool that used a file they are about. */
export function remindOf(file: MemoryFileInfo): string {
  return remind(file.path, renderFile(file));
}

/** A block behind the result of a tool. A conversation has one block of each path. */
export function remind(path: string, text: string): string {
  return frame(REMINDER, { instructions: path }, text);
}

/** The path of the file that a block reminds of; undefined for other texts. */
export function remindsOf(text: string): string | undefined {
  const path = /^<system-reminder instructions=("(?:[^"\\\n]|\\.)*")>\n/.exec(text)?.[1];
  return path === undefined ? undefined : (JSON.parse(path) as string); // `remindOf` wrote it
}

function renderFile(file: MemoryFileInfo): string {
  return `${headOf(file)}\n\n${file.content}`;
}

function headOf({ path, type, parent, globs }: MemoryFileInfo): string {
  const by = parent === undefined ? '' : `, imported by ${parent}`;
  const scope = globs === undefined ? '' : `; only for files that match ${globs.join(', ')}`;
  return `Contents of ${path} (${OWNERS[type]}${by}${scope}):`;
}
