import { describe, expect, it } from 'vitest';
import { answer, newestText } from './support/answers.js';
import { createPlace } from './support/place.js';
import { fixture } from '../support/mcp/servers.js';
import type { Line } from './support/troupe-process.js';
import { answered, CLIENT, control, isResult, say } from './support/stream-client.js';

const HOOKS = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: 'Read',
        hooks: [
          {
            type: 'command',
            command: 'echo "$CLAUDE_PLUGIN_ROOT $CLAUDE_PLUGIN_DATA" > hooked; exit 2',
          },
        ],
      },
    ],
  },
});

describe.concurrent('plugins of a run', () => {
  it('have their skills, agents and hooks in the session, and broken ones are listed', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'kit/.claude-plugin/plugin.json': '{ "name": "kit" }',
      'kit/commands/go.md': 'Go with ${CLAUDE_PLUGIN_ROOT}.',
      'kit/agents/critic.md': '---\nname: critic\ndescription: Criticises.\n---\nRead.\n',
      'kit/hooks/hooks.json': HOOKS,
      'broken/.claude-plugin/plugin.json': '{',
    });
    const read = { tools: [{ name: 'Read', input: { file_path: place.at('kit/hooks') } }] };
    const line = `/kit:go\nGo with ${place.at('kit')}.`;
    const api = await place.api({ handler: answer({ [line]: [read, { text: 'Gone.' }] }) });
    const { code, stdout, stderr } = await place.call(
      ['-p', '/kit:go', '--plugin-dir', 'kit', '--plugin-dir', 'broken', '--verbose', ...STREAM],
      { api },
    );
    const [init] = stdout.split('\n').map((one) => JSON.parse(one || '{}') as object);
    expect(init).toMatchObject({
      slash_commands: expect.arrayContaining(['compact', 'kit:go']) as unknown,
      agents: expect.arrayContaining(['kit:critic']),
      plugins: [{ name: 'kit', path: place.at('kit'), source: 'kit@inline' }],
      plugin_errors: [{ plugin: place.at('broken'), type: 'invalid' }],
    });
    expect(newestText(api.requests[0])).toBe(line);
    expect(stderr).toContain(`The plugin ${place.at('broken')} is left out: `);
    expect(await place.text('hooked')).toBe(
      `${place.at('kit')} ${place.home}/.claude/plugins/data/kit-inline\n`,
    );
    expect(code).toBe(0);
  });

  it('are read again by /reload-plugins, with new commands, hooks, agents and MCP servers', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'kit/.claude-plugin/plugin.json': '{ "name": "kit" }',
      'kit/commands/go.md': 'Go.',
    });
    const read = { tools: [{ name: 'Read', input: { file_path: place.at('kit/hooks') } }] };
    const echo = { tools: [{ name: 'mcp__plugin_kit_db__echo', input: { text: 'an echo' } }] };
    const api = await place.api({
      handler: answer({
        '/kit:new\nNew.': [read, echo, { text: 'Done.' }, { text: 'Gone.' }],
      }),
    });
    const troupe = place.start(
      [...CLIENT, '--plugin-dir', 'kit', '--allowedTools', 'mcp__plugin_kit_db'],
      { api, input: 'open', env: { ENABLE_TOOL_SEARCH: 'false' } },
    );
    troupe.send(control('req_1', { subtype: 'initialize', hooks: null }));
    await answered(troupe, 'req_1');
    await place.write({
      'kit/commands/new.md': 'New.',
      'kit/agents/critic.md': '---\nname: critic\ndescription: Criticises.\n---\nRead.\n',
      'kit/hooks/hooks.json': HOOKS,
      'kit/.mcp.json': JSON.stringify({ mcpServers: { db: fixture() } }),
    });
    troupe.send(say('/reload-plugins'));
    const changed = await troupe.line('the new commands', isOf('commands_changed'));
    expect(changed['commands']).toContainEqual({
      name: 'kit:new',
      description: 'New.',
      argumentHint: '',
    });
    expect(await troupe.line('the reload', isResult)).toMatchObject({
      result: [
        'Plugins: 1; their skills: 2, agents: 1, groups of hooks: 1.',
        'In effect now: hooks, skills, agents, plugins, MCP servers.',
      ].join('\n'),
      num_turns: 0,
    });
    troupe.send(control('req_2', { subtype: 'initialize', hooks: null }));
    expect(await answered(troupe, 'req_2')).toMatchObject({
      response: {
        response: {
          commands: changed['commands'],
          agents: expect.arrayContaining([{ name: 'kit:critic', description: 'Criticises.' }]),
        },
      },
    });
    troupe.send(say('/kit:new'));
    await troupe.line('the end of the work', (line) => line['result'] === 'Done.');
    expect(JSON.stringify(api.requests.at(-1)?.body['messages'])).toContain('"an echo"');
    expect(await place.text('hooked')).toContain(place.at('kit'));

    await place.write({
      'kit/.mcp.json': JSON.stringify({ mcpServers: { db: fixture(['--polite']) } }),
    });
    troupe.send(say('/reload-plugins'));
    await troupe.line('the reload of a server', (line) => line['result_index'] === 2);
    troupe.send(say('/kit:go'));
    await troupe.line('the next answer', (line) => line['result'] === 'Gone.');
    expect(api.requests.at(-1)?.body['tools']).toContainEqual(
      expect.objectContaining({
        name: 'mcp__plugin_kit_db__echo',
        description: expect.stringContaining('Kindly echoes.') as unknown,
      }),
    );

    await place.write({ 'kit/.mcp.json': '{}' });
    troupe.send(say('/reload-plugins'));
    await troupe.line('the second reload', (line) => line['result'] === WITHOUT_SERVER);
    troupe.send(say('/mcp'));
    troupe.endInput();
    const { lines, stderr } = await troupe.ended;
    expect(lines.filter(isResult).at(-1)).toMatchObject({ result: 'There are no MCP servers.' });
    expect(stderr).not.toContain('new sessions');
  });

  it('are installed from a marketplace, listed, and used by the next run', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'shop/.claude-plugin/marketplace.json': JSON.stringify({
        name: 'shop',
        plugins: [{ name: 'kit', source: './kit' }],
      }),
      'shop/kit/commands/go.md': 'Go.',
    });
    const plugin = async (...words: string[]) => (await place.call(['plugin', ...words])).stdout;
    const managed = place.at('../managed.json');
    await place.write({ '../managed.json': '{ "strictKnownMarketplaces": [] }' });
    const env = { TROUPE_MANAGED_SETTINGS: managed };
    expect(await place.call(['plugin', 'marketplace', 'add', './shop'], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `troupe: Managed settings do not allow this marketplace: "strictKnownMarketplaces" of ${managed} does not have it.\n`,
    });
    expect(await plugin('marketplace', 'add', './shop')).toBe(
      'The marketplace shop has one plugin. To install one: troupe plugin install NAME@shop\n',
    );
    expect(await plugin('install', 'kit')).toBe(
      'The plugin kit@shop (unknown) is installed and enabled (user).\n',
    );
    expect(JSON.parse(await plugin('list', '--json'))).toMatchObject([
      { id: 'kit@shop', scope: 'user', isEnabled: true, problems: [] },
    ]);
    expect((await place.call(['plugin', 'update', 'kit'], { env })).code).toBe(2);
    const api = await place.api({ replies: [{ text: 'Gone.' }] });
    expect(await place.call(['-p', '/kit:go'], { api })).toMatchObject({ stdout: 'Gone.\n' });
    expect(await plugin('disable', 'kit')).toMatch(/^The plugin kit@shop is disabled in \//);
    expect((await place.call(['-p', '/kit:go'], { api })).code).toBe(2);
    expect(await plugin('uninstall', 'kit')).toBe('The plugin kit@shop is removed (user).\n');
  });

  it('of the settings of a folder wait until the folder is trusted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/settings.json': '{ "enabledPlugins": { "kit@shop": true } }',
      '../home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: { 'kit@shop': [{ scope: 'user', installPath: place.at('kit'), version: '1' }] },
      }),
      'kit/commands/go.md': 'Go.',
    });
    const api = await place.api({ replies: [{ text: 'Gone.' }] });
    const untrusted = await place.call(['-p', '/kit:go'], { api });
    expect(untrusted).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /not trusted, so these settings wait: enabledPlugins [^]*\ntroupe: There is no command \/kit:go\./,
      ),
    });
    expect(untrusted.stderr).not.toContain('The plugin');
    const trusted = await place.call(['-p', '/kit:go', '--trust'], { api });
    expect(trusted).toMatchObject({ code: 0, stdout: 'Gone.\n', stderr: '' });
  });
});

