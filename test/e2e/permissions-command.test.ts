import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash } from './support/answers.js';
import { createPlace } from './support/place.js';

const SETTINGS = `{
  "permissions": {
    "allow": [
      "Bash(npm test *)"
    ],
    "deny": [
      "Bash(git push *)",
      "bash(rm *)"
    ]
  }
}
`;
const CASES = [
  { id: 'a', allow: ['Bash(npm test *)'], command: 'npm test -- x', expect: 'allow' },
  { id: 'b', tool: 'Edit', path: '/home/u/proj/.git/config', allow: ['Edit'], expect: 'ask' },
  { id: 'c', url: 'https://x.org/', deny: ['WebFetch'], expect: 'deny' },
];
const lines = (cases: readonly object[]): string =>
  cases.map((one) => `${JSON.stringify(one)}\n`).join('\n');
type Line = Readonly<Record<string, unknown>>;
const jsonLines = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe.concurrent('troupe permissions eval', () => {
  it('prints a line for each case, and exits with 0 if all is as expected', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const good = await place.call(['permissions', 'eval', '-'], { input: lines(CASES) });
    expect({ code: good.code, stderr: good.stderr }).toEqual({
      code: 0,
      stderr:
        'troupe: 3 of 3 cases are as expected: 0 unsafe, 0 missed deny, 0 false prompt, 0 other\n',
    });
    expect(jsonLines(good.stdout)).toEqual([
      {
        id: 'a',
        got: 'allow',
        expect: 'allow',
        reason: 'the rule Bash(npm test *) (project settings)',
      },
      { id: 'b', got: 'ask', expect: 'ask', reason: '/home/u/proj/.git/config is protected' },
      { id: 'c', got: 'deny', expect: 'deny', reason: 'the rule WebFetch (project settings)' },
    ]);
  });

  it('exits with 1 on any difference and counts it', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const [a, b] = CASES;
    await place.write({
      '.claude/settings.json': 'this is not looked at',
      'cases.jsonl': lines([
        { ...a, expect: 'ask' },
        { ...b, expect: 'allow' },
      ]),
    });
    const run = ['permissions', 'eval', 'cases.jsonl', '--json'];
    const { code, stdout, stderr } = await place.call(run);
    expect({ code, summary: JSON.parse(stderr) as unknown }).toEqual({
      code: 1,
      summary: { cases: 2, asExpected: 0, unsafe: 1, missedDeny: 0, falsePrompt: 1, other: 0 },
    });
    expect(jsonLines(stdout)).toHaveLength(2);
  });

  it.each([
    ['{"id":"a"', 'cases.jsonl:3: this is not JSON'],
    ['{"id":"a","expect":"ask"}', 'cases.jsonl:3: a case has a "command"'],
    ['{"id":"a","command":"ls","expect":"maybe"}', 'cases.jsonl:3: '],
    ['{"id":"a","command":"ls","expect":"ask","deny":["Bash(rm"]}', 'cases.jsonl:3: "deny.0": '],
    ['{"id":"a","command":"ls","expect":"ask","mode":"lax"}', 'cases.jsonl:3: '],
  ])('prints nothing if a line is no case: %s', async (line, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace(((one: () => unknown) => void cleanups.push(one)) as never); // called below
    await place.write({ 'cases.jsonl': `${lines(CASES.slice(0, 1))}\n${line}\n` });
    const ended = await place.call(['permissions', 'eval', 'cases.jsonl']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
    for (const cleanup of cleanups) await cleanup();
  });

  it('reports a field that is almost one of a case', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const [{ allow, ...rest } = { allow: [] }] = CASES;
    const input = lines([{ ...rest, allowed: allow, note: 'mine' }]);
    const { code, stderr } = await place.call(['permissions', 'eval', '-'], { input });
    expect(code).toBe(1);
    expect(stderr.split('\n')[0]).toBe(
      'troupe: stdin, line 1: "allowed" is no field of a case. Did you mean "allow"?',
    );
  });

  it('exits with 2 if there is no file, or no case in it', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const missing = await place.call(['permissions', 'eval', 'none.jsonl']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('none.jsonl: The cases cannot be read');
    const empty = await place.call(['permissions', 'eval', '-'], { input: '\n\n' });
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(empty.stderr).toContain('stdin: There is no case.');
  });
});

