import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uniqueSeconds } from '../processes/processes.js';
import { answer, bash, results, textOf } from './support/answers.js';
import { withoutDenied } from './support/denied-lines.js';
import { createPlace, type Place } from './support/place.js';
import { hook, placeWith, saying, type Hook } from './support/user-hooks.js';

type Use = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

function preToolUse(fields: object): string {
  return saying({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
}

function permissionRequest(decision: object): string {
  return saying({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
}

/** Lets the session's agent make these uses, one in each reply. */
async function useEach(place: Place, uses: readonly Use[], args: readonly string[] = []) {
  const texts: string[] = [];
  const steps = [...uses.map((use) => ({ tools: [use] })), { text: 'Done.' }];
  const api = await place.api({
    handler: answer({
      go: steps.map((step) => (request: Parameters<typeof results>[0]) => {
        texts.push(...results(request).map(({ content }) => textOf(content)));
        return step;
      }),
    }),
  });
  const { code, stderr } = await place.call(['-p', 'go', ...args], { api });
  return { code, texts, stderr: withoutDenied(stderr) };
}

const ALLOW_BASH = ['--allowedTools', 'Bash'];

describe.concurrent('PreToolUse hooks of a settings file', () => {
  it('deny with a reason for the model, and allow nothing that a rule denies or asks for', async ({
    onTestFinished,
  }) => {
    const allow = preToolUse({ permissionDecision: 'allow' });
    const deny = preToolUse({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Not on Sundays.',
    });
    const place = await placeWith(onTestFinished, {
      PreToolUse: [
        hook(deny, { if: 'Bash(touch denied)' }),
        hook(allow, { if: 'Bash(touch *)' }),
        hook(saying({ decision: 'block', reason: 'An old word.' }), { if: 'Bash(touch old)' }),
        hook(`cat >event; ${saying({ decision: 'approve' })}`, { if: 'Write(*)' }),
      ],
    });
    const uses = ['denied', 'ruled', 'asked', 'old', 'allowed'].map((name) =>
      bash(`touch ${name}`),
    );
    const settings = '{"permissions":{"deny":["Bash(touch ruled)"],"ask":["Bash(touch asked)"]}}';
    const { code, texts, stderr } = await useEach(place, uses, ['--settings', settings]);
    expect({ code, stderr, files: await place.files() }).toEqual({
      code: 0,
      stderr: '',
      files: ['allowed'],
    });
    expect(texts).toEqual([
      expect.stringMatching(/^Permission to use Bash was denied by the hook .*: Not on Sundays\.$/),
      expect.stringContaining('denied by the rule Bash(touch ruled)'),
      expect.stringContaining('the rule Bash(touch asked)'),
      expect.stringMatching(/denied by the hook .*: An old word\./),
      '(no output)',
    ]);
  });

  it('rewrite an input, which is parsed, and judged by every rule', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [
        hook(preToolUse({ updatedInput: { command: 'touch new' } }), { if: 'Bash(touch one)' }),
        hook(preToolUse({ updatedInput: { command: 'rm -f new' } }), { if: 'Bash(touch two)' }),
        hook(preToolUse({ updatedInput: { command: 7 } }), { if: 'Bash(touch three)' }),
      ],
    });
    const { texts } = await useEach(
      place,
      ['one', 'two', 'three'].map((name) => bash(`touch ${name}`)),
      [...ALLOW_BASH, '--disallowedTools', 'Bash(rm *)'],
    );
    expect(await place.files()).toEqual(['new']);
    expect(texts).toEqual([
      '(no output)',
      expect.stringContaining('denied by the rule Bash(rm *)'),
      expect.stringMatching(/rewrote the input to one that cannot be used\. Bash: command/),
    ]);
  });

  it('have a definite end, whatever they do, and leave no process', async ({ onTestFinished }) => {
    const [ignoring, surviving] = [uniqueSeconds(), uniqueSeconds()];
    const flood = process.env['TROUPE_DEEP'] === undefined ? 5_000_000 : 100_000_000;
    const bad = {
      'exit-2': ['echo "Not this." >&2; exit 2'],
      'exit-2-long': [`head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 2`],
      'exit-3': ['echo oops >&2; exit 3'],
      garbage: ['echo hello; echo ok'],
      'broken-json': ['echo \'{"decision": "block"\''],
      'wrong-json': [saying({ decision: 'maybe' })],
      'no-name': [saying({ hookSpecificOutput: { permissionDecision: 'deny' } })],
      flood: [`yes | head -c ${flood}`],
      'no-stdin': ['exec <&-; exit 0'],
      'by-signal': ['kill -9 $$'],
      missing: ['/nowhere/hook'],
      late: [`trap '' TERM INT HUP; sleep ${ignoring}`, { timeout: 0.3 }],
      survivor: [`setsid nohup sleep ${surviving} >/dev/null 2>&1 & disown; exit 0`],
    } as const satisfies Readonly<Record<string, readonly [string, Hook?]>>;
    const place = await placeWith(onTestFinished, {
      PreToolUse: Object.entries(bad).map(
        ([name, [command, more]]: [string, readonly [string, Hook?]]) =>
          hook(command, { ...more, if: `Bash(touch ${name})` }),
      ),
    });
    const names = Object.keys(bad);
    const { code, texts, stderr } = await useEach(
      place,
      names.map((name) => bash(`touch ${name}`)),
      ALLOW_BASH,
    );
    expect(code).toBe(0);
    const told = Object.fromEntries(names.map((name, index) => [name, texts[index]]));
    expect(Object.keys(told).filter((name) => told[name] === '(no output)')).toEqual(
      names.filter((name) => !name.startsWith('exit-2')),
    );
    expect(told['exit-2']).toMatch(/denied by the hook .*: Not this\.$/);
    expect(told['exit-2-long']?.length).toBeLessThan(11_000);
    expect(await place.files()).toEqual(names.filter((name) => !name.startsWith('exit-2')).sort());
    const notices = stderr.split('\n').filter((line) => line.includes('hook'));
    expect(notices).toEqual([
      expect.stringContaining('exited with 3: oops'),
      expect.stringContaining('begins like JSON but is invalid'),
      expect.stringContaining('"decision" must be one of "approve", "block"'),
      expect.stringContaining('"hookSpecificOutput.hookEventName" is required'),
      expect.stringContaining('a signal ended it'),
      expect.stringContaining('exited with 127'),
      expect.stringContaining('did not answer within 0.3 s'),
    ]);
    expect(await readdir(join(await place.session(), 'hooks'))).toEqual([]);
    const alive = await commandLines();
    expect(
      [ignoring, surviving].filter((each) => alive.some((line) => line.includes(`${each}`))),
    ).toEqual([]);
  });

  it('are named on stderr and in the log if they deny or ask, and no rule is suggested', async ({
    onTestFinished,
  }) => {
    const denies = 'echo "Not on Sundays." >&2; exit 2';
    const place = await placeWith(onTestFinished, {
      PreToolUse: [
        hook(denies, { if: 'Bash(touch denied)' }),
        hook('cat ask.json', { if: 'Bash(touch asked)' }),
      ],
    });
    const ask = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'Ask me before you push.',
    };
    await place.write({ 'ask.json': JSON.stringify({ hookSpecificOutput: ask }) });
    const api = await place.api({
      replies: [
        { tools: [bash('touch denied')] },
        { tools: [bash('touch asked')] },
        { text: 'Done.' },
      ],
    });
    const { stderr } = await place.call(['-p', 'go'], { api });
    expect(stderr.trimEnd().split('\n')).toEqual([
      `troupe: denied: Bash(touch denied): the hook ${denies}: Not on Sundays.`,
      'troupe: denied: Bash(touch asked): the hook cat ask.json: Ask me before you push.',
    ]);
    const log = await place.call(['log']);
    expect(log.stdout).toContain(`Bash: denied by the hook ${denies}\n`);
    expect(log.stdout).toMatch(
      /Bash: the hook cat ask\.json asks for approval\n.*Bash: denied after \d+ ms: nobody was there to approve it\n/,
    );
    expect(log.stdout).not.toContain('denied by rules');
    expect(log.stdout).not.toContain('policy');
    const audit = await place.call(['permissions', 'log']);
    expect(audit.stdout).not.toContain('policy');
  });

  const stops = saying({ continue: false, stopReason: 'Enough for today.' });

  it.for([
    ['PreToolUse', stops, ALLOW_BASH],
    ['PermissionRequest', stops, []],
    ['PermissionRequest', permissionRequest({ behavior: 'deny', interrupt: true }), []],
  ] as const)('of %s end the turn: %s', async ([event, command, more], { onTestFinished }) => {
    const place = await placeWith(onTestFinished, { [event]: [hook(command)] });
    const api = await place.api({
      replies: [{ tools: [bash('touch a')] }, { text: 'Never said.' }],
    });
    const { code, stdout } = await place.call(['-p', 'go', '--output-format', 'json', ...more], {
      api,
    });
    expect({ code, requests: api.requests.length, files: await place.files() }).toEqual({
      code: 0,
      requests: 1,
      files: [],
    });
    expect(JSON.parse(stdout)).toMatchObject({ result: '', terminal_reason: 'hook_stopped' });
  });

  it('take arguments word by word, and are not waited for if they are asynchronous', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [
        {
          type: 'command',
          command: 'touch',
          args: ['a b; touch c', '${CLAUDE_PROJECT_DIR}/$(id)'],
          if: 'Bash(ls)',
        },
        hook(`read -r line <go; touch background`, { async: true, if: 'Bash(ls)' }),
        hook('exit 2', { async: true, if: 'Bash(ls)' }),
      ],
    });
    const { code, texts, stderr } = await useEach(
      place,
      [
        bash('mkfifo go'),
        bash('ls'),
        bash('echo on >go; until [ -e background ]; do sleep 0.01; done'),
      ],
      [...ALLOW_BASH, '--permission-mode', 'acceptEdits'],
    );
    expect({ code, files: await place.files() }).toEqual({
      code: 0,
      files: ['$(id)', 'a b; touch c', 'background', 'go'],
    });
    expect(texts[1]).toContain('a b; touch c');
    expect(stderr).toContain('it is "async", so what it says comes too late to count');
  });
});

