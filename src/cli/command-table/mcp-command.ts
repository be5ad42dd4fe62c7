import { SERVE_FLAGS } from './shared-flags.js';

/** `troupe mcp`. */
export const MCP = {
  summary: 'add, show and remove MCP servers, log in at them; be an MCP server',
  details: `add: a program, or an address: troupe mcp add files -- npx -y server
add-json: the same as JSON: troupe mcp add-json files '{"command": "npx"}'
list: start every server of this folder, and print whether it connects
login: log in at a server that asks for it, in a browser
logout: revoke the login, and remove it here
reset-project-choices: forget which servers of .mcp.json were approved
serve: be an MCP server: clients start, follow and end agents of Troupe

local is for you in this folder, project is its .mcp.json, user is for you in every folder.`,
  actions: {
    add: {
      words: [
        { name: 'NAME' },
        { name: 'COMMAND|URL' },
        { name: 'ARGS', isOptional: true, isRest: true },
      ],
      flags: ['--scope', '--transport', '--env', '--header'],
      load: () => import('../commands/mcp/add-server.js'),
    },
    'add-json': {
      words: [{ name: 'NAME' }, { name: 'JSON' }],
      flags: ['--scope'],
      load: () => import('../commands/mcp/add-server-json.js'),
    },
    list: { flags: ['--json'], load: () => import('../commands/mcp/list-servers.js') },
    get: {
      words: [{ name: 'NAME' }],
      flags: ['--json'],
      load: () => import('../commands/mcp/get-server.js'),
    },
    remove: {
      words: [{ name: 'NAME' }],
      flags: ['--scope'],
      load: () => import('../commands/mcp/remove-server.js'),
    },
    login: {
      words: [{ name: 'NAME|URL' }],
      flags: ['--no-browser', '--mcp-config'],
      load: () => import('../commands/mcp/log-in.js'),
    },
    logout: {
      words: [{ name: 'NAME|URL' }],
      flags: ['--mcp-config'],
      load: () => import('../commands/mcp/log-out.js'),
    },
    'reset-project-choices': {
      flags: [],
      load: () => import('../commands/mcp/reset-choices.js'),
    },
    serve: {
      flags: ['--http', '--host', '--port', '--token-file', '--approver'],
      shared: SERVE_FLAGS,
      load: () => import('../commands/mcp/serve.js'),
    },
  },
} as const;
