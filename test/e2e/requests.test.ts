import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/mcp/servers.js';
import { agent, answer, bash, newestText, requestsOf, write } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { PATIENCE_MS } from './support/troupe-process.js';

type Told = { readonly requestId: string; readonly pid: number };

/** Look until one request waits that is not the last one. */
async function nextRequest(place: Place, last = ''): Promise<Told> {
  let stdout = '';
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    ({ stdout } = await place.call(['requests', '--json']));
    const [told] = JSON.parse(stdout) as readonly Told[];
    if (told !== undefined && told.requestId !== last) return told;
  }
  throw new Error(`no other request has come: ${stdout}`);
}

const QUESTION = {
  questions: [
    {
      question: 'Which one?',
      header: 'Choice',
      options: [
        { label: 'red', description: 'warm' },
        { label: 'blue', description: 'cold' },
      ],
      multiSelect: false,
    },
  ],
};

const done = (stdout: string) => ({ code: 0, stdout, stderr: '', signal: null, lines: [] });

describe.concurrent('the permission requests of a running troupe', () => {
  it('are listed whole, and decided from another terminal', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('one')] },
          { tools: [write('new.txt', 'first\nsecond\n')] },
          { tools: [{ name: 'AskUserQuestion', input: QUESTION }] },
          { text: 'Done.' },
        ],
        one: [
          { tools: [bash('touch asked')] },
          { tools: [bash('touch asked')] },
          { text: 'One is done.' },
        ],
      }),
    });
    const run = place.start(['-p', 'go', '--wait-for-approval'], { api });

    const { requestId: first, pid } = await nextRequest(place);
    expect(pid).toBe(run.pid);
    const listed = await place.call(['requests']);
    expect(listed.stdout.replace(/\d+s · in .*/, 'AGE · in PLACE')).toBe(
      [
        `${first} · AGE · in PLACE`,
        'general-purpose (one) asks to use Bash:',
        '    touch asked',
        '    Path: general-purpose → main → you',
        '    --always session: allow Bash(touch asked) until the session ends',
        '    --always folder: allow Bash(touch asked) in this folder, in its local settings',
        '  No rule allows it.',
        `  troupe approve ${first} · troupe deny ${first}`,
        '\n',
      ].join('\n'),
    );
    const { stdout: tree } = await place.call(['ps']);
    expect(tree).toContain('Bash(touch asked): waits for troupe approve');
    expect(await place.call(['approve', first, '--always', 'session'])).toEqual(
      done(
        'Allowed for general-purpose (one): Bash: touch asked. Allowed until the session ends: Bash(touch asked)\n',
      ),
    );

    const { requestId: second } = await nextRequest(place, first);
    expect((await place.call(['requests'])).stdout).toContain(
      '    Creates this file:\n    @@ -0,0 +1,2 @@\n    + first\n    + second\n',
    );
    expect(await place.call(['deny', second, '--message', 'Not now.'])).toEqual(
      done(`Denied for main: Write: new.txt\n`),
    );

    const { requestId: third } = await nextRequest(place, second);
    expect(await place.call(['approve', third, '--answer', '2'])).toEqual(
      done('Answered for main: Which one?\n'),
    );
    const ended = await run.ended;
    expect(ended.stdout).toBe('Done.\n');
    expect(ended.stderr.split('\n')[0]).toBe(
      `troupe: general-purpose (one) waits for a decision on Bash: touch asked. See troupe requests, then: troupe approve ${first}`,
    );
    expect([existsSync(place.at('asked')), existsSync(place.at('new.txt'))]).toEqual([true, false]);
    const [, , afterDenial, last] = requestsOf(api, 'go');
    expect(newestText(afterDenial)).toContain('Not now.');
    expect(newestText(last)).toBe('The user has answered:\nWhich one? → blue');
    const { stdout: audit } = await place.call(['permissions', 'log', '--json']);
    expect(audit).toContain('"by":"troupe approve"');
    expect(audit).toContain('"by":"troupe deny"');
  });

  it('say what an agent may do that would start, and what a server says of its tool', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const steps = [agent('look', { mode: 'plan' }), { name: 'mcp__vault__environment', input: {} }];
    const api = await place.api({
      handler: answer({ go: [...steps.map((tool) => ({ tools: [tool] })), { text: 'Done.' }] }),
    });
    const flags = ['--wait-for-approval', '--settings', '{"permissions":{"ask":["Agent"]}}'];
    const server = JSON.stringify({ mcpServers: { vault: fixture() } });
    place.start(['-p', 'go', ...flags, '--mcp-config', server], { api });
    const { requestId } = await nextRequest(place);
    const listed = await place.call(['requests']);
    expect(listed.stdout).toContain(
      '\n  Mode: plan\n  Tools: those of the agent that asks\n  Budget: no limit but those above it\n',
    );
    await place.call(['deny', requestId, '--message', 'Not now.']);
    await nextRequest(place, requestId);
    expect((await place.call(['requests'])).stdout).toContain(
      '\n  Server: vault\n  Says of itself: nothing\n',
    );
  });

  it('are allowed for the folder, and the answer names the file that has the rule', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({ go: [{ tools: [bash('touch kept')] }, { text: 'Done.' }] }),
    });
    const run = place.start(['-p', 'go', '--wait-for-approval'], { api });
    const { requestId } = await nextRequest(place);
    const { stdout } = await place.call(['approve', requestId, '--always', 'folder']);
    const [told, file = ''] = stdout.trim().split(' is kept in ');
    expect(told).toBe('Allowed for main: Bash: touch kept. Bash(touch kept)');
    expect(dirname(file)).toBe(join(place.troupeHome, 'folders')); // the folder is not trusted
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      permissions: { allow: ['Bash(touch kept)'] },
    });
    expect((await run.ended).code).toBe(0);
  });

  it('run as edited, and are decided once', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({ go: [{ tools: [bash('echo no > out')] }, { text: 'Done.' }] }),
    });
    const run = place.start(['-p', 'go', '--wait-for-approval'], { api });
    const { requestId } = await nextRequest(place);
    const refused = async (args: readonly string[], env = {}) => {
      const { code, stderr } = await place.call(args, { env });
      return { code, stderr };
    };
    const mistakes = [
      await refused(['approve', 'ask_none']),
      await refused(['approve', requestId, '--edit', '[]']),
      await refused(['approve', requestId, '--answer', '1']),
      await refused(['approve', requestId, '--always', 'ever']),
      await refused(['approve', requestId], { TROUPE_MARK: 'x' }),
    ];
    expect(mistakes).toEqual(
      [
        `No request with the ID "ask_none" waits. Waiting: ${requestId} (Bash: echo no > out). See troupe requests.`,
        '--edit: this is not a JSON object. Give the whole input: {"command": "npm test"}.',
        `--answer: ${requestId} has no questions. Leave --answer out.`,
        '--always: there is no "ever". Choose session, folder.',
        'troupe approve: an agent has started this shell, and agents do not decide. Run it in your own terminal.',
      ].map((message) => ({ code: 2, stderr: `troupe: ${message}\n` })),
    );
    const decisions = await Promise.all([
      place.call(['approve', requestId, '--edit', '{"command":"echo yes > out"}']),
      place.call(['approve', requestId, '--edit', '{"command":"echo yes > out"}']),
    ]);
    const codes = decisions.map(({ code }) => code).toSorted();
    expect(codes[0]).toBe(0);
    expect(decisions.map(({ stdout }) => stdout)).toContain(
      'Allowed for main, as edited: Bash: echo yes > out\n',
    );
    expect([1, 2]).toContain(codes[1]); // the second one comes too late, before or after the end of the request
    expect((await run.ended).code).toBe(0);
    expect(await readFile(place.at('out'), 'utf8')).toBe('yes\n');
  });

  it('cannot wait if no other command reaches the run', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const alone = ['-p', 'go', '--wait-for-approval', '--no-session-persistence'];
    expect(await place.call(alone)).toMatchObject({
      code: 2,
      stderr:
        'troupe: With --no-session-persistence no other command reaches the run: remove it, or remove --wait-for-approval.\n',
    });
    expect(await place.call(['requests'])).toEqual(done('No request waits for a decision.\n'));
  });
});