describe.concurrent('PermissionRequest hooks of a settings file', () => {
  it('answer if nobody is attached, and nothing that a rule asks a person for', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PermissionRequest: [
        hook(permissionRequest({ behavior: 'allow' }), { if: 'Bash(touch a*)' }),
        hook(permissionRequest({ behavior: 'deny', message: 'Policy 7.' }), {
          if: 'Bash(touch denied)',
        }),
        hook('echo "Not by this one." >&2; exit 2', { if: 'Bash(touch blocked)' }),
        hook(permissionRequest({ behavior: 'allow', updatedInput: { command: 'rm -rf b' } }), {
          if: 'Bash(touch rewritten)',
        }),
      ],
    });
    const names = ['allowed', 'asked', 'denied', 'blocked', 'rewritten', 'open'];
    const settings = '{"permissions":{"deny":["Bash(rm *)"],"ask":["Bash(touch asked)"]}}';
    const { code, texts } = await useEach(
      place,
      names.map((name) => bash(`touch ${name}`)),
      ['--settings', settings],
    );
    expect({ code, files: await place.files() }).toEqual({ code: 0, files: ['allowed'] });
    expect(texts).toEqual([
      '(no output)',
      expect.stringContaining('the rule Bash(touch asked)'),
      expect.stringMatching(/^The hook .* denied it: Policy 7\.$/),
      expect.stringMatching(/^The hook .* denied it: Not by this one\./),
      expect.stringContaining('denied by the rule Bash(rm *)'),
      expect.stringContaining('nobody is there'),
    ]);
  });
});

