import { z } from 'zod';

const OPERATIONS = ['create', 'send', 'capture', 'kill', 'list'] as const;

/** Keys that are no text, by tmux's names. */
const KEYS = [
  'Enter',
  'Escape',
  'Tab',
  'BTab',
  'Space',
  'BSpace',
  'DC',
  'Up',
  'Down',
  'Left',
  'Right',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'C-a',
  'C-c',
  'C-d',
  'C-e',
  'C-k',
  'C-l',
  'C-r',
  'C-u',
  'C-z',
  'C-\\',
] as const;

/** A tab completes what stands before it, so that a rule would not see the whole text. */
const NOT_TEXT = /[^\P{Cc}\n]/u;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/;
const nameOf = (what: string) =>
  z.string().regex(NAME, `a ${what} has 1 to 64 of the characters A-Z, a-z, 0-9, _ and -`);

const fields = {
  operation: z.enum(OPERATIONS).describe('What to do'),
  session: nameOf('session').optional().describe('Name of the session; not for list'),
  window: nameOf('window')
    .optional()
    .describe('Name or index of the window; with create its new name. The current one if absent'),
  pane: z
    .string()
    .regex(/^\d{1,4}$/, 'a pane is an index, such as "0"')
    .optional()
    .describe('Index of the pane; the current one if absent'),
  command: z
    .string()
    .min(1, 'the text is empty')
    .max(10_000)
    .refine((text) => !NOT_TEXT.test(text), 'text has no tabs or control characters: use key')
    .optional()
    .describe('Text to type; with create it is typed into the new shell'),
  key: z.enum(KEYS).optional().describe('send: one key instead of text'),
  enter: z.boolean().optional().describe('send: false types the text without Enter'),
};

type Field = Exclude<keyof typeof fields, 'operation'>;

/** The fields that each operation takes beside `operation`. */
const TAKES: Readonly<Record<(typeof OPERATIONS)[number], readonly Field[]>> = {
  create: ['session', 'window', 'command'],
  send: ['session', 'window', 'pane', 'command', 'key', 'enter'],
  capture: ['session', 'window', 'pane'],
  kill: ['session', 'window', 'pane'],
  list: [],
};

export const TmuxInput = z.strictObject(fields).superRefine((input, issues) => {
  const { operation } = input;
  const problem = (path: Field, message: string): void =>
    issues.addIssue({ code: 'custom', path: [path], message });
  const takes = TAKES[operation];
  for (const name of Object.keys(fields) as Field[])
    if (input[name] !== undefined && String(name) !== 'operation' && !takes.includes(name))
      problem(name, `${operation} takes no ${name}`);
  if (takes.includes('session') && input.session === undefined)
    problem('session', `${operation} needs a session`);
  if (operation === 'create' && /^\d+$/.test(input.window ?? ''))
    problem('window', 'the name of a new window cannot be a number');
  if (operation !== 'send') return;
  if ((input.command === undefined) === (input.key === undefined))
    problem('command', 'send needs either command or key');
  if (input.key !== undefined && input.enter !== undefined)
    problem('enter', 'enter is for text, not for a key');
});
export type TmuxInput = z.infer<typeof TmuxInput>;