describe.concurrent('troupe permissions list', () => {
  it('lists every rule with its place, and what is wrong with it', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/settings.json': SETTINGS });
    const file = place.at('.claude/settings.json');
    const args = ['permissions', 'list', '--json', '--allowedTools', 'Read(~/x)'];
    const { code, stdout, stderr } = await place.call(args);
    expect({ code, stderr, list: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      stderr: '',
      list: {
        cwd: place.cwd,
        mode: 'default',
        isBypassAvailable: false,
        additionalDirectories: [],
        hooks: 0,
        rules: [
          {
            behavior: 'deny',
            rule: 'Bash(git push *)',
            source: 'projectSettings',
            file,
            line: 7,
            counts: true,
            problems: [],
          },
          {
            behavior: 'deny',
            rule: 'bash(rm *)',
            source: 'projectSettings',
            file,
            line: 8,
            counts: true,
            problems: [expect.stringContaining('Did you mean Bash?')],
          },
          {
            behavior: 'allow',
            rule: 'Bash(npm test *)',
            source: 'projectSettings',
            file,
            line: 4,
            counts: false,
            problems: [],
          },
          {
            behavior: 'allow',
            rule: 'Read(~/x)',
            source: 'cliArg',
            counts: true,
            problems: [],
          },
        ],
      },
    });
  });

  it('names a misspelt key, whose rules are not there', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/settings.json': '{"permissions":{"deney":["Bash(git push *)"]}}',
    });
    for (const args of [['list'], ['explain', 'Bash(git push)']]) {
      const { stderr } = await place.call(['permissions', ...args]);
      expect(stderr).toContain('.claude/settings.json:1:25: ');
      expect(stderr).toContain('permissions.deny');
    }
  });

  it('shows mode, workspace and rules to people', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/settings.json': SETTINGS });
    const args = ['permissions', 'list', '--permission-mode', 'plan', '--trust'];
    const { code, stdout, stderr } = await place.call(args);
    expect(code).toBe(0);
    expect(stdout).toContain('mode plan (the command line); bypassPermissions is not available\n');
    expect(stdout).toContain(`workspace ${place.cwd}\n`);
    expect(stdout).toMatch(/\nallow +Bash\(npm test \*\) +project settings, \S+settings\.json:4\n/);
    expect(stderr).toContain('Did you mean Bash?');
  });
});

