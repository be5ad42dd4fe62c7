import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/mcp/servers.js';
import { agent, answer, bash, requestsOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { CLIENT, isResult, say } from './support/stream-client.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];
const managedFile = (place: Place): string => join(place.cwd, '../managed.json');

/** The environment of a run with these managed settings. */
async function withManaged(place: Place, settings: object): Promise<Record<string, string>> {
  await place.write({ '../managed.json': JSON.stringify(settings) });
  return { TROUPE_MANAGED_SETTINGS: managedFile(place) };
}

const shown = (place: Place, text: string): string =>
  text.replaceAll(join(place.cwd, '..'), '').replaceAll(/\n$/g, '');

describe.concurrent('allowManagedPermissionRulesOnly', () => {
  it('lets no rule of settings, flags, skills and sub-agents allow anything', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, {
      allowManagedPermissionRulesOnly: true,
      permissions: { allow: ['Bash(touch managed)'] },
    });
    await place.write({
      '../home/.claude/settings.json': '{"permissions": {"allow": ["Bash(touch user)"]}}',
      '../home/.claude/skills/s/SKILL.md':
        '---\ndescription: S.\nallowed-tools: Bash(touch skill)\n---\nDo it.\n',
    });
    const commands = ['touch managed', 'touch user', 'touch flag', 'touch skill'];
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [{ name: 'Skill', input: { skill: 's' } }] },
          { tools: commands.map((one) => agent(one)) },
          { tools: [bash('touch skill')] },
          { text: 'Done.' },
        ],
        ...Object.fromEntries(
          commands.map((one) => [one, [{ tools: [bash(one)] }, { text: '.' }]]),
        ),
      }),
    });
    const args = ['-p', 'go', '--allowedTools', 'Bash(touch flag),Skill', '--trust'];
    const { code, stderr } = await place.call(args, { api, env });
    expect({ code, files: await place.files() }).toEqual({ code: 0, files: ['managed'] });
    expect(shown(place, stderr).split('\n')[0]).toBe(
      'troupe: Managed settings have allowManagedPermissionRulesOnly: these rules allow nothing: Bash(touch flag) (the command line), Skill (the command line), Bash(touch user) (user settings, /home/.claude/settings.json:1).',
    );
  });

  it('offers no rules to remember, and neither applies nor saves those of an answer', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { allowManagedPermissionRulesOnly: true });
    const api = await place.api({
      replies: [{ tools: [bash('touch a')] }, { tools: [bash('touch b')] }, { text: 'Done.' }],
    });
    const flags = [...CLIENT, '--permission-prompt-tool', 'stdio', '--trust'];
    const troupe = place.start(flags, { api, env, input: 'open' });
    troupe.send(say('go'));
    const rule = {
      type: 'addRules',
      behavior: 'allow',
      rules: [{ toolName: 'Bash' }],
      destination: 'localSettings',
    };
    for (const command of ['touch a', 'touch b']) {
      const request = await troupe.line(command, (line) =>
        JSON.stringify(line['request'] ?? null).includes(`"command":"${command}"`),
      );
      expect((request['request'] as object).hasOwnProperty('permission_suggestions')).toBe(false);
      troupe.send({
        type: 'control_response',
        response: {
          subtype: 'success',
          request_id: request['request_id'],
          response: { behavior: 'allow', updatedInput: { command }, updatedPermissions: [rule] },
        },
      });
    }
    await troupe.line('the result', isResult);
    expect(await place.files()).toEqual(['a', 'b']);
  });
});

describe.concurrent('managed lists of MCP servers', () => {
  it('leave out servers of flags, of the user, the project, agents and clients', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const good = fixture([]);
    const other = fixture(['--other']);
    const env = await withManaged(place, {
      allowManagedMcpServersOnly: true,
      allowedMcpServers: [{ serverCommand: [good.command, ...(good.args ?? [])] }],
      deniedMcpServers: [{ serverName: 'denied' }],
      enableAllProjectMcpServers: true,
    });
    await place.write({
      '../home/.claude.json': JSON.stringify({ mcpServers: { mine: other, denied: good } }),
      '../home/.claude/settings.json': JSON.stringify({
        allowedMcpServers: [{ serverName: 'mine' }],
      }),
      '.mcp.json': JSON.stringify({ mcpServers: { theirs: other, good } }),
      '.claude/agents/a.md': `---\nname: a\ndescription: A.\nmcpServers:\n  - own: ${JSON.stringify(other)}\n---\nGo.\n`,
    });
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('sub', { subagent_type: 'a' })] }, { text: 'Done.' }],
        sub: [{ text: 'Sub.' }],
      }),
    });
    const flag = JSON.stringify({ mcpServers: { given: other } });
    const args = ['-p', 'go', '--mcp-config', flag, '--trust', ...STREAM];
    const { code, stderr, lines } = await place.call(args, { api, env });
    expect({ code, servers: lines[0]?.['mcp_servers'] }).toEqual({
      code: 0,
      servers: [{ name: 'good', status: 'connected' }],
    });
    const why = 'allowedMcpServers of /managed.json does not have it';
    expect(shown(place, stderr).split('\n')).toEqual([
      ...['given', 'theirs', 'mine'].map(
        (name) => `troupe: The MCP server "${name}" is left out: ${why}.`,
      ),
      'troupe: The MCP server "denied" is left out: deniedMcpServers of /managed.json has it.',
      `troupe: The MCP server "own" is not connected: ${why}`,
    ]);
  });

  it('are shown by mcp list, and mcp add refuses what they leave out', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { deniedMcpServers: [{ serverUrl: 'https://bad.test' }] });
    await place.write({
      '../home/.claude.json':
        '{"mcpServers": {"bad": {"type": "http", "url": "https://bad.test/x"}}}',
    });
    const list = await place.call(['mcp', 'list'], { env });
    expect(shown(place, list.stderr)).toContain(
      'The MCP server "bad" is left out: deniedMcpServers of /managed.json has it.',
    );
    const add = await place.call(['mcp', 'add', 'x', 'https://BAD.test/y'], { env });
    expect({ code: add.code, stderr: shown(place, add.stderr) }).toEqual({
      code: 2,
      stderr:
        'troupe: The MCP server "x" may not be used here: deniedMcpServers of /managed.json has it.',
    });
    const json = '{"type": "http", "url": "https://bad.test/z"}';
    expect((await place.call(['mcp', 'add-json', 'x', json], { env })).code).toBe(2);
  });
});

