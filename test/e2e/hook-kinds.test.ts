import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, type TestContext } from 'vitest';
import { answer, bash, firstPrompt, newestText } from './support/answers.js';
import type { Place } from './support/place.js';
import { placeWith, type Hook } from './support/user-hooks.js';
import { installed } from '../support/mcp/servers.js';

/** A server of hooks that answers each event with this, and keeps what it gets. */
async function serve(
  onTestFinished: TestContext['onTestFinished'],
  reply: { readonly status?: number; readonly body: string },
) {
  const got: { readonly token: unknown; readonly event: Readonly<Record<string, unknown>> }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const event = JSON.parse(await text(request)) as Readonly<Record<string, unknown>>;
      got.push({ token: request.headers['x-token'], event });
      response.writeHead(reply.status ?? 200).end(reply.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const DENY = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'Not today.',
  },
});

/** Use Bash once, and return what the model reads of it. */
async function useOnce(place: Place, env: Readonly<Record<string, string>> = {}) {
  let read = '';
  const judged: string[] = [];
  const go = answer({
    go: [
      { tools: [bash('touch used')] },
      (request) => {
        read = newestText(request);
        return { text: 'Done.' };
      },
    ],
  });
  const api = await place.api({
    handler: (request) => {
      const prompt = firstPrompt(request.body);
      if (prompt === 'go') return go(request);
      judged.push(prompt);
      return {
        text: prompt.includes('touch used') ? '{"ok": false, "reason": "No files."}' : 'Hm.',
      };
    },
  });
  const { stderr, stdout } = await place.call(['-p', 'go', '--allowedTools', 'Bash'], { api, env });
  return { read, judged, stderr, stdout, hasRun: place.has('used') };
}

describe.concurrent('an http hook', () => {
  it('gets the event by POST, with the variables that it may have, and denies', async ({
    onTestFinished,
  }) => {
    const { got, url } = await serve(onTestFinished, { body: DENY });
    const headers = { 'x-token': '$OWN ${OTHER}' };
    const place = await placeWith(onTestFinished, {
      PreToolUse: [{ type: 'http', url, headers, allowedEnvVars: ['OWN'] }],
    });
    const used = await useOnce(place, { OWN: 'mi\r\nne', OTHER: 'secret' });
    expect([used.hasRun, used.read, got]).toEqual([
      false,
      expect.stringContaining('Not today.'),
      [
        {
          token: 'mine',
          event: expect.objectContaining({ hook_event_name: 'PreToolUse', tool_name: 'Bash' }),
        },
      ],
    ]);
  });

  it('that fails is reported, and denies if its group says so', async ({ onTestFinished }) => {
    const { url } = await serve(onTestFinished, { status: 500, body: 'oops' });
    const group = (more: Hook) => ({ PreToolUse: [{ ...more, hooks: [{ type: 'http', url }] }] });
    const lax = await useOnce(await placeWith(onTestFinished, group({})));
    const strict = await useOnce(await placeWith(onTestFinished, group({ onFailure: 'block' })));
    expect([lax.hasRun, strict.hasRun]).toEqual([true, false]);
    for (const { stderr } of [lax, strict])
      expect(stderr).toContain(`${url} answered with status 500`);
  });

  it('runs only if allowedHttpHookUrls has its address, and stderr says so', async ({
    onTestFinished,
  }) => {
    const { got, url } = await serve(onTestFinished, { body: DENY });
    const hooks = { PreToolUse: [{ type: 'http', url }] };
    const limits = { allowedHttpHookUrls: ['https://hooks.example.com/*'] };
    const place = await placeWith(onTestFinished, hooks, limits);
    const { stderr } = await useOnce(place);
    expect(got).toEqual([]);
    expect(stderr).toContain(
      `an http hook (PreToolUse) never runs: allowedHttpHookUrls does not have ${url}.`,
    );
  });
});

