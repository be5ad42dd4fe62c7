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
  permissions: ['paths', 'web', 'shell', '.', 'eval'],
  machines: ['.', 'steps', 'approval', 'agent', 'task', 'workflow', 'schedule', 'mcp'],
  model: ['.', 'errors', 'choice', 'stream', 'anthropic', 'scripted'],
  journal: ['storage', 'entries', '.', 'sessions', 'readers'],
  processes: ['.', 'sandbox'],
  git: ['.', 'worktree'],
  context: ['memory', 'compaction', '.'],
  tools: [
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
  settings: ['.', 'trust'],
  extensions: ['hooks', 'mcp', 'lsp', 'agents', 'skills', 'plugins', 'teams'],
  actors: [
    'services',
    'contract',
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
  api: ['options', 'control', '.', 'orchestrator', 'query', 'serve'],
  'api/serve': ['.', 'mcp', 'a2a'],
};

/** These know nothing of the machine they run on. */
const PURE_ROOMS = ['core', 'machines', 'permissions', 'workflow'];

/** Heavy or optional packages, and the files that adapt them to the house: the only ones that import them. */
const ADAPTERS = {
  '@anthropic-ai/sdk': [
    'src/model/anthropic/anthropic-sdk.ts',
    'src/model/anthropic/request-headers.ts',
    'src/model/anthropic/stream-event.ts',
  ],
  '@modelcontextprotocol/sdk': [
    'src/extensions/mcp/sdk-*.ts',
    'src/tools/calls/json-schema-validator.ts',
    'src/api/serve/mcp/*.ts',
  ],
  '@a2a-js/sdk': ['src/api/serve/a2a/*.ts'],
  '@vscode/ripgrep': ['src/tools/files/*ripgrep*.ts'],
  unpdf: ['src/tools/files/pdf-worker.mjs'],
  'web-tree-sitter': ['src/tools/shell/bash-grammar.ts'],
  'vscode-jsonrpc': ['src/extensions/lsp/json-rpc-connection.ts'],
  htmlparser2: ['src/tools/web/html-to-markdown.ts'],
  yaml: ['src/files/frontmatter.ts', 'src/core/text/yaml-source.ts'],
  ink: ['src/cli/**'],
  react: ['src/cli/**'],
  '@agentclientprotocol/sdk': ['src/cli/acp/**', 'src/cli/commands/acp.ts'],
};

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
      .map((files) => imports(files, ...rulesOf(files))),
    {
      files: ['src/machines/**', 'src/permissions/**', 'src/workflow/**'],
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

/** The packages that these files may not import. */
function packages(files) {
  const closed = Object.keys(ADAPTERS).filter((name) => !ADAPTERS[name].includes(files));
  return {
    regex: `^(?:${closed.join('|')})(?:/|$)`,
    message: `Imported by its adapter only: ${closed.map((name) => `${name} by ${ADAPTERS[name].join(', ')}`).join('; ')}.`,
  };
}