describe.concurrent('hooks of a folder', () => {
  it('do not run before it is trusted, and this is said', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const hooks = { PreToolUse: [{ matcher: '', hooks: [hook('touch ran; exit 2')] }] };
    await place.write({ '.claude/settings.json': JSON.stringify({ hooks }) });
    const untrusted = await useEach(place, [bash('ls')]);
    expect([untrusted.code, place.has('ran')]).toEqual([0, false]);
    expect(untrusted.stderr).toMatch(
      /not trusted, so these settings wait: hooks of .*settings\.json/,
    );
    const trusted = await useEach(place, [bash('ls')], ['--trust']);
    expect([trusted.stderr, place.has('ran')]).toEqual(['', true]);
    expect(trusted.texts).toEqual([expect.stringContaining('denied by the hook touch ran')]);
  });

  it('that have no effect are named', async ({ onTestFinished }) => {
    const hooks = [hook('true')];
    const place = await placeWith(onTestFinished, {
      Stop: [hook('true', { if: 'Bash(ls)' })],
      PreToolUse: [
        { matcher: 'Edit|bash', hooks },
        { matcher: 'mcp__files', hooks },
        { matchr: 'Write', hooks: [hook('true', { if: 'Bsh(ls)', timeuot: 5 })] },
        { matcher: 'Write|LS|Task|Update|mcp__files__read|ba.h', hooks },
      ],
      PostToolUse: [{ matcher: 'Write, LS, Task, Update, mcp__files__read', hooks }],
      SessionEnd: [
        { matcher: 'clear|logout', hooks },
        { matcher: 'clear|other', hooks },
      ],
    });
    const { stderr } = await useEach(place, []);
    const file = join(place.home, '.claude/settings.json');
    const unknown = 'is not known and has no effect. Did you mean';
    expect(stderr.trim().split('\n')).toEqual(
      [
        'a hook with "if" (Stop) never runs: "if" is for events of tool calls.',
        'the matcher "Edit|bash" (PreToolUse): there is no tool "bash". Did you mean Bash?',
        'the matcher "mcp__files" (PreToolUse): "mcp__files" is no tool. For all tools of the server, write "mcp__files__.*".',
        `"hooks.PreToolUse.2.matchr" ${unknown} "matcher"?`,
        `"hooks.PreToolUse.2.hooks.0.timeuot" ${unknown} "timeout"?`,
        'a hook with "if": "Bsh(ls)" (PreToolUse) never runs: there is no tool "Bsh". Did you mean Bash?',
        'the matcher "clear|logout" (SessionEnd) never matches. Values: other.',
      ].map((line) => `troupe: ${file}: ${line}`),
    );
  });
});

