import type { Flag } from './flag-table.js';

/** The flags of the commands that serve agents. */
export const SERVER_FLAGS = {
  '--http': { help: 'serve many clients over HTTP, not one on stdin and stdout' },
  '--host': { value: 'HOST', help: 'with HTTP: the address to listen on (default: 127.0.0.1)' },
  '--port': { value: 'N', help: 'with HTTP: the port to listen on (default: a free one)' },
  '--token-file': {
    offer: 'files',
    value: 'FILE',
    help: 'with HTTP: a file with the token of the clients, which only you may read (default: TROUPE_SERVE_TOKEN, or a new token on stderr)',
  },
  '--approver': {
    offer: ['client', 'person'],
    value: 'WHO',
    help: 'who decides on permission requests: client (with the tool decide or a form, default) or person (with a form only)',
  },
} as const satisfies Readonly<Record<string, Flag>>;