describe.concurrent('a prompt hook', () => {
  const PROMPT = 'Does it create no file for \\$1? $ARGUMENTS';
  const ASKED = /^Does it create no file for \$1\? \{"session_id":.*"command":"touch used"[^$]*\}$/;

  it('asks the small model about the event, and ends the turn with its reason', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [{ type: 'prompt', prompt: PROMPT }],
    });
    const { hasRun, read, judged, stderr } = await useOnce(place);
    expect([hasRun, read, judged, stderr]).toEqual([
      false,
      '', // the model is not asked again
      [expect.stringMatching(ASKED)],
      expect.stringContaining('ended the turn: No files.'),
    ]);
  });

  it('denies, and the agent continues with the reason, if it says continueOnBlock', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [{ type: 'prompt', prompt: PROMPT, continueOnBlock: true }],
    });
    const { hasRun, read, stdout } = await useOnce(place);
    expect([hasRun, read, stdout]).toEqual([
      false,
      expect.stringContaining('No files.'),
      'Done.\n',
    ]);
  });

  it.for([
    ['', 'More.'],
    [', "impossible": true', 'Done.'],
  ])(
    'lets an agent stop only if its condition can never hold: %s',
    async ([more, said], { onTestFinished }) => {
      const place = await placeWith(onTestFinished, {
        Stop: [{ type: 'prompt', prompt: 'Is it done?' }],
      });
      let count = 0;
      const api = await place.api({
        handler(request) {
          if (!firstPrompt(request.body).startsWith('Is it done?'))
            return { text: newestText(request).includes('Not yet.') ? 'More.' : 'Done.' };
          count += 1;
          return {
            text: count > 1 ? '{"ok": true}' : `{"ok": false, "reason": "Not yet."${more}}`,
          };
        },
      });
      const { stdout } = await place.call(['-p', 'go'], { api });
      expect(stdout).toBe(`${said}\n`);
    },
  );

  it('without a verdict is reported', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, {
      UserPromptSubmit: [{ type: 'prompt', prompt: 'Is it polite?' }],
    });
    const { hasRun, stderr } = await useOnce(place);
    expect([hasRun, stderr]).toEqual([
      true,
      expect.stringContaining('its model gave no verdict: "Hm."'),
    ]);
  });
});

it('hooks that cannot run are reported, each with its reason', async ({ onTestFinished }) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const place = await placeWith(onTestFinished, {
    PreToolUse: [
      { type: 'http', url: `http://127.0.0.1:${port}/` },
      { type: 'mcp_tool', server: 'nobody', tool: 'scan' },
      { type: 'command', command: '/nowhere/program', args: ['one'] },
      { type: 'command', command: 'Get-Date', shell: 'powershell' },
      { type: 'command', command: '/nowhere/background', async: true },
    ],
    PreToolUze: [{ type: 'command', command: 'true' }],
  });
  const { hasRun, stderr } = await useOnce(place);
  expect(hasRun).toBe(true);
  const failed = 'failed and is ignored';
  expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
    expect.stringMatching(
      /settings\.json: there is no hook event "PreToolUze", so its hooks never run/,
    ),
    expect.stringContaining(
      `"/nowhere/background" (PreToolUse of Bash) ${failed}: it exited with 127`,
    ),
    expect.stringContaining(
      `"/nowhere/program one" (PreToolUse of Bash) ${failed}: it exited with 127`,
    ),
    expect.stringContaining(`"Get-Date" (PreToolUse of Bash) ${failed}: it exited with 127`),
    expect.stringContaining(
      `:${port}/" (PreToolUse of Bash) ${failed}: http://127.0.0.1:${port}/ cannot be reached`,
    ),
    expect.stringContaining(
      `"nobody:scan" (PreToolUse of Bash) ${failed}: there is no MCP server "nobody"`,
    ),
  ]);
});

it('a hook may be a tool of a server, and a sub-agent', async ({ onTestFinished }) => {
  const place = await placeWith(onTestFinished, {
    UserPromptSubmit: [
      { type: 'mcp_tool', server: 'all', tool: 'echo', input: { message: '<${prompt}>' } },
    ],
    Stop: [{ type: 'agent', prompt: 'Is it done? $ARGUMENTS' }],
  });
  await place.write({
    'servers.json': JSON.stringify({ mcpServers: { all: installed('everything') } }),
  });
  const heard: string[] = [];
  const asked: string[] = [];
  const api = await place.api({
    handler(request) {
      const prompt = firstPrompt(request.body);
      if (prompt.startsWith('Is it done?')) {
        asked.push(prompt);
        return { text: asked.length > 1 ? '{"ok": true}' : '{"ok": false, "reason": "Not yet."}' };
      }
      heard.push(newestText(request));
      return { text: `Reply ${heard.length}.` };
    },
  });
  const { stdout, stderr } = await place.call(['-p', 'go', '--mcp-config', 'servers.json'], {
    api,
  });
  const event = (reply: string) =>
    expect.stringMatching(
      new RegExp(`^Is it done\\? {"session_id":.*"hook_event_name":"Stop".*"${reply}"`),
    ) as unknown;
  expect([stdout, stderr, heard, asked]).toEqual([
    'Reply 2.\n',
    '',
    [
      'go\nThe hook all:echo adds: Echo: <go>',
      'Stop hook feedback:\nThe hook Is it done? $ARGUMENTS objects: Not yet.',
    ],
    [event('Reply 1.'), event('Reply 2.')],
  ]);
});