describe.concurrent('strictPluginOnlyCustomization', () => {
  const FILES = {
    '.claude/skills/of-project/SKILL.md': '---\ndescription: P.\n---\nP.\n',
    '../home/.claude/commands/of-user.md': 'U.\n',
    '.claude/agents/of-project.md': '---\nname: of-project\ndescription: P.\n---\nP.\n',
    '../.claude/skills/of-manager/SKILL.md': '---\ndescription: M.\n---\nM.\n',
    '.claude/settings.json':
      '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch hooked"}]}]}}',
    'kit/.claude-plugin/plugin.json': '{"name": "kit"}',
    'kit/commands/of-plugin.md': 'K.\n',
  };

  it('leaves skills, agents, hooks and servers to plugins and the manager', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { strictPluginOnlyCustomization: true });
    await place.write({
      ...FILES,
      '../home/.claude.json': JSON.stringify({ mcpServers: { mine: fixture([]) } }),
    });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const args = ['-p', 'go', '--plugin-dir', 'kit', '--trust', ...STREAM];
    const { lines, stderr } = await place.call(args, { api, env });
    const named = (list: unknown): readonly string[] =>
      (list as readonly string[]).filter((name) => name.includes('of-'));
    expect({
      stderr,
      commands: named(lines[0]?.['slash_commands']),
      agents: named(lines[0]?.['agents']),
      servers: lines[0]?.['mcp_servers'],
      hooked: place.has('hooked'),
    }).toEqual({
      stderr: '',
      commands: ['kit:of-plugin', 'of-manager'],
      agents: [],
      servers: [],
      hooked: false,
    });
  });

  it('locks only the parts that it names, and reports unknown ones', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { strictPluginOnlyCustomization: ['skills', 'themes'] });
    await place.write(FILES);
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const { lines, stderr } = await place.call(['-p', 'go', '--trust', ...STREAM], { api, env });
    expect({ stderr: shown(place, stderr), hooked: place.has('hooked') }).toEqual({
      stderr:
        'troupe: /managed.json: strictPluginOnlyCustomization: these have no effect: themes. There are skills, agents, hooks, mcp.',
      hooked: true,
    });
    expect(lines[0]?.['agents']).toContain('of-project');
    expect(lines[0]?.['slash_commands']).not.toContain('of-project');
  });
});

describe.concurrent('disableSideloadFlags', () => {
  it('refuses the flags that bring agents, plugins and servers', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { disableSideloadFlags: true });
    await place.write({ 'kit/.claude-plugin/plugin.json': '{"name": "kit"}' });
    const agents = '{"a": {"description": "A.", "prompt": "A."}}';
    const flags = ['--plugin-dir', 'kit', '--agents', agents, '--mcp-config', '{"mcpServers": {}}'];
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const { code, stderr } = await place.call(['-p', 'go', ...flags], { api, env });
    expect({ code, stderr: shown(place, stderr), asked: api.requests.length }).toEqual({
      code: 2,
      stderr:
        'troupe: /managed.json: Managed settings have disableSideloadFlags, so these cannot be given: --plugin-dir, --agents, --mcp-config. Leave them out.',
      asked: 0,
    });
    expect((await place.call(['-p', 'go'], { api, env })).code).toBe(0);
  });

  it('has no effect in the settings of a user, which is reported', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    await place.write({ '../home/.claude/settings.json': '{"disableSideloadFlags": true}' });
    const { code, stderr } = await place.call(['-p', 'go', '--agents', '{}'], { api });
    expect({ code, stderr: shown(place, stderr) }).toEqual({
      code: 0,
      stderr:
        'troupe: /home/.claude/settings.json: only in managed settings these have an effect: disableSideloadFlags.',
    });
  });
});

it('the files of managed-settings.d count in the order of their names, and a broken one ends the command', async ({
  onTestFinished,
}) => {
  const place = await createPlace(onTestFinished);
  const env = await withManaged(place, { model: 'first' });
  await place.write({
    '../managed-settings.d/20-late.json': '{"model": "last"}',
    '../managed-settings.d/10-rules.json': '{"model": "middle", "permissions": {"deny": ["Bash"]}}',
    '../managed-settings.d/.hidden.json': '{"model": "hidden"}',
    '../managed-settings.d/notes.txt': 'no JSON',
  });
  const api = await place.api({
    replies: [{ tools: [bash('touch a')] }, { text: 'Done.' }],
  });
  await place.call(['-p', 'go', '--allowedTools', 'Bash'], { api, env });
  expect(requestsOf(api, 'go')[0]?.body['model']).toBe('last');
  expect(place.has('a')).toBe(false);
  await place.write({ '../managed-settings.d/30.json': '{\n  "permissions": 1\n}' });
  const { code, stderr } = await place.call(['-p', 'go'], { api, env });
  expect({ code, stderr: shown(place, stderr) }).toEqual({
    code: 2,
    stderr: expect.stringContaining('troupe: /managed-settings.d/30.json:2:18: "permissions"'),
  });
});