describe.concurrent('troupe permissions explain', () => {
  it('names the rule that decides, with its line', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/settings.json': SETTINGS });
    const at = `project settings, ${place.at('.claude/settings.json')}:7`;
    const args = ['permissions', 'explain', 'Bash(git push origin main)', '--trust'];
    expect(await place.call(args)).toMatchObject({
      code: 0,
      stdout: [
        'Bash(git push origin main): denied',
        `  because: the rule Bash(git push *) (${at})`,
        `  No allow rule can override this. It passes only if you remove Bash(git push *) from ${at}.`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('says how to allow what is asked for', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const [command, edit] = await Promise.all([
      place.call(['permissions', 'explain', 'Bash(make)']),
      place.call(['permissions', 'explain', 'Write(a.txt)']),
    ]);
    expect(command.stdout).toBe(
      [
        'Bash(make): asked for',
        '  because: the mode default',
        "  To allow it: --allowedTools 'Bash(make)', or add it to permissions.allow",
        '',
      ].join('\n'),
    );
    expect(edit.stdout).toContain('  To allow it: --permission-mode acceptEdits\n');
  });

  it('says why a rule that protects a file asks before a diff', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const settings = ['--settings', '{"permissions":{"deny":["Read(.env)"]}}'];
    const { stdout } = await place.call([
      'permissions',
      'explain',
      'Bash(git diff main)',
      ...settings,
    ]);
    expect(stdout).toBe(
      [
        'Bash(git diff main): asked for',
        '  because: the rule Read(.env) (--settings)',
        '  No allow rule can override this. It passes only if you remove Read(.env) from --settings.',
        '  The command can print any file of the repository, also one that this rule protects.',
        '  Commands that only name files need no approval: git diff --stat, git diff --name-only, git log.',
        '',
      ].join('\n'),
    );
  });

  it('decides each command for itself and says what would let it pass', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const args = ['permissions', 'explain', 'Bash(ls && npm run test -- x)', '--json'];
    const { code, stdout } = await place.call(args);
    expect({ code, explained: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      explained: {
        use: 'Bash(ls && npm run test -- x)',
        tool: 'Bash',
        mode: 'default',
        decision: 'ask',
        reason: '"npm run test -- x": the mode default',
        commands: [
          { command: 'ls', decision: 'allow', reason: 'it only reads' },
          { command: 'npm run test -- x', decision: 'ask', reason: 'the mode default' },
        ],
        isOffered: true,
        hooks: 0,
        change: {
          type: 'updates',
          updates: ['npm run test -- x', 'npm run test *'].map((ruleContent) => ({
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent }],
            behavior: 'allow',
            destination: 'localSettings',
          })),
        },
      },
    });
  });

  it('says what would leave the sandbox of the settings', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'settings.json': '{"sandbox": {"enabled": true, "excludedCommands": ["docker *"]}}',
    });
    const explained = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await place.call([
        'permissions',
        'explain',
        ...args,
        '--settings',
        'settings.json',
        '--json',
      ]);
      const { decision, reason } = JSON.parse(stdout) as { decision: unknown; reason: unknown };
      return { decision, reason };
    };
    expect(
      await Promise.all([
        explained('Bash(docker ps)'),
        explained('Bash(docker ps)', '--allowedTools', 'Bash(docker *)'),
        explained('Bash(make)'),
      ]),
    ).toEqual([
      { decision: 'ask', reason: 'the command is one that runs outside the sandbox' },
      { decision: 'allow', reason: 'the rule Bash(docker *) (the command line)' },
      { decision: 'ask', reason: 'the mode default' },
    ]);
  });

  it('says what beside the rules has a say', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const hook = { type: 'command', command: 'true' };
    await place.write({
      '.claude/settings.json': '{"permissions": {"allow": ["Bash(make)"]}}',
      'settings.json': JSON.stringify({
        permissions: { allow: ['Bash(python *)'] },
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [hook, { ...hook, command: 'false' }] }],
        },
      }),
    });
    const explained = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout } = await place.call(['permissions', 'explain', ...args]);
      expect(code).toBe(0);
      return stdout;
    };
    const settings = ['--settings', 'settings.json'];
    const [waiting, auto, outside, foreign] = await Promise.all([
      explained('Bash(make)', ...settings),
      explained('Bash(python a.py)', ...settings, '--permission-mode', 'auto'),
      explained('Read(~/x)'),
      explained('mcp__none__such'),
    ]);
    expect(waiting).toContain(
      `  2 hooks may decide otherwise\n  To allow it: troupe trust. Bash(make) (project settings, ${place.at('.claude/settings.json')}:1) waits until you trust the folder.\n`,
    );
    expect(auto).toContain(
      '  in the mode auto the classifier decides\n  the rule Bash(python *) would allow it, but does not apply in the mode auto\n',
    );
    expect(outside).toMatch(/\n {2}the path: \/\S+\/x\n/);
    expect(foreign).toContain('  the tool is not built in: a server or a program has to add it\n');
    const { stdout } = await place.call([
      'permissions',
      'list',
      ...settings,
      '--permission-mode',
      'auto',
    ]);
    expect(stdout).toContain('2 hooks may decide otherwise\n');
    expect(stdout).toContain('does not apply in the mode auto: Bash(python *)\n');
  });

  it('has its own help', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, stdout } = await place.call(['permissions', 'explain', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain("troupe permissions explain 'TOOL(INPUT)' [--json] [flags]");
    expect(stdout).toContain('--permission-mode MODE');
    expect(stdout).not.toContain('--max-turns');
  });

  it('looks at links, flags and modes as a run does', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await symlink('/etc', place.at('out'));
    const decided = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await place.call(['permissions', 'explain', ...args, '--json']);
      return (JSON.parse(stdout) as { decision: unknown }).decision;
    };
    expect(
      await Promise.all([
        decided('Read(a.txt)'),
        decided('Read(out/hosts)'),
        decided('Edit(a.txt)', '--permission-mode', 'acceptEdits'),
        decided('Bash(make)', '--allowedTools', 'Bash(make)'),
        decided('Bash(make)', '--permission-mode', 'dontAsk'),
        decided('Agent(worker)', '--disallowedTools', 'Agent(worker)'),
        decided('mcp__x__y', '--disallowedTools', 'mcp__x'),
        decided('WebFetch(http://localhost/)'),
      ]),
    ).toEqual(['allow', 'ask', 'allow', 'allow', 'deny', 'deny', 'deny', 'deny']);
  });

  it.each([
    [['explain', 'Bsh(x)'], 'There is no tool "Bsh". Did you mean Bash?'],
    [['explain', 'git push'], `"git push" is not a tool. Did you mean 'Bash(git push)'?`],
    [['explain', 'make'], `"make" is not a tool. Did you mean 'Bash(make)'?`],
    [['explain', 'Bash(x'], 'does not end with ")"'],
    [['explain', 'Bash'], "Write 'Bash(command)'"],
    [['explain', 'TodoWrite(x)'], 'The input of TodoWrite is not JSON'],
    [['explain', 'Bash({"command":7})'], 'command'],
    [['explain'], "permissions explain needs 'TOOL(INPUT)'"],
    [['explain', 'Bash(x)', 'Bash(y)'], 'permissions explain takes no "Bash(y)"'],
    [['explain', 'Bash(x)', '--model', 'opus'], 'permissions explain takes no --model'],
    [['eval', '-', '--trust'], 'permissions eval takes no --trust'],
    [['list', 'x'], 'permissions list takes no "x"'],
    [['log', 'nobody'], 'There is no session "nobody"'],
    [['log'], 'There is no session in'],
    [['show'], 'permissions has no "show", only list, explain, eval, log'],
    [[], 'permissions needs one of list, explain, eval, log'],
  ])('%j exits with 2', async (args, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace(((one: () => unknown) => void cleanups.push(one)) as never); // called below
    const ended = await place.call(['permissions', ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
    for (const cleanup of cleanups) await cleanup();
  });
});

