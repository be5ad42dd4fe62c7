import { describe, expect, it } from 'vitest';
import { answer, newestText } from './support/answers.js';
import { createPlace } from './support/place.js';

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
      slash_commands: ['compact', 'kit:go'],
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
    expect(await plugin('marketplace', 'add', './shop')).toBe(
      'The marketplace shop has one plugin. To install one: troupe plugin install NAME@shop\n',
    );
    expect(await plugin('install', 'kit')).toBe(
      'The plugin kit@shop (unknown) is installed and enabled (user).\n',
    );
    expect(JSON.parse(await plugin('list', '--json'))).toMatchObject([
      { id: 'kit@shop', scope: 'user', isEnabled: true, problems: [] },
    ]);
    const api = await place.api({ replies: [{ text: 'Gone.' }] });
    expect(await place.call(['-p', '/kit:go'], { api })).toMatchObject({ stdout: 'Gone.\n' });
    expect(await plugin('disable', 'kit')).toMatch(/^The plugin kit@shop is disabled in \//);
    expect((await place.call(['-p', '/kit:go'], { api })).code).toBe(2);
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
      stderr: expect.stringContaining('There is no command /kit:go.'),
    });
    expect(untrusted.stderr).not.toContain('The plugin');
    const trusted = await place.call(['-p', '/kit:go', '--trust'], { api });
    expect(trusted).toMatchObject({ code: 0, stdout: 'Gone.\n', stderr: '' });
  });
});

const STREAM = ['--output-format', 'stream-json'];
