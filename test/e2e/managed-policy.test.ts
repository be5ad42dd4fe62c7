/** Managed settings that become settings of Troupe, and those without which it does not run. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/mcp/servers.js';
import { bash, requestsOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { CLIENT } from './support/stream-client.js';

const shown = (place: Place, text: string): string =>
  text.replaceAll(join(place.cwd, '..'), '').replaceAll(/\n$/g, '');

const isAnswerTo = (id: string, response: unknown): boolean =>
  JSON.stringify(response ?? null).includes(JSON.stringify(id));

/** Run a session with managed settings: a text, or what becomes one. */
async function runWith(
  place: Place,
  settings: object | string,
  {
    args = ['-p', 'go'],
    variables = {},
    replies = [{ text: 'Done.' }],
  }: {
    readonly args?: readonly string[];
    readonly variables?: Readonly<Record<string, string>>;
    readonly replies?: readonly object[];
  } = {},
) {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  await place.write({ '../managed.json': text });
  const api = await place.api({ replies });
  const env = { TROUPE_MANAGED_SETTINGS: join(place.cwd, '../managed.json'), ...variables };
  const { code, stderr, stdout } = await place.call(args, { api, env });
  return { code, stderr: shown(place, stderr), stdout, api, asked: api.requests.length };
}

describe.concurrent('managed settings that Troupe cannot obey', () => {
  it('refuse to run until the manager accepts that', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const settings = { sandbox: { filesystem: { denyRead: ['/etc'] } } };
    const { code, stderr, asked } = await runWith(place, settings);
    expect([code, stderr, asked]).toEqual([
      2,
      'troupe: /managed.json: Troupe cannot obey these managed settings, and does not run without them: sandbox.filesystem. ' +
        'To use Troupe all the same, add {"acceptUnsupported":["sandbox.filesystem"]} to managed settings, here or in /etc/troupe/managed-settings.json.',
      0,
    ]);
    const accepted = await runWith(place, {
      ...settings,
      acceptUnsupported: ['sandbox.filesystem'],
    });
    expect([accepted.code, accepted.stderr]).toEqual([
      0,
      'troupe: These settings restrict sessions elsewhere and have no effect in Troupe: sandbox.filesystem (/managed.json). Write rules instead: docs/use/permissions.md.',
    ]);
  });

  it('refuse every command that needs settings, and doctor says why', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const settings = { forceLoginOrgUUID: ['a'] };
    for (const args of [['config'], ['permissions', 'list'], ['mcp', 'list']]) {
      const { code, stderr } = await runWith(place, settings, { args });
      expect([args, code, stderr.includes('forceLoginOrgUUID')]).toEqual([args, 2, true]);
    }
    const doctor = await runWith(place, settings, { args: ['doctor'] });
    expect(doctor.code).not.toBe(0);
    expect(doctor.stdout + doctor.stderr).toContain('forceLoginOrgUUID');
  });

  it('refuse a misspelt key with its place', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr, asked } = await runWith(
      place,
      '{\n  "permissions": {"denyy": ["Bash"]}\n}',
    );
    expect([code, stderr, asked]).toEqual([
      2,
      'troupe: /managed.json:2:28: "permissions.denyy" is not known and has no effect. Did you mean "permissions.deny"? Nothing runs while managed settings have a misspelt key.',
      0,
    ]);
  });

  it('are reported with a reason if they limit what Troupe does not have', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr } = await runWith(place, {
      forceLoginMethod: 'claudeai',
      minimumVersion: '2.1.0',
    });
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        'troupe: forceLoginMethod (/managed.json) has no effect: Troupe has no login.',
        'troupe: minimumVersion (/managed.json) has no effect: Troupe does not update itself.',
      ],
    ]);
  });

  it('are warnings in the settings of a user', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '../home/.claude/settings.json': JSON.stringify({
        forceLoginOrgUUID: 'a',
        autoMode: { hard_deny: ['x'] },
        sandbox: { filesystem: { denyRead: ['/etc'] } },
        allowedProviders: [],
        requiredMinimumVersion: '99.0.0',
        policyHelper: { path: '/bin/false' },
      }),
    });
    const { code, stderr } = await runWith(place, {});
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        'troupe: /home/.claude/settings.json: only in managed settings these have an effect: allowedProviders, policyHelper, requiredMinimumVersion.',
        'troupe: These settings restrict sessions elsewhere and have no effect in Troupe: forceLoginOrgUUID, autoMode, sandbox.filesystem (/home/.claude/settings.json). Write rules instead: docs/use/permissions.md.',
      ],
    ]);
  });
});

describe.concurrent('managed settings in words of Troupe', () => {
  it('autoMode removes the mode auto, whose classifier has no such rules', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const settings = { autoMode: { hard_deny: ['x'] } };
    const plain = await runWith(place, settings);
    expect([plain.code, plain.stderr]).toEqual([
      0,
      'troupe: /managed.json: autoMode: the mode auto of Troupe has no such rules, so nobody can choose it here.',
    ]);
    const args = ['-p', 'go', '--permission-mode', 'auto'];
    const { code, asked } = await runWith(place, settings, { args });
    expect([code, asked]).toEqual([2, 0]);
  });

  it('disableWorkflows removes the tool Workflow', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const toolsOf = async (settings: object): Promise<string> =>
      JSON.stringify((await runWith(place, settings)).api.requests[0]?.body);
    expect(await toolsOf({})).toContain('Workflow');
    expect(await toolsOf({ disableWorkflows: true })).not.toContain('Workflow');
  });

  it('allowedProviders refuse another endpoint, and one that only the user names', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const other = await runWith(place, { allowedProviders: ['anthropic'] });
    expect([other.code, other.asked]).toEqual([2, 0]);
    expect(other.stderr).toMatch(
      /^troupe: \/managed\.json: allowedProviders of managed settings has anthropic, and requests would go to http:\/\/127\.0\.0\.1:\d+, which is "customEndpoint"\.$/,
    );
    const loose = await runWith(place, { allowedProviders: ['customEndpoint'] });
    expect([loose.code, loose.asked]).toEqual([2, 0]);
    expect(loose.stderr).toContain('counts only if "env" of managed settings has it');
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const pinned = await runWith(place, {
      allowedProviders: ['customEndpoint'],
      env: { ANTHROPIC_BASE_URL: api.url },
    });
    expect([pinned.code, api.requests.length]).toEqual([0, 1]);
  });
});