const ASKS =
  '-p --input-format stream-json --output-format stream-json --permission-prompt-tool stdio'.split(
    ' ',
  );

describe.concurrent('troupe permissions log', () => {
  it('tells what hooks and the classifier said, and what ran if it was edited', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('ls')] }, { text: 'Done.' }] });
    const hook = { type: 'command', command: 'exit 0' };
    await place.write({
      'settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    });
    await place.call(['-p', 'go', '--settings', 'settings.json'], { api });
    const file = join(await place.session(), 'audit.jsonl');
    const lastLine = JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '') as Line;
    const more = [
      { type: 'permission.classified', classifier: 'guard', behavior: 'deny', reason: 'Too much.' },
      { type: 'permission.check.failed', message: 'down' },
      { type: 'permission.judged', behavior: 'allow', mode: 'default', userModified: true },
      { type: 'permission.new' },
    ];
    let { uuid } = lastLine;
    const text = more.map((line) => {
      const { version, sessionId, timestamp } = lastLine; // what every line has
      const parentUuid = uuid;
      uuid = randomUUID();
      return `${JSON.stringify({ version, uuid, parentUuid, sessionId, timestamp, ...line })}\n`;
    });
    await appendFile(file, text.join(''));
    const { code, stdout } = await place.call(['permissions', 'log']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/: Bash\n +the hook exit 0 \(PreToolUse\) ran \d+ ms\n/);
    expect(stdout).toMatch(/ {2}the classifier guard said deny: Too much\.\n/);
    expect(stdout).toMatch(/ {2}a check beside the request failed: down\n/);
    expect(stdout).toContain('allowed as a person has edited it in the mode default: ');
    expect(stdout).toMatch(/ permission\.new\n$/);
  });
});

