/**
 * Which room of `src/` may import which, and who may import the heavy packages: an oxlint configuration of its own,
 * `oxlint -c layers.config.mjs src`. The rooms are described in CONTRIBUTING.md; test/layers.test.ts shows that the
 * rule bites.
 */

const vocabulary = ['files', 'core'];
const pure = ['permissions', 'workflow', ...vocabulary];
const edges = ['journal', 'context', 'git', 'usage', 'model', 'processes', ...pure];
const below = ['extensions', 'settings', 'tools', 'machines', ...edges];

/** Doors open downwards only: what each room may import besides itself. */
const DOORS = {
  core: [],
  files: ['core'],
  workflow: ['core'],
  permissions: ['core'],
  machines: ['workflow', 'core'],
  model: vocabulary,
  usage: ['model', ...vocabulary],
  processes: ['permissions', ...vocabulary],
  git: ['processes', ...vocabulary],
  context: ['git', 'usage', 'model', 'processes', ...pure],
  journal: ['usage', 'model', 'processes', ...pure],
  view: ['journal', 'usage', ...vocabulary],
  tools: edges,
  settings: ['tools', ...edges],
  extensions: ['settings', 'tools', ...edges],
  actors: below,
  api: ['view', 'actors', ...below],
  cli: ['api'],
  page: ['cli', 'view', 'journal', 'usage', 'core'],
  testing: ['model', 'core'],
};

/**
 * In these rooms imports between folders go downwards as well: a folder imports those in front of it. `.` are the files
 * that lie flat, the contract of the room.
 */
export const FLOORS = {
  core: ['json', '.', 'text', 'tasks', 'agents', 'commands', 'time'],
  workflow: ['expressions', '.', 'plan'],
  permissions: [
    'paths',
    'web',
    'shell',
    'redaction',
    'rules',
    'facts',
    'matching',
    'modes',
    'judges',
    '.',
    'eval',
  ],
  'permissions/shell': [
    'words',
    'tokens',
    'statements',
    'grammar',
    'texts',
    'arguments',
    'effects',
    'commands',
    '.',
  ],
  machines: ['.', 'steps', 'approval', 'agent', 'task', 'workflow', 'schedule', 'mcp'],
  model: ['.', 'errors', 'choice', 'stream', 'anthropic', 'scripted'],
  journal: ['storage', 'entries', '.', 'sessions', 'readers'],
  processes: ['output', 'start', 'cleanup', 'sandbox', 'run', '.'],
  git: ['.', 'worktree'],
  context: ['memory', 'compaction', '.'],
  tools: [
    'capabilities',
    '.',
    'calls',
    'tasks',
    'files',
    'lsp',
    'mcp',
    'shell',
    'web',
    'agents',
    'skills',
    'teams',
    'schedule',
    'dialogue',
    'worktrees',
    'workflow',
    'pool',
  ],
  'tools/files': ['content', 'access', 'notebook', 'search', 'read', 'write', '.'],
  settings: ['schema', 'files', 'merge', 'permissions', 'explain', 'programs', 'trust'],
  extensions: ['hooks', 'mcp', 'lsp', 'agents', 'skills', 'plugins', 'teams'],
  'extensions/mcp': ['.', 'servers', 'login', 'transport', 'client'],
  actors: [
    'services',
    'contract',
    'telemetry',
    'options',
    'hooks',
    'tasks',
    'facts',
    'mail',
    'agents',
    'teams',
    'mcp',
    'lsp',
    'approvals',
    'web',
    'spawn',
    'handles',
    'workflow',
    'schedule',
    'sessions',
  ],
  'actors/agents': [
    'conversation',
    'parts',
    'requests',
    'compaction',
    'calls',
    'permissions',
    'runtime',
    'session',
    '.',
  ],
  'actors/sessions': ['resume', 'messages', '.'],
  api: [
    'options',
    'control',
    '.',
    'tools',
    'files',
    'models',
    'processes',
    'settings',
    'mcp',
    'extensions',
    'permissions',
    'sessions',
    'orchestrator',
    'query',
    'serve',
  ],
  'api/serve': ['.', 'mcp', 'a2a'],
  cli: [
    'arguments',
    '.',
    'output',
    'process',
    'summaries',
    'command-table',
    'run',
    'approval',
    'terminal',
    'completion',
    'doctor',
    'control',
    'interactive',
    'attach',
    'headless',
    'stream-input',
    'acp',
    'web',
    'serve',
    'demo',
    'commands',
  ],
  'cli/terminal': ['keys', 'lines', 'editor', 'vim', 'screen', 'views', 'plain', 'ink', '.'],
};

