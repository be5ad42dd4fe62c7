import { describeCommand } from '../../api/sessions/prompts.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { Command, DrawnCommand } from '../../api/types.js';
import { twoColumns } from '../output/two-columns.js';
import { isShown } from './slash-commands.js';
import { DRAWN_COMMANDS } from './terminal-command-table.js';

const COLUMN = 24;
const MOST_SKILLS = 20;
const MOST_CHARS = 200;

/** The text of `/help` for a terminal of this width, with the commands of the session. */
export function slashHelp(
  { columns: width, isLive }: { readonly columns: number; readonly isLive: boolean },
  commands: readonly (Command | DrawnCommand)[],
): string {
  const listed = commands.filter(isShown);
  const typed = listed.filter(({ type }) => type === 'prompt');
  const shown = [
    ...DRAWN_COMMANDS,
    ...listed.filter(({ type }) => type !== 'prompt'),
    ...typed.slice(0, MOST_SKILLS),
  ];
  const lines = shown.map((command) => {
    const { name, argumentHint = '' } = command;
    return twoColumns(
      printableLine(`/${name} ${argumentHint}`.trimEnd()),
      printableLine(oneLine(describeCommand(command), MOST_CHARS)),
      { width, column: COLUMN },
    );
  });
  const more = typed.length - MOST_SKILLS;
  return [
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    ...(isLive ? LIVE_KEYS : PLAIN_KEYS).map(([keys, does]) =>
      twoColumns(keys, does, { width, column: COLUMN }),
    ),
    '',
    'A prompt that you type during an answer is sent at once; the agent reads it at its next step.',
    'The agent gets the output of your own command with your next prompt.',
  ].join('\n');
}

/** Keys and what they do. */
type KeyHelp = readonly (readonly [keys: string, does: string])[];

const LIVE_KEYS: KeyHelp = [
  ['Enter', 'sends the text; Ctrl-J, Alt-Enter, or Enter after a backslash, begins another line'],
  [
    'Esc',
    'interrupts the agent; closes a list; twice without text: goes back to an earlier prompt',
  ],
  ['Ctrl-C', 'interrupts the agent, or clears the text; twice quits'],
  ['Ctrl-D', 'quits, if there is no text'],
  ['Shift-Tab', 'changes the mode'],
  ['/  @  !', 'commands; files of the folder; your own command, such as !npm test'],
  ['Tab', 'takes what the list offers; puts a text aside if a request waits'],
  ['↑ ↓', 'another line of the text, or an earlier prompt'],
  ['Ctrl-R', 'searches earlier prompts'],
  ['Ctrl-T', 'the tree of agents and tasks'],
  ['Ctrl-O', 'the whole of the newest result; opens pasted texts'],
  ['Ctrl-B', 'moves what the agent waits for to the background'],
  ['Ctrl-V', 'pastes the image of the clipboard'],
  ['Ctrl-G', 'opens the text in your editor'],
  ['Ctrl-Z', 'suspends Troupe: fg brings it back'],
  ['Ctrl-A  Ctrl-E', 'the beginning and the end of the line'],
  ['Alt-B  Alt-F', 'a word back and forth; Ctrl-← and Ctrl-→ as well'],
  ['Ctrl-W  Ctrl-U', 'cut the word and the line before the cursor; Ctrl-K and Alt-D behind it'],
  ['Ctrl-Y', 'puts back what was cut'],
  ['Ctrl-_', 'takes back the last change of the text'],
];

const PLAIN_KEYS: KeyHelp = [
  ['Enter', 'sends the text; after a backslash it begins another line'],
  ['↑ ↓', 'earlier prompts'],
  ['Ctrl-C', 'interrupts the agent, or clears the text; twice quits'],
  ['Ctrl-D', 'quits, if there is no text'],
  ['Ctrl-B', 'moves what the agent waits for to the background'],
  ['!', 'your own command, such as !npm test'],
];
