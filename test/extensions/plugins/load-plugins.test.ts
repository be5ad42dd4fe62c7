import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPlugins } from '../../../src/extensions/plugins/load-plugins.js';
import { createFiles } from '../../support/files.js';

const text = (description: string, body = 'Do it.'): string =>
  `---\ndescription: ${description}\n---\n${body}\n`;

/** The plugins of the folders in `p`, or those that settings enable. `h` is the home. */
async function load(
  files: Readonly<Record<string, string | object>>,
  {
    folders = [],
    enabled = {},
    options = {},
    prepare,
  }: {
    readonly folders?: readonly string[];
    readonly enabled?: Readonly<Record<string, boolean>>;
    readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly prepare?: (folder: string) => Promise<unknown>;
  } = {},
) {
  const written = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const folder = await createFiles({ 'p/x': '', ...Object.fromEntries(written) });
  await prepare?.(folder);
  const { loaded, errors } = await loadPlugins({
    cwd: join(folder, 'p'),
    env: { HOME: join(folder, 'h'), TOKEN: 'secret' },
    folders,
    enabled,
    options,
  });
  const plain = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(folder, '/at')) as T;
  return { loaded: plain(loaded), errors: plain(errors) };
}

const KIT = {
  'p/kit/.claude-plugin/plugin.json': {
    name: 'kit',
    version: '1.2.0',
    description: 'Tools.',
    author: { name: 'Ann' },
    keywords: ['a'],
    ownField: 1,
  },
  'p/kit/commands/go.md': text('Goes.', 'Go to ${CLAUDE_PLUGIN_ROOT}.'),
  'p/kit/commands/deep/down.md': 'Down.',
  'p/kit/skills/deploy/SKILL.md': text('Deploys.'),
  'p/kit/skills/folder/SKILL.md': '---\nname: renamed\n---\nText.\n',
  'p/kit/agents/critic.md':
    '---\nname: critic\ndescription: Criticises.\nhooks: { Stop: [] }\n---\nRead ${CLAUDE_PLUGIN_ROOT}/rules.md.\n',
  'p/kit/agents/team/plain.md':
    '---\ndescription: Says: "a",\nlines that are not indented: b: c\ntools: ["Read", "Grep"]\nmodel: "haiku"\n---\nPlain.\n',
  'p/kit/hooks/hooks.json': {
    description: 'Hooks.',
    hooks: {
      Stop: [
        {
          hooks: [
            { type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/stop.sh ${user_config.key}' },
            {
              type: 'command',
              command: 'node',
              args: ['${CLAUDE_PLUGIN_ROOT}', '${user_config.key}'],
            },
          ],
        },
      ],
    },
  },
  'p/kit/.mcp.json': {
    db: { command: '${CLAUDE_PLUGIN_ROOT}/db', args: ['${TOKEN}', '${user_config.key}'] },
    bad: { command: 5 },
  },
  'p/kit/.lsp.json': {
    py: { command: 'pyls', extensionToLanguage: { '.py': 'python' } },
    none: { command: 'x' },
  },
  'p/kit/output-styles/terse.md': 'Be terse.',
  'p/kit/bin/tool': '',
};

const VARIABLES = {
  CLAUDE_PLUGIN_ROOT: '/at/p/kit',
  CLAUDE_PLUGIN_DATA: '/at/h/.claude/plugins/data/kit-inline',
  CLAUDE_PROJECT_DIR: '/at/p',
};

describe('a plugin', () => {
  it('has the parts of its usual folders, with its name in front', async () => {
    const { loaded, errors } = await load(KIT, { folders: ['kit'] });
    expect(errors).toEqual([]);
    const [kit] = loaded;
    expect(loaded).toHaveLength(1);
    expect(kit).toMatchObject({
      name: 'kit',
      id: 'kit@inline',
      path: '/at/p/kit',
      dataFolder: VARIABLES.CLAUDE_PLUGIN_DATA,
      version: '1.2.0',
      description: 'Tools.',
      styles: ['/at/p/kit/output-styles'],
      programs: '/at/p/kit/bin',
      notes: [],
    });
    expect(kit?.skills.map(({ name, description, source }) => [name, description, source])).toEqual(
      [
        ['kit:deep:down', 'Down.', 'plugin'],
        ['kit:go', 'Goes.', 'plugin'],
        ['kit:deploy', 'Deploys.', 'plugin'],
        ['kit:renamed', 'Text.', 'plugin'],
      ],
    );
    expect(kit?.agents).toEqual([
      { name: 'kit:critic', description: 'Criticises.', prompt: 'Read /at/p/kit/rules.md.' },
      {
        name: 'kit:team:plain',
        description: 'Says: "a",',
        tools: ['Read', 'Grep'],
        model: 'haiku',
        prompt: 'Plain.',
      },
    ]);
    expect(kit?.mcpServers).toEqual({
      'plugin:kit:db': {
        command: '/at/p/kit/db',
        args: ['secret', '${user_config.key}'],
        env: VARIABLES,
      },
    });
    expect(kit?.lspServers).toEqual({
      'plugin:kit:py': {
        command: 'pyls',
        extensionToLanguage: { '.py': 'python' },
        env: VARIABLES,
      },
    });
    expect(kit?.hooks).toEqual([
      {
        source: 'userSettings',
        file: '/at/p/kit/hooks/hooks.json',
        settings: {
          hooks: {
            Stop: [
              {
                hooks: [
                  {
                    type: 'command',
                    command: '"/at/p/kit"/stop.sh ${user_config.key}',
                    env: VARIABLES,
                  },
                  {
                    type: 'command',
                    command: 'node',
                    args: ['/at/p/kit', '${user_config.key}'],
                    env: VARIABLES,
                  },
                ],
              },
            ],
          },
        },
      },
    ]);
    expect(kit?.warnings).toEqual([
      '/at/p/kit/agents/critic.md: "hooks" of an agent of a plugin has no effect.',
      '/at/p/kit/.mcp.json: "mcpServers.plugin:kit:bad.command" must be the program to start, not the number 5. The MCP server "plugin:kit:bad" is left out.',
      '/at/p/kit/.lsp.json: "none.extensionToLanguage" is required (an object). The language server "none" is left out.',
    ]);
  });

  it('reads other places that its manifest names', async () => {
    const { loaded } = await load(
      {
        'p/kit/.claude-plugin/plugin.json': {
          name: 'kit',
          commands: ['./one.md', './more'],
          agents: './helpers/tester.md',
          skills: ['./extra', './single'],
          outputStyles: './styles',
          hooks: ['./a.json', { hooks: { Stop: [] } }],
          mcpServers: { inline: { url: 'https://x.test/mcp' } },
          lspServers: './servers.json',
        },
        'p/kit/commands/ignored.md': 'x',
        'p/kit/agents/ignored.md': '---\nname: ignored\n---\nx',
        'p/kit/one.md': 'One.',
        'p/kit/more/two.md': 'Two.',
        'p/kit/helpers/tester.md': '---\ndescription: Tests.\n---\nTest.',
        'p/kit/skills/usual/SKILL.md': 'Usual.',
        'p/kit/extra/three/SKILL.md': 'Three.',
        'p/kit/single/SKILL.md': 'Single.',
        'p/kit/a.json': { SessionStart: [] },
        'p/kit/servers.json': { py: { command: 'p', extensionToLanguage: { '.py': 'python' } } },
      },
      { folders: ['kit'] },
    );
    const [kit] = loaded;
    expect({
      skills: kit?.skills.map(({ name }) => name),
      agents: kit?.agents.map(({ name }) => name),
      hooks: kit?.hooks.map(({ settings }) => settings.hooks),
      mcp: kit?.mcpServers,
      lsp: Object.keys(kit?.lspServers ?? {}),
      warnings: kit?.warnings,
    }).toEqual({
      skills: ['kit:one', 'kit:two', 'kit:usual', 'kit:three', 'kit:single'],
      agents: ['kit:tester'],
      hooks: [{ SessionStart: [] }, { Stop: [] }],
      mcp: { 'plugin:kit:inline': { type: 'http', url: 'https://x.test/mcp' } },
      lsp: ['plugin:kit:py'],
      warnings: [
        '/at/p/kit/styles: the manifest of the plugin names this path, and it does not exist.',
      ],
    });
  });

  it('needs no manifest, and a SKILL.md beside none is its only skill', async () => {
    const { loaded } = await load({ 'p/solo/SKILL.md': text('Solo.') }, { folders: ['solo'] });
    expect(loaded.map(({ id, skills }) => [id, skills.map(({ name }) => name)])).toEqual([
      ['solo@inline', ['solo:solo']],
    ]);
  });

  it('reads nothing outside of its folder', async () => {
    const { loaded, errors } = await load(
      {
        'p/kit/commands/own.md': 'Own.',
        'p/up/.claude-plugin/plugin.json': { name: 'up', commands: '../kit/commands' },
        'p/whole/.claude-plugin/plugin.json': { name: 'whole', hooks: '/etc/hooks.json' },
        'out/secret.md': 'Secret.',
        'out/hooks.json': { hooks: { Stop: [] } },
      },
      {
        folders: ['kit', 'up', 'whole'],
        async prepare(folder) {
          const kit = join(folder, 'p/kit');
          await mkdir(join(kit, 'hooks'));
          await symlink(join(folder, 'out/secret.md'), join(kit, 'commands/secret.md'));
          await symlink(join(folder, 'out'), join(kit, 'agents'));
          await symlink(join(folder, 'out'), join(kit, 'skills'));
          await symlink(join(folder, 'out/hooks.json'), join(kit, 'hooks/hooks.json'));
        },
      },
    );
    expect(
      loaded.map(({ name, skills, agents, hooks }) => [
        name,
        skills.map((one) => one.name),
        agents,
        hooks,
      ]),
    ).toEqual([['kit', ['kit:own'], [], []]]);
    expect(
      loaded[0]?.warnings.map((line) => line.replace(/:.*leads out.*/, ': leads out')),
    ).toEqual([
      '/at/p/kit/skills: leads out',
      '/at/p/kit/commands/secret.md: leads out',
      '/at/p/kit/agents: leads out',
      '/at/p/kit/hooks/hooks.json: leads out',
    ]);
    expect(errors.map(({ plugin, type }) => [plugin, type])).toEqual([
      ['/at/p/up', 'invalid'],
      ['/at/p/whole', 'invalid'],
    ]);
    expect(errors[0]?.message).toContain('must be a path below the folder of the plugin');
  });

  it('loads without a part that is invalid', async () => {
    const { loaded } = await load(
      {
        'p/kit/hooks/hooks.json': '{ "hooks": { "Stop": [{ "hooks": [{ "type": "shell" }] }] } }',
        'p/kit/.mcp.json': '{ broken',
        'p/kit/commands/go.md': 'Go.',
      },
      { folders: ['kit'] },
    );
    expect(loaded[0]).toMatchObject({ hooks: [], mcpServers: {}, skills: [{ name: 'kit:go' }] });
    expect(loaded[0]?.warnings).toEqual([
      expect.stringMatching(
        /^\/at\/p\/kit\/hooks\/hooks\.json: "Stop\.0\.hooks\.0\.type" must be one of/,
      ),
      expect.stringMatching(/^\/at\/p\/kit\/\.mcp\.json:1:\d+: This is not JSON/),
    ]);
  });

  it('is an error in the list if it cannot be used', async () => {
    const { loaded, errors } = await load(
      {
        'p/one/.claude-plugin/plugin.json': { name: 'same' },
        'p/two/.claude-plugin/plugin.json': { name: 'same' },
        'p/json/.claude-plugin/plugin.json': '{ "name": }',
        'p/type/.claude-plugin/plugin.json': { name: 'type', keywords: 'a' },
        'p/name/.claude-plugin/plugin.json': { name: 'two words' },
      },
      {
        folders: ['one', 'two', 'json', 'type', 'name', 'gone'],
        enabled: { 'kit@shop': true, 'off@shop': false },
      },
    );
    expect(loaded.map(({ path }) => path)).toEqual(['/at/p/one']);
    expect(errors).toEqual([
      {
        plugin: '/at/p/two',
        type: 'duplicate',
        message: 'The plugin "same" of /at/p/one is used instead.',
      },
      {
        plugin: '/at/p/json',
        type: 'invalid',
        message: expect.stringMatching(/plugin\.json:1:11: This is not JSON/),
      },
      {
        plugin: '/at/p/type',
        type: 'invalid',
        message: expect.stringContaining('"keywords" must be a list of texts'),
      },
      {
        plugin: '/at/p/name',
        type: 'invalid',
        message: expect.stringContaining('"name" must be one word of letters'),
      },
      { plugin: '/at/p/gone', type: 'not-found', message: 'There is no folder /at/p/gone.' },
      {
        plugin: 'kit@shop',
        type: 'not-installed',
        message: 'It is enabled and not installed. To install it: troupe plugin install kit@shop',
      },
    ]);
  });
});

describe('an installed plugin', () => {
  const install = (folder: string): Promise<void> =>
    writeJson(folder, {
      'h/.claude/plugins/installed_plugins.json': {
        version: 2,
        plugins: {
          'kit@shop': [{ scope: 'user', installPath: join(folder, 'cache'), version: '1' }],
          'gone@shop': [{ scope: 'user', installPath: join(folder, 'gone'), version: '1' }],
        },
      },
      'h/.claude/plugins/known_marketplaces.json': {
        shop: {
          source: { source: 'directory', path: '/x' },
          installLocation: join(folder, 'shop'),
        },
      },
    });
  const shop = (entry: object): Readonly<Record<string, object>> => ({
    'shop/.claude-plugin/marketplace.json': {
      name: 'shop',
      owner: { name: 'Ann' },
      plugins: [
        { name: 'kit', source: './kit', ...entry },
        { name: 'bad', source: 5 },
      ],
    },
  });

  it('has its parts, those of its entry in the marketplace, and its options', async () => {
    const { loaded, errors } = await load(
      {
        ...shop({
          strict: false,
          lspServers: { py: { command: 'p', extensionToLanguage: { '.py': 'python' } } },
          userConfig: { key: { default: 'x' }, size: { default: 3 } },
          hooks: {
            Stop: [
              {
                hooks: [
                  { type: 'command', command: 'run ${user_config.key}' },
                  { type: 'command', command: 'run', args: ['${user_config.key}'] },
                ],
              },
            ],
          },
        }),
        'cache/commands/go.md': 'Go.',
      },
      {
        enabled: { 'kit@shop': true, 'gone@shop': true },
        options: { 'kit@shop': { key: '$(touch x)' } },
        prepare: install,
      },
    );
    expect(errors).toMatchObject([{ plugin: 'gone@shop', type: 'not-found' }]);
    const env = { CLAUDE_PLUGIN_OPTION_KEY: '$(touch x)', CLAUDE_PLUGIN_OPTION_SIZE: '3' };
    expect(loaded).toMatchObject([
      {
        id: 'kit@shop',
        path: '/at/cache',
        skills: [{ name: 'kit:go' }],
        lspServers: { 'plugin:kit:py': { command: 'p' } },
        hooks: [
          {
            settings: {
              hooks: {
                Stop: [
                  {
                    hooks: [
                      { command: 'run ${user_config.key}', env },
                      { args: ['$(touch x)'], env },
                    ],
                  },
                ],
              },
            },
          },
        ],
      },
    ]);
  });

  const SKILLS = {
    'cache/skills/a/SKILL.md': text('A.'),
    'cache/skills/b/SKILL.md': text('B.'),
    'cache/more/c/SKILL.md': text('C.'),
  };

  it.each([
    ['those that its entry names', './', ['./skills/a', './more'], ['a', 'c']],
    ['all, if its entry names their folder', './', ['./skills/', './more'], ['a', 'b', 'c']],
    ['all, if what its entry names does not exist', '.', ['./none'], ['a', 'b']],
    ['all and those that its entry names, in its own folder', './kit', './more', ['a', 'b', 'c']],
  ])('has of the skills of its folder %s', async (_, source, skills, names) => {
    const { loaded } = await load(
      { ...shop({ source, strict: false, skills }), ...SKILLS },
      { enabled: { 'kit@shop': true }, prepare: install },
    );
    expect(loaded[0]?.skills.map(({ name }) => name)).toEqual(names.map((one) => `kit:${one}`));
  });

  it('has the parts of its manifest and those of its entry', async () => {
    const { loaded } = await load(
      {
        ...shop({ skills: ['./more'], mcpServers: { b: { command: 'b' } } }),
        ...SKILLS,
        'cache/extra/d/SKILL.md': text('D.'),
        'cache/.claude-plugin/plugin.json': {
          name: 'kit',
          skills: './extra',
          mcpServers: { a: { command: 'a' } },
        },
      },
      { enabled: { 'kit@shop': true }, prepare: install },
    );
    expect(loaded[0]?.skills.map(({ name }) => name)).toEqual(
      ['a', 'b', 'd', 'c'].map((one) => `kit:${one}`),
    );
    expect(Object.keys(loaded[0]?.mcpServers ?? {})).toEqual(['plugin:kit:a', 'plugin:kit:b']);
  });

  it('is invalid if its manifest and its marketplace both define its parts', async () => {
    const { errors } = await load(
      {
        ...shop({ strict: false }),
        'cache/.claude-plugin/plugin.json': { name: 'kit', commands: './more' },
      },
      { enabled: { 'kit@shop': true }, prepare: install },
    );
    expect(errors).toMatchObject([
      { type: 'invalid', message: expect.stringContaining('its manifest has "commands" too') },
    ]);
  });
});

async function writeJson(folder: string, files: Readonly<Record<string, object>>): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(value));
  }
}