describe('a plugin in a folder of skills', () => {
  it('loads from the home at once and from a project once it is trusted, and is disabled by its name', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const stop = { type: 'command', command: 'echo "$CLAUDE_PLUGIN_ROOT" >> ran' };
    const hooks = JSON.stringify({ hooks: { Stop: [{ hooks: [stop] }] } });
    await place.write({
      '../home/.claude/skills/mine/.claude-plugin/plugin.json':
        '{ "name": "mine", "version": "2" }',
      '../home/.claude/skills/mine/SKILL.md': `---\nhooks: { Stop: [{ hooks: [{ type: command, command: 'echo "\${CLAUDE_PLUGIN_ROOT}" >> used' }] }] }\n---\nMine.`,
      '../home/.claude/skills/mine/hooks/hooks.json': hooks,
      '../home/.claude/skills/mine/agents/lead.md':
        '---\nname: lead\ndescription: Leads.\n---\nLead us.\n',
      '../home/.claude/skills/mine/settings.json':
        '{ "agent": "lead", "subagentStatusLine": { "type": "command" } }',
      '.claude/skills/theirs/.claude-plugin/plugin.json': '{ "name": "theirs" }',
      '.claude/skills/theirs/hooks/hooks.json': hooks,
      '.claude/skills/theirs/.mcp.json': '{ "db": { "command": "false" } }',
    });
    const theirs = place.at('.claude/skills/theirs');
    const waits = `This folder is not trusted, so ${theirs} waits. To load it: troupe trust, or --trust for one run.`;
    const list = await place.call(['plugin', 'list']);
    expect(list.stdout).toBe(
      'mine@skills-dir    2  -  enabled, with problems\ntheirs@skills-dir  -  -  enabled, with problems\n',
    );
    const idle = `${place.home}/.claude/skills/mine/settings.json`;
    expect(list.stderr.split('\n')).toEqual([
      `troupe: mine@skills-dir: The plugin mine@skills-dir: settings of plugins without effect: subagentStatusLine (${idle}).`,
      `troupe: theirs@skills-dir: ${waits}`,
      '',
    ]);

    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    const untrusted = await place.call(['-p', '/mine'], { api });
    expect(untrusted.stderr).toBe(`troupe: The plugin theirs@skills-dir is left out: ${waits}\n`);
    expect(JSON.stringify(api.requests[0]?.body['system'])).toContain('Lead us.');
    expect(await place.text('ran')).toBe(`${place.home}/.claude/skills/mine\n`);
    expect(await place.text('used')).toBe(`${place.home}/.claude/skills/mine\n`);

    expect((await place.call(['plugin', 'disable', 'mine@skills-dir'])).stdout).toMatch(
      /^The plugin mine@skills-dir is disabled in \//,
    );
    const trusted = await place.call(['-p', 'Hi', '--trust'], { api });
    expect(trusted.stderr).toBe(
      'troupe: The plugin theirs@skills-dir: These MCP servers need your approval: plugin:theirs:db. To start them, name them in "enabledMcpjsonServers" of your user settings.\n',
    );
    expect(await place.text('ran')).toBe(`${place.home}/.claude/skills/mine\n${theirs}\n`);
    expect(JSON.stringify(api.requests.at(-1)?.body['system'])).not.toContain('Lead us.');
  });
});

const WITHOUT_SERVER =
  'Plugins: 1; their skills: 2, agents: 1, groups of hooks: 1.\nIn effect now: plugins, MCP servers.';

const isOf =
  (subtype: string) =>
  (line: Line): boolean =>
    line['subtype'] === subtype;

const STREAM = ['--output-format', 'stream-json'];
