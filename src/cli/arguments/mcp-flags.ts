import type { Flag } from './flag-table.js';

/** The flags of `troupe mcp`. */
export const MCP_COMMAND_FLAGS = {
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
} as const satisfies Readonly<Record<string, Flag>>;
