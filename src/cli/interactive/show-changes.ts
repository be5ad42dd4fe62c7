import { readChanges, type WorkTreeChanges } from '../../api/files/read-changes.js';
import { unmistakable } from '../../api/text.js';
import { styleOfMark } from '../approval/diff-lines.js';
import type { StyledLine } from '../output/output-writer.js';
import type { TerminalLines } from '../terminal/screen/terminal.js';

const MOST_LINES = 60;

/**
 * `/diff`: print what has changed since the last commit, up to {@link MOST_LINES} lines of it; the whole is kept.
 *
 * @throws UsageError if there is nothing to compare with
 */
export async function showChanges(
  terminal: Pick<TerminalLines, 'print' | 'keep'>,
  folder: Parameters<typeof readChanges>[0],
): Promise<void> {
  const lines = changeLines(await readChanges(folder));
  if (lines.length === 0) return terminal.print('Nothing has changed since the last commit.');
  terminal.keep(() => lines);
  const left = lines.length - MOST_LINES;
  if (left <= 1) return terminal.print(lines);
  const more: StyledLine = { text: `… ${left} more lines, which Ctrl-O prints`, style: 'dim' };
  terminal.print([...lines.slice(0, MOST_LINES), more]);
}

/** Lines that git writes between the name of a file and its changes. */
const FACTS = /^(?:index|similarity index|--- |\+\+\+ )/;

function changeLines({ diff, untracked, isCut }: WorkTreeChanges): readonly StyledLine[] {
  const lines = diff.split('\n').filter((line) => line !== '');
  let isInHunk = false;
  return [
    ...lines.flatMap((line): readonly StyledLine[] => {
      const text = unmistakable(line);
      if (line.startsWith('diff --git ')) {
        isInHunk = false;
        return [{ text: text.slice('diff --git '.length), style: 'strong' }];
      }
      if (line.startsWith('@@ ')) isInHunk = true;
      if (!isInHunk) return FACTS.test(line) ? [] : [{ text: `  ${text}`, style: 'dim' }];
      if (line.startsWith('@@ ')) return [{ text: `  ${text}`, style: 'dim' }];
      return [{ text: `  ${text}`, ...styleOfMark(line[0] ?? ' ') }];
    }),
    ...(isCut ? [{ text: '… git has more: the rest is not read', style: 'dim' as const }] : []),
    ...(untracked.length > 0
      ? [
          { text: 'Files that git does not know:', style: 'strong' as const },
          ...untracked.map((name) => ({ text: `  ${unmistakable(name)}` })),
        ]
      : []),
  ];
}