describe.concurrent('what was denied because nobody could be asked', () => {
  it('is in both logs, without the advice to the model', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('make')] }, { text: 'Done.' }] });
    await place.call(['-p', 'go'], { api });
    const denied =
      'Permission to use Bash was denied: nobody is there to approve it. No rule allows "make".';
    const log = await place.call(['log']);
    expect(log.stdout).toContain(`Bash failed: ${denied}\n`);
    const { stdout } = await place.call(['permissions', 'log']);
    const shown = stdout.split('\n').map((line) => line.trim());
    expect(shown).toContain('needs approval: the mode default');
    expect(shown.find((line) => line.startsWith('denied'))).toMatch(
      /^denied after \d+ ms in the mode default: nobody is there to approve it\. No rule allows "make"\.$/,
    );
  });
});

describe.concurrent('a remembered rule', () => {
  it('is written down and reported, and is in the log', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [bash('touch made')] },
        { tools: [bash('touch made')] },
        { text: 'Done.' },
      ],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send({ type: 'user', message: { role: 'user', content: 'go' } });
    const ask: Line = await troupe.line('the ask', ({ type }: Line) => type === 'control_request');
    const { permission_suggestions: updatedPermissions } = ask['request'] as Line;
    const response = { behavior: 'allow', updatedPermissions };
    troupe.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: ask['request_id'], response },
    });
    troupe.endInput();
    const { code, stderr } = await troupe.ended;
    const file = place.at('.claude/settings.local.json');
    const rule = 'Bash(touch made)';
    expect(code).toBe(0);
    expect(stderr).toContain(`troupe: ${rule} is kept in ${file}; this folder is not trusted`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: [rule] } });

    const log = await place.call(['permissions', 'log', '--json']);
    expect(log).toMatchObject({ code: 0, stderr: '' });
    const entries = jsonLines(log.stdout) as readonly Line[];
    expect(entries.map(({ type, behavior, by }) => [type, behavior, by])).toEqual([
      ['judged', 'ask', undefined],
      ['kept', undefined, undefined],
      ['answered', 'allow', 'stdio'],
      ['judged', 'allow', undefined],
    ]);
    expect(entries[2]).toMatchObject({
      toolName: 'Bash',
      input: expect.objectContaining({ command: 'touch made' }),
      path: expect.arrayContaining([
        expect.objectContaining({ actor: 'desk', verdict: 'allowed', at: expect.any(Number) }),
      ]),
      waitedMs: expect.any(Number),
    });
    expect(entries[3]).toMatchObject({ why: `the rule ${rule} (local settings)` });

    const text = await place.call(['permissions', 'log']);
    expect(text.stdout).toMatch(/\n\S+ \S+ {2}\S+: Bash touch made\n/);
    expect(text.stdout).toMatch(/\n +allowed by stdio after \d+ ms in the mode default\n\d/);
    expect(text.stdout).toContain(`${rule} kept in ${file}`);
  });
});