describe.concurrent('policyHelper', () => {
  /** Managed settings with a helper that runs these lines of a shell. */
  const helper = async (place: Place, lines: string, more: object = {}): Promise<object> => {
    const path = join(place.cwd, '../a helper.sh');
    await place.write({ '../a helper.sh': `#!/bin/sh\n${lines}\n` });
    await chmod(path, 0o755);
    return { policyHelper: { path, ...more }, permissions: { deny: ['Read'] } };
  };
  const print = (value: object): string => `cat <<'END'\n${JSON.stringify(value)}\nEND`;

  it('replaces the settings beside it, and runs once a start', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const printed = {
      managedSettings: { model: 'claude-opus-5-5', permissions: { deny: ['Bash'] } },
      claudeMd: 'Words of the manager.',
      appendSystemPrompt: 'More words.',
    };
    const settings = await helper(place, `echo run >> "$HOME/runs"\n${print(printed)}`);
    const { code, stderr, api } = await runWith(place, settings, {
      replies: [{ tools: [bash('touch a')] }, { text: 'Done.' }],
      args: ['-p', 'go', '--allowedTools', 'Bash'],
    });
    const [first] = requestsOf(api, 'go');
    const sent = JSON.stringify(api.requests[0]?.body);
    expect([code, stderr, first?.body['model'], place.has('a')]).toEqual([
      0,
      '',
      'claude-opus-5-5',
      false,
    ]);
    expect([sent.includes('Words of the manager.'), sent.includes('More words.')]).toEqual([
      true,
      true,
    ]);
    expect(sent).toContain('"name":"Read"');
    expect(await place.text('../home/runs')).toBe('run\n');
  });

  it('leaves the settings beside it if it prints none', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, api } = await runWith(place, await helper(place, print({})));
    expect([code, JSON.stringify(api.requests[0]?.body).includes('"name":"Read"')]).toEqual([
      0,
      false,
    ]);
  });

  it('refuses to run if its helper fails', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const settings = await helper(place, 'echo no network >&2\nexit 1');
    const { code, stderr, asked } = await runWith(place, settings);
    expect([code, stderr, asked]).toEqual([
      2,
      'troupe: /managed.json: The policy helper /a helper.sh exited with 1 (no network). Nothing runs without its settings: repair it, or remove policyHelper.',
      0,
    ]);
  });
});

describe.concurrent('managed lists of MCP servers', () => {
  it('leave out servers of plugins, and those that a client sets while a session runs', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const [good, other] = [fixture([]), fixture(['--other'])];
    const managed = {
      allowedMcpServers: [{ serverCommand: [good.command, ...(good.args ?? [])] }],
      deniedMcpServers: [{ serverName: 'denied' }, { serverName: 'plugin:kit:denied' }],
    };
    await place.write({
      '../managed.json': JSON.stringify(managed),
      'kit/.claude-plugin/plugin.json': '{"name": "kit"}',
      'kit/.mcp.json': JSON.stringify({ mcpServers: { good, other, denied: good } }),
    });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const env = { TROUPE_MANAGED_SETTINGS: join(place.cwd, '../managed.json') };
    const args = [...CLIENT, '--plugin-dir', 'kit', '--trust'];
    const troupe = place.start(args, { api, env, input: 'open' });
    const ask = async (request: object): Promise<unknown> => {
      const id = JSON.stringify(request);
      troupe.send({ type: 'control_request', request_id: id, request });
      const line = await troupe.line(id, ({ response }) => isAnswerTo(id, response));
      return (line['response'] as { readonly response: unknown }).response;
    };
    const servers = { good, other, denied: good };
    const set = JSON.stringify(await ask({ subtype: 'mcp_set_servers', servers }));
    expect(JSON.parse(shown(place, set))).toEqual({
      added: ['good'],
      removed: [],
      errors: {
        other: 'allowedMcpServers of /managed.json does not have it',
        denied: 'deniedMcpServers of /managed.json has it',
      },
    });
    const status = (await ask({ subtype: 'mcp_status' })) as {
      readonly mcpServers: readonly { readonly name: string }[];
    };
    expect(status.mcpServers.map(({ name }) => name).toSorted()).toEqual([
      'good',
      'plugin:kit:good',
    ]);
  });
});

it('a managed file that cannot be read or is invalid ends the command', async ({
  onTestFinished,
}) => {
  const place = await createPlace(onTestFinished);
  for (const text of [
    '',
    '{',
    '[]',
    '{"availableModels": "opus"}',
    '{"permissions": {"deny": 1}}',
  ]) {
    const { code, asked, stderr } = await runWith(place, text);
    expect([text, code, asked, stderr.startsWith('troupe: /managed.json')]).toEqual([
      text,
      2,
      0,
      true,
    ]);
  }
  await place.write({ '../folder.json/x': '' });
  const variables = { TROUPE_MANAGED_SETTINGS: join(place.cwd, '../folder.json') };
  const { code, asked } = await runWith(place, {}, { variables });
  expect([code, asked]).toEqual([2, 0]);
});