/**
 * The types outside of core/ that more than 15 files may import: plain values that their room speaks of, and contracts that
 * a file implements or uses as a whole. Every other type outside of core/ has at most 15 importers, because a function
 * takes what it uses. The list only shrinks; `npm run measures -- --types 60` prints the counts.
 */
export const VOCABULARY = {
  'tools/tool.ts Tool':
    'each tool is one, and everything that lists, judges or runs tools takes it',
  'tools/tool.ts ToolUseContext':
    'what a tool gets with each call, in groups; programs write tools with it',
  'tools/tool-input-error.ts ToolInputError': 'the error of a tool whose input cannot be used',
  'cli/command.ts RunCommand': 'each command is one',
  'files/folders.ts Environment': 'the variables of a process: a plain record',
  'permissions/facts/facts.ts ToolFacts': 'the facts that a decision is based on: a plain value',
  'permissions/paths/path-fact.ts Place': 'the folders that paths are judged by: a plain value',
  'permissions/paths/path-fact.ts PathFact': 'a path, as it is judged: a plain value',
  'permissions/shell/words/shell-token.ts ShellWord':
    'a word of a command, as the readers of shells pass it on',
  'model/model.ts ModelEvent': 'an event of a streamed reply: a plain value',
  'actors/contract/handles.ts SessionHandle':
    'a session as programs drive it; front ends take parts of it',
  'actors/contract/session-message.ts SessionMessage': 'a message of a session: a plain value',
  'actors/contract/session-start.ts SessionStart': 'the options of one session: a plain value',
  'cli/output/output-writer.ts StyledLine': 'a line in one style: a plain value',
  'extensions/mcp/servers/server-config.ts McpServers':
    'configured servers by name: a plain record',
  'settings/schema/settings-schema.ts Settings': 'the settings of one file: a plain value',
  'journal/sessions/find-session.ts FoundSession': 'a recorded session: a plain value',
  'journal/journal.ts JournalLines': 'the way to record a line, which each effect needs',
  'journal/entries/agent-entries.ts AgentEntry': 'a line of the journal of an agent: a plain value',
};

/** These know nothing of the machine they run on. */
const PURE_ROOMS = ['core', 'machines', 'permissions', 'workflow', 'view'];

/** Heavy or optional packages, and the files that adapt them to the house: the only ones that import them. */
const ADAPTERS = {
  '@anthropic-ai/sdk': [
    'src/model/anthropic/anthropic-sdk.ts',
    'src/model/anthropic/request-headers.ts',
    'src/model/anthropic/stream-event.ts',
  ],
  '@modelcontextprotocol/sdk': [
    ...['', 'servers/', 'login/', 'transport/', 'client/'].map(
      (folder) => `src/extensions/mcp/${folder}sdk-*.ts`,
    ),
    'src/tools/calls/json-schema-validator.ts',
    'src/api/serve/mcp/*.ts',
  ],
  '@a2a-js/sdk': ['src/api/serve/a2a/*.ts'],
  '@vscode/ripgrep': ['src/tools/files/search/*ripgrep*.ts'],
  '@opentelemetry/api': ['src/actors/telemetry/*.ts'],
  unpdf: ['src/tools/files/read/pdf-worker.mjs'],
  'web-tree-sitter': ['src/tools/shell/bash-grammar.ts'],
  'vscode-jsonrpc': ['src/extensions/lsp/json-rpc-connection.ts'],
  htmlparser2: ['src/tools/web/html-to-markdown.ts'],
  yaml: ['src/files/frontmatter.ts', 'src/core/text/yaml-source.ts'],
  ink: ['src/cli/**'],
  react: ['src/cli/**'],
  '@agentclientprotocol/sdk': ['src/cli/acp/**', 'src/cli/commands/acp.ts'],
};

/**
 * Tables of commands, which load a command when it is called, and the layers of settings, which load what only managed
 * settings need. They may name folders above their own; `import/no-cycle` holds for them too, so such an import is dynamic.
 */
const LOADERS = [
  'src/cli/dispatch.ts',
  'src/cli/command-table/commands.ts',
  'src/cli/command-table/mcp-command.ts',
  'src/cli/command-table/plugin-command.ts',
  'src/cli/interactive/file-commands.ts',
  'src/settings/files/load-layers.ts',
];

const IN_PASSING = 'Pure: time, randomness and the world are passed in.';

