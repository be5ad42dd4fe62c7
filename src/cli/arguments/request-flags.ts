import type { Flag } from './flag-table.js';

/** The flags of the commands that decide permission requests, and of the page that does. */
export const REQUEST_FLAGS = {
  '--port': { value: 'N', help: 'the port of the page; a free one by default' },
  '--view': { help: 'only follow: nothing is read from stdin' },
  '--web': { help: 'show it in the control room too, until Ctrl-C' },
  '--open': { help: 'open the page in a browser' },
  '--message': { value: 'TEXT', help: 'the reason, for the agent' },
  '--always': {
    offer: ['session', 'folder'],
    value: 'SCOPE',
    help: 'allow such calls from now on: session, or folder for later sessions too',
  },
  '--edit': { value: 'JSON', help: 'the whole input that runs instead' },
  '--answer': {
    value: 'TEXT',
    isList: true,
    help: 'the answer to a question: the number of an option, or your words; once for each',
  },
} as const satisfies Readonly<Record<string, Flag>>;
