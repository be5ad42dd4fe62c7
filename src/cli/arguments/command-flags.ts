import type { Flag } from './flag-table.js';

/** The flags that only other commands have. */
export const COMMAND_FLAGS = {
  '--input': {
    value: 'NAME=VALUE',
    isList: true,
    help: 'an input of the team; may be repeated',
  },
  '--report': {
    offer: 'files',
    value: 'FILE',
    help: 'write the report to FILE: Markdown, or JSON if it ends in .json',
  },
  '--json': { help: 'print JSON' },
  '--list': { help: 'list the trusted folders' },
  '--remove': { help: 'stop trusting the folder' },
  '--all': { help: 'the sessions of every folder' },
  '--limit': {
    value: 'N',
    help: 'at most N sessions; 0: all (default: 20 at a terminal, otherwise all)',
  },
  '--keep-data': { help: 'keep the files that the plugin has written' },
  '--mcp': { help: 'start the MCP servers and list their tools' },
  '--follow': { aliases: ['-f'], help: 'follow: print new lines until the end' },
  '--watch': { help: 'refresh every second' },
  '--reason': { value: 'TEXT', help: 'the reason that waiting agents see' },

  // `troupe mcp`
  '--scope': {
    aliases: ['-s'],
    offer: ['local', 'project', 'user'],
    value: 'SCOPE',
    help: 'whose file it is: local, project or user',
  },
  '--transport': {
    aliases: ['-t'],
    offer: ['stdio', 'http', 'sse'],
    value: 'TYPE',
    help: 'stdio for a program, http or sse for an address',
  },
  '--env': {
    aliases: ['-e'],
    value: 'NAME=VALUE…',
    isList: true,
    isVariadic: true,
    furtherValues: /^[A-Za-z_]\w*=/,
    help: 'the environment of a program',
  },
  '--header': {
    aliases: ['-H'],
    value: 'NAME: VALUE…',
    isList: true,
    isVariadic: true,
    furtherValues: /^[^:\s]+: /,
    help: 'a header of every request to an address',
  },
  '--no-browser': { help: 'open no browser: print the address only' },

  // the commands that decide permission requests, and the page that does
  '--port': { value: 'N', help: 'with HTTP: the port to listen on (default: a free one)' },
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

  // the commands that serve agents
  '--http': { help: 'serve many clients over HTTP, not one on stdin and stdout' },
  '--host': { value: 'HOST', help: 'with HTTP: the address to listen on (default: 127.0.0.1)' },
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