export default {
  plugins: ['import', 'typescript', 'unicorn'],
  categories: { correctness: 'off' },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'unicorn/prefer-node-protocol': 'error',
    // `import('…').X` in a type would pass by the rule below
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: true }],
  },
  overrides: [
    ...Object.keys(DOORS)
      .flatMap(placesIn)
      .map((files) => imports(files, ...rulesOf(files))),
    imports('src/index.ts', { regex: '^\\./(?:cli|testing)/', message: 'Not public.' }, packages()),
    ...Object.values(ADAPTERS)
      .flat()
      .filter((files) => !isRoom(files))
      .map((files) => imports(files, ...rulesOf(files))),
    ...LOADERS.map((file) => imports(file, doorsOf(file.split('/')[1]), packages(file))),
    {
      files: ['src/machines/**', 'src/permissions/**', 'src/workflow/**', 'src/view/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...['process', 'performance', 'crypto', 'fetch', 'setTimeout', 'setInterval'].map(
            (name) => ({ name, message: IN_PASSING }),
          ),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: IN_PASSING },
          { object: 'Math', property: 'random', message: IN_PASSING },
        ],
      },
    },
  ],
};

/** One override; of several that match a file the last one counts. */
function imports(files, ...patterns) {
  return {
    files: [files],
    rules: { 'no-restricted-imports': ['error', { patterns: patterns.flat() }] },
  };
}

function isRoom(files) {
  return /^src\/[^/]+\/\*\*$/.test(files);
}

/** A room, and the folders in it to the depth that a path upwards tells. */
function placesIn(room) {
  const floors = Object.entries(FLOORS).filter(([place]) => `${place}/`.startsWith(`${room}/`));
  const folders = floors.flatMap(([place, names]) =>
    names.map((name) => `src/${place}${name === '.' ? '' : `/${name}`}`),
  );
  return [
    `src/${room}/**`,
    ...folders
      .toSorted((a, b) => a.split('/').length - b.split('/').length)
      .flatMap((folder) => [`${folder}/*`, `${folder}/*/*`]),
  ];
}

function rulesOf(files) {
  const [, ...way] = files.split('/');
  const places = way.map((_, depth) => way.slice(0, depth).join('/'));
  return [
    doorsOf(way[0]),
    ...places.filter((place) => place in FLOORS).map((place) => floorsOf(place, way)),
    packages(files),
  ];
}

/** The folders of a place that files below it may not import. */
function floorsOf(place, way) {
  const floors = FLOORS[place];
  const inside = way.slice(place.split('/').length);
  if (inside[0] === '**') return [];
  const floor = inside.length === 1 ? '.' : inside[0];
  const above = floors.slice(floors.indexOf(floor) + 1);
  const shortest = { regex: `^(?:\\.\\./)+${place}/`, message: 'Write the shortest path.' };
  if (above.length === 0) return [shortest];
  const up = floor === '.' ? '\\./' : `(?:\\.\\./){${inside.length - 1}}`;
  const closed = above.map((name) => (name === '.' ? '[\\w-]+\\.js$' : `${name}/`));
  return [
    shortest,
    {
      regex: `^${up}(?:${closed.join('|')})`,
      message: `Floors of ${place}: ${floors.join(', ')}; ${floor} imports only those in front of it.`,
    },
  ];
}

function doorsOf(room) {
  const closed = Object.keys(DOORS).filter(
    (other) => other !== room && !DOORS[room].includes(other),
  );
  const patterns = [
    {
      regex: '^troupe(?:/|$)|^(?:\\.{1,2}/)+(?:index\\.js$|(?:src|test|bench|examples|dist)/)',
      message: 'Nothing in src/ imports src/index.ts or leaves src/.',
    },
    { regex: '\\w/\\.{1,2}/', message: 'Write the shortest path.' },
    {
      regex: `^(?:\\.{1,2}/)+(?:${closed.join('|')})/`,
      message: `Doors open downwards only: ${room} may import ${DOORS[room].join(', ') || 'no other room'}.`,
    },
  ];
  const world = { regex: '^node:', message: IN_PASSING };
  return PURE_ROOMS.includes(room) ? [...patterns, world] : patterns;
}

function covers(adapter, files) {
  return adapter === files || (adapter.endsWith('/**') && files.startsWith(adapter.slice(0, -2)));
}

/** The packages that these files may not import. */
function packages(files = '') {
  const closed = Object.keys(ADAPTERS).filter(
    (name) => !ADAPTERS[name].some((adapter) => covers(adapter, files)),
  );
  return {
    regex: `^(?:${closed.join('|')})(?:/|$)`,
    message: `Imported by its adapter only: ${closed.map((name) => `${name} by ${ADAPTERS[name].join(', ')}`).join('; ')}.`,
  };
}
