import { relative } from 'node:path';
import { oneLine, unmistakable } from '../../api/text.js';
import type { RewoundFiles } from '../../api/types.js';
import type { StyledLine } from '../output/output-writer.js';
import { openPickList } from '../terminal/views/pick-list.js';
import type { Terminal } from '../terminal/screen/terminal.js';

/** The parts of a session that can go back. */
export const PARTS = ['all', 'conversation', 'files'] as const;
export type RewindPart = (typeof PARTS)[number];

const MOST_LISTED = 20;

/** Tell what would change, or has changed; none without files. */
export function fileLines(
  { restored, staying }: RewoundFiles,
  folder: string,
): readonly StyledLine[] {
  const nameOf = (path: string): string => {
    const inside = relative(folder, path);
    return oneLine(unmistakable(inside.startsWith('..') ? path : inside), 100);
  };
  const lines: readonly StyledLine[] = [
    ...restored.map(({ path, isDeleted, added, removed }): StyledLine => {
      const what = isDeleted ? 'deleted: it is new' : `+${added} −${removed} lines`;
      return { text: `  ${nameOf(path)} · ${what}` };
    }),
    ...staying.map(({ path, why }): StyledLine => {
      return { text: `  ${nameOf(path)} stays: ${oneLine(why, 200)}`, style: 'dim' };
    }),
  ];
  const more = lines.length - MOST_LISTED;
  if (more <= 0) return lines;
  return [...lines.slice(0, MOST_LISTED), { text: `  … and ${more} more`, style: 'dim' }];
}

/** Ask what goes back; the files are listed above. @returns undefined if the person has left the list */
export function askForPart(
  terminal: Pick<Terminal, 'show' | 'focus' | 'rows' | 'columns'>,
  { restored }: RewoundFiles,
): Promise<RewindPart | undefined> {
  const files = restored.length === 1 ? '1 file' : `${restored.length} files`;
  const choice = (value: RewindPart, name: string, facts: string) => {
    return { value, name, facts, text: name };
  };
  return new Promise((resolve) => {
    openPickList(terminal, {
      title: 'Go back with',
      choices: [
        choice('all', 'Conversation and files', files),
        choice('conversation', 'Conversation', 'files stay'),
        choice('files', 'Files', `${files}; the conversation stays`),
      ],
      onEnd: resolve,
    });
  });
}
