import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace } from './support/place.js';

describe.concurrent('troupe doctor', () => {
  const env = { ANTHROPIC_API_KEY: 'sk-very-secret' };

  it('finds a machine well, and changes and tells nothing that it should not', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const { code, stdout, stderr } = await place.call(['doctor'], {
      env: { ...env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/api/' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toMatch(/fail|warn|secret/);
    expect(stdout).toMatch(
      /\nok +model +ANTHROPIC_API_KEY is set; requests go to http:\/\/127\.0\.0\.1:9\/api \(not tried\)\.\n/,
    );
    expect(await readdir(dirname(place.cwd))).not.toContain('troupe-home');
    expect(await place.files()).toEqual([]);
  });

  it('names an address that holds a password, but not the password', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { stdout } = await place.call(['doctor'], {
      env: { ...env, ANTHROPIC_BASE_URL: 'http://me:hunter2@127.0.0.1:9/api/' },
    });
    expect(stdout).toMatch(/\nwarn +model +ANTHROPIC_BASE_URL has a user name or a password, /);
    expect(stdout).not.toMatch(/hunter2/);
  });

  it('fails if a sandbox is asked for that does not work', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const sandbox = { mode: 'external', command: ['/bin/false'] };
    const args = ['doctor', '--settings', JSON.stringify({ sandbox })];
    const { code, stdout } = await place.call(args, { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nfail +sandbox +The sandbox "external" does not work here: /);
  });

  it('names the fields and tools of agents that are not there, with file and line', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const head = '---\nname: x\ndescription: d\n';
    await place.write({
      '.claude/agents/field.md': `${head}tols: Read\n---\nP`,
      '.claude/agents/name.md': '---\nnam: y\ndescription: d\n---\nP',
      '.claude/agents/tool.md': `${head.replace('x', 'z')}tools: Raed, Frobnicate\n---\nP`,
    });
    const { code, stdout } = await place.call(['doctor'], { env });
    const at = (name: string): string => place.at(`.claude/agents/${name}`);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.includes(' agents '))).toEqual(
      [
        `${at('field.md')}:4: there is no field "tols". Did you mean "tools"?`,
        `${at('name.md')}:2: there is no field "nam". Did you mean "name"?`,
        `${at('tool.md')}:4: there is no tool "Raed". Did you mean Read?`,
        `${at('tool.md')}:4: there is no tool "Frobnicate".`,
      ].map((line) => `warn  agents            ${line}`),
    );
  });

  it('gives a verdict on each thing', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/settings.json': '{"model": 7}',
      '.troupe/settings.local.json': '{',
      '.claude/agents/broken.md': '---\nname: broken\n---\n',
      '.mcp.json': '{"mcpServers": 1}',
      '../home/.claude/skills/kit/.claude-plugin/plugin.json': '{',
    });
    await mkdir(place.troupeHome);
    await chmod(place.troupeHome, 0o755);
    await writeFile(join(place.troupeHome, 'settings.json'), '{"nothing": 1}');
    const { code, stdout } = await place.call(['doctor', '--json']);
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean;
      checks: readonly { name: string; verdict: string; message: string; help?: string }[];
    };
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    const notWell = checks.filter(({ verdict }) => verdict !== 'ok');
    expect(notWell.filter(({ name }) => name !== 'containment')).toEqual([
      {
        name: 'home',
        verdict: 'warn',
        message: `Other users can read ${place.troupeHome} (mode 755).`,
        help: `Run: chmod 700 ${place.troupeHome}`,
      },
      {
        name: 'settings',
        verdict: 'fail',
        message: expect.stringContaining(
          `${place.at('.claude/settings.json')}:1:11: "model" must be a string, not the number 7`,
        ),
      },
      {
        name: 'settings',
        verdict: 'fail',
        message: expect.stringContaining(`${place.at('.troupe/settings.local.json')}:1:2: `),
      },
      {
        name: 'agents',
        verdict: 'warn',
        message: expect.stringContaining(`${place.at('.claude/agents/broken.md')}:1: `),
      },
      {
        name: 'plugins',
        verdict: 'warn',
        message: expect.stringMatching(/^kit@skills-dir: .*plugin\.json:1:2: /),
      },
      {
        name: 'mcp',
        verdict: 'warn',
        message: expect.stringContaining(`${place.at('.mcp.json')}:1:`),
      },
      {
        name: 'model',
        verdict: 'warn',
        message: expect.stringContaining(
          'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or set apiKeyHelper in settings, or run without a network: --model scripted:FILE.',
        ),
        help: 'The demo and scripted models work without it.',
      },
    ]);
    expect([...new Set(checks.map(({ name }) => name))]).toEqual([
      'node',
      'git',
      'ripgrep',
      'shell',
      'containment',
      'temporary folder',
      'terminal',
      'home',
      'settings',
      'sandbox',
      'trust',
      'agents',
      'plugins',
      'mcp',
      'lsp',
      'model',
      'prices',
      'locks',
    ]);
  });

  it('names settings that have no effect, and the servers of the user', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const servers = { files: { command: process.execPath, args: ['-e', ''] } };
    const projects = { [place.cwd]: { mcpServers: { issues: servers.files } } };
    await place.write({
      '../home/.claude.json': JSON.stringify({ mcpServers: servers, projects }),
      '../home/.claude/settings.json':
        '{"spinnerVerb": {"type": "command"}, "deniedModels": ["x"], "modle": "y"}',
    });
    const settings = place.at('../home/.claude/settings.json');
    const { stdout } = await place.call(['doctor', '--json'], { env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    expect(checks.filter(({ name }) => name === 'settings' || name === 'mcp')).toEqual([
      {
        name: 'settings',
        verdict: 'ok',
        message: `1 read. See troupe config. These settings have no effect in Troupe: spinnerVerb (${settings}).`,
      },
      {
        name: 'settings',
        verdict: 'warn',
        message: `${settings}:1:70: "modle" is not known and has no effect. Did you mean "model"?`,
      },
      {
        name: 'settings',
        verdict: 'warn',
        message: `${settings}: only in managed settings these have an effect: deniedModels.`,
      },
      {
        name: 'mcp',
        verdict: 'ok',
        message: 'A run here starts issues, files (not tried: see doctor --mcp).',
      },
    ]);
  });

  it('looks for the programs of language servers', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const extensionToLanguage = { '.fake': 'fake' };
    const lspServers = {
      here: { command: process.execPath, extensionToLanguage },
      gone: { command: 'no-such-server', extensionToLanguage },
    };
    const rowsOf = async (...args: readonly string[]) => {
      const { stdout } = await place.call(['doctor', '--json', ...args]);
      const { checks } = JSON.parse(stdout) as { checks: readonly { name: string }[] };
      return checks.filter(({ name }) => name === 'lsp');
    };
    const name = 'lsp';
    expect(await rowsOf()).toEqual([
      { name, verdict: 'ok', message: 'No language server: sessions here have no tool LSP.' },
    ]);
    expect(await rowsOf('--settings', JSON.stringify({ lspServers }))).toEqual([
      { name, verdict: 'ok', message: `here: ${process.execPath} (not started)` },
      {
        name,
        verdict: 'warn',
        message: 'gone: there is no program "no-such-server".',
        help: 'Install it, or take the server out of lspServers.',
      },
    ]);
  });

  it('says what waits for trust, and what is missing', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/settings.json': '{"permissions": {"allow": ["Bash(ls)"]}}' });
    const bin = join(place.temporary, 'bin');
    await mkdir(bin);
    const { code, stdout } = await place.call(['doctor'], { env: { ...env, PATH: bin } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nwarn +trust +This folder is not trusted, so these settings wait: /);
    expect(stdout).toMatch(/\nwarn +git +git does not run: /);
    const file = join(place.temporary, 'file');
    await writeFile(file, '');
    const bad = await place.call(['doctor'], {
      env: { ...env, TROUPE_HOME: file, TMPDIR: '/nowhere' },
    });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/\nfail +home +The folder for sessions, .* is a file\./);
    expect(bad.stdout).toMatch(/\nfail +temporary folder +.*\/nowhere does not exist\./);
    const markerEnv = { ...env, TROUPE_CONTAINMENT: 'marker' };
    const open = await place.call(['doctor'], { env: markerEnv });
    expect(open.stdout).toMatch(
      /\nwarn +containment +There is no pid namespace: .* can read ANTHROPIC_API_KEY from the memory of troupe/,
    );
    const marker = await place.call(['doctor'], { env: { ...markerEnv, ANTHROPIC_API_KEY: '' } });
    expect(marker.stdout).toMatch(
      /\nok +containment +There is no pid namespace: .* TROUPE_CONTAINMENT asks for this\.\n/,
    );
    const odd = await place.call(['doctor'], { env: { ...env, TROUPE_CONTAINMENT: 'odd' } });
    expect(odd.stdout).toMatch(/\nfail +shell +TROUPE_CONTAINMENT is "odd"/);
  });

  it('starts MCP servers only when told to', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const server = join(
      import.meta.dirname,
      '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    );
    const mcpServers = {
      good: { command: process.execPath, args: [server] },
      bad: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
      missing: { command: 'no-such-program' },
    };
    const flags = ['--mcp-config', JSON.stringify({ mcpServers })];
    const quiet = await place.call(['doctor', ...flags], { env });
    expect(quiet.stdout).toContain(
      'A run here starts good, bad, missing (not tried: see doctor --mcp).',
    );
    const { code, stdout } = await place.call(['doctor', '--mcp', ...flags], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nok +mcp +good answers: \d+ tools\.\n/);
    expect(stdout).toMatch(/\nwarn +mcp +bad does not answer: it ended \(exit code 3\) /);
    expect(stdout).toMatch(/\nwarn +mcp +missing does not answer: .*no program "no-such-program"/);
  });
});