describe.concurrent('the audit', () => {
  it('has a line for each decision, and no secret in any of them', async ({ onTestFinished }) => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const place = await placeWith(onTestFinished, {
      PreToolUse: [
        hook(saying({ decision: 'block', reason: `It holds ${secret}.` }), {
          if: 'Bash(echo blocked *)',
        }),
      ],
    });
    const command = `curl -H "Authorization: Bearer ${secret}" https://me:hunter2@example.com`;
    const uses = [bash(command), bash(`echo blocked ${secret}`), bash(command)];
    await useEach(place, uses);
    const text = await readFile(join(await place.session(), 'audit.jsonl'), 'utf8');
    expect(text).not.toMatch(/a1B2a1B2|hunter2/);
    const log = await place.call(['permissions', 'log', '--json']);
    expect(log.stdout).not.toMatch(/a1B2a1B2|hunter2/);
    const lines = log.lines as unknown as readonly Readonly<Record<string, unknown>>[];
    const asked = lines.find(({ type }) => type === 'judged');
    expect(asked).toMatchObject({
      type: 'judged',
      requestId: expect.any(String),
      toolName: 'Bash',
      input: {
        command: 'curl -H "Authorization: [redacted]" https://me:[redacted]@example.com',
      },
      mode: 'default',
      behavior: 'ask',
    });
    expect(lines.find(({ type }) => type === 'answered')).toMatchObject({
      requestId: asked?.['requestId'],
      toolName: 'Bash',
      mode: 'default',
      behavior: 'deny',
      by: 'policy',
      waitedMs: expect.any(Number),
      path: expect.arrayContaining([
        { actor: 'desk', verdict: expect.any(String), at: expect.any(Number) },
      ]),
    });
    expect(lines.map(({ type }) => type)).toEqual([
      'judged',
      'answered',
      'hook.ran',
      'judged',
      'judged',
      'answered',
    ]);
  });
});

async function commandLines(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')), // it ended meanwhile
  );
}
