/** The question whether a folder is trusted: its lines, and the meaning of an answer. Pure. */
import { oneLine, unmistakable } from '../../api/text.js';
import type { WaitingSettings } from '../../api/types.js';
import type { TypedLine } from './choices.js';
import type { ShownLine } from './describe-request.js';

/** Longer lists have a line for each entry. */
const MOST_CHARACTERS = 300;

/** Show the settings that wait for trust, value by value, below the file of each. Nothing of a value is left out. */
export function trustQuestion(
  folder: string,
  waiting: readonly WaitingSettings[],
): readonly ShownLine[] {
  const pathLine = (path: string): ShownLine => ({
    prefix: '  ',
    text: unmistakable(oneLine(path, Infinity)),
    isWhole: true,
  });
  return [
    { prefix: '', text: 'The settings of this folder wait until you trust it:', style: 'strong' },
    pathLine(folder),
    ...waiting.flatMap(({ loaded, paths }) => [
      pathLine(String(loaded.file)),
      ...paths.flatMap((path) =>
        textsAt(loaded.settings, path).map((text) => ({
          prefix: '    ',
          text: `${path.join('.')}: ${unmistakable(oneLine(text, Infinity))}`,
        })),
      ),
    ]),
    {
      prefix: '  ',
      text: 'They may run commands and allow tools without asking. Trust them only if you know who wrote them.',
    },
    {
      prefix: '  ',
      text: 'Type trust and Enter to trust this folder and all below it. Enter alone continues without them.',
    },
  ];
}

/** Whether the folder is trusted; undefined if the answer is neither yes nor no. */
export function readTrust({ text, isPasted }: TypedLine): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['', 'n', 'no', '2'].includes(word)) return false;
  return word === 'trust' && !isPasted ? true : undefined;
}

function textsAt(settings: unknown, path: readonly string[]): readonly string[] {
  const value = path.reduce<unknown>(
    (of, key) => (of as Readonly<Record<string, unknown>> | undefined)?.[key],
    settings,
  );
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    return [JSON.stringify(value)];
  const text = value.join(', ');
  return text.length > MOST_CHARACTERS ? (value as readonly string[]) : [text];
}
