import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { agent, answer, bash, requestsOf, results, textOf } from './support/answers.js';
import type { Place } from './support/place.js';
import { hook, placeWith, saying } from './support/user-hooks.js';

const decision = (permissionDecision: string, more: object = {}): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
});

/** A place whose hook of every Bash call prints what the file `decision` has, and notes the ID of the call. */
async function placeDeciding(onTestFinished: TestContext['onTestFinished'], others: object[] = []) {
  const noting = `node -e 'console.log(JSON.parse(require("fs").readFileSync(0, "utf8")).tool_use_id)' >> noted; cat decision`;
  const place = await placeWith(onTestFinished, {
    PreToolUse: [{ matcher: 'Bash', hooks: [hook(noting), ...others] }],
  });
  await decide(place, decision('defer'));
  return place;
}

function decide(place: Place, output: object): Promise<void> {
  return place.write({ decision: JSON.stringify(output) });
}

const JSON_OUTPUT = ['--output-format', 'json'];
const ALLOW = ['--allowedTools', 'Bash'];
const ONE = bash('echo ran >> trace');

/** The fields of a result that a deferred call sets. */
function resultOf(stdout: string) {
  const { subtype, is_error, result, stop_reason, terminal_reason, deferred_tool_use } = JSON.parse(
    stdout,
  ) as Record<string, unknown>;
  return { subtype, is_error, result, stop_reason, terminal_reason, deferred_tool_use };
}

const DEFERRED = {
  subtype: 'success',
  is_error: false,
  result: '',
  stop_reason: 'tool_deferred',
  terminal_reason: 'tool_deferred',
  deferred_tool_use: {
    id: 'toolu_fake_0_0',
    name: 'Bash',
    input: { command: 'echo ran >> trace' },
  },
};

describe.concurrent('a call that a PreToolUse hook defers', () => {
  it('ends the run; a resume runs the hooks again for the same call, without a model request', async ({
    onTestFinished,
  }) => {
    const place = await placeDeciding(onTestFinished);
    const api = await place.api({ handler: answer({ go: [{ tools: [ONE] }, { text: 'Done.' }] }) });
    const first = await place.call(['-p', 'go', ...ALLOW, ...JSON_OUTPUT], { api });
    expect({ ...first, stdout: resultOf(first.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: DEFERRED,
    });
    const resume = ['-p', '--resume', basename(await place.session()), ...ALLOW, ...JSON_OUTPUT];
    const again = await place.call(resume, { api });
    expect({ code: again.code, result: resultOf(again.stdout) }).toEqual({
      code: 0,
      result: DEFERRED,
    });
    expect(api.requests).toHaveLength(1);
    expect(place.has('trace')).toBe(false);
    await decide(place, decision('allow', { updatedInput: { command: 'echo other >> trace' } }));
    const last = await place.call(resume, { api });
    expect({ code: last.code, result: resultOf(last.stdout) }).toMatchObject({
      code: 0,
      result: { subtype: 'success', result: 'Done.', stop_reason: 'end_turn' },
    });
    expect(await place.text('trace')).toBe('other\n');
    expect(await place.text('noted')).toBe('toolu_fake_0_0\n'.repeat(3));
    expect(requestsOf(api, 'go')).toHaveLength(2);
    expect(results(api.requests[1]).map(({ tool_use_id }) => tool_use_id)).toEqual([
      'toolu_fake_0_0',
    ]);
    const over = await place.call(resume, { api });
    expect({ code: over.code, stderr: over.stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /There is no prompt\. The last turn of the session \S+ has ended\./,
      ),
    });
  });

  it('is denied, or asked for, on a resume with a prompt, which comes with its result', async ({
    onTestFinished,
  }) => {
    for (const [then, text] of [
      [decision('deny', { permissionDecisionReason: 'Not today.' }), 'Not today.'],
      [decision('ask'), 'nobody is there to approve it'],
    ] as const) {
      const place = await placeDeciding(onTestFinished);
      const api = await place.api({
        handler: answer({ go: [{ tools: [ONE] }, { text: 'Done.' }] }),
      });
      const first = await place.call(['-p', 'go', ...ALLOW], { api });
      const id = basename(await place.session());
      expect(first).toMatchObject({
        code: 0,
        stdout: '',
        stderr: `troupe: A hook deferred a tool call, Bash: echo ran >> trace. To continue with it: troupe -p --resume ${id}\n`,
      });
      await decide(place, then);
      const { code, stdout } = await place.call(['-p', '--resume', id, 'now?', ...ALLOW], { api });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
      const newest = api.requests.at(-1)?.body.messages.at(-1)?.content;
      expect(textOf(results(api.requests.at(-1))[0]?.content)).toContain(text);
      expect(newest).toContainEqual(expect.objectContaining({ type: 'text', text: 'now?' }));
      expect(api.requests).toHaveLength(2);
      expect(place.has('trace')).toBe(false);
    }
  });

  it('stays with the strictest of several hooks: one that denies comes before, one that asks or allows after', async ({
    onTestFinished,
  }) => {
    for (const [other, wanted] of [
      [decision('allow'), 'tool_deferred'],
      [decision('ask'), 'tool_deferred'],
      [{ decision: 'block', reason: 'No.' }, 'end_turn'],
    ] as const) {
      const place = await placeDeciding(onTestFinished, [hook(saying(other))]);
      const api = await place.api({
        handler: answer({ go: [{ tools: [ONE] }, { text: 'Done.' }] }),
      });
      const { stdout } = await place.call(['-p', 'go', ...ALLOW, ...JSON_OUTPUT], { api });
      expect(resultOf(stdout).stop_reason).toBe(wanted);
      expect(place.has('trace')).toBe(false);
    }
  });

  it('is not deferred beside another call, and becomes a request in a sub-agent, each with a warning', async ({
    onTestFinished,
  }) => {
    const place = await placeDeciding(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [ONE, bash('true')] }, { tools: [agent('Look.')] }, { text: 'Done.' }],
        'Look.': [{ tools: [bash('echo below >> trace')] }, { text: 'Looked.' }],
      }),
    });
    const { code, stdout, stderr } = await place.call(['-p', 'go', ...ALLOW], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(await place.text('trace')).toBe('ran\n');
    expect(stderr.match(/"defer" has no effect on one of 2 calls of a reply/g)).toHaveLength(2);
    expect(stderr).toContain(
      'only calls of the main agent can be deferred: "defer" counts as "ask"',
    );
  });

  it('of AskUserQuestion runs with the answers that the hook gives in the resumed session', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [{ matcher: 'AskUserQuestion', hooks: [hook('cat decision')] }],
    });
    await decide(place, decision('defer'));
    const [red, blue] = ['Red', 'Blue'].map((label) => ({ label, description: `${label}.` }));
    const questions = [
      { question: 'Which?', header: 'Colour', options: [red, blue], multiSelect: false },
    ];
    const input = { questions };
    const api = await place.api({
      handler: answer({ go: [{ tools: [{ name: 'AskUserQuestion', input }] }, { text: 'Done.' }] }),
    });
    const first = await place.call(['-p', 'go', ...JSON_OUTPUT], { api });
    expect(resultOf(first.stdout).deferred_tool_use).toEqual({
      id: 'toolu_fake_0_0',
      name: 'AskUserQuestion',
      input,
    });
    await decide(
      place,
      decision('allow', { updatedInput: { questions, answers: { 'Which?': 'Blue' } } }),
    );
    const { code, stdout } = await place.call(['-p', '--continue'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(textOf(results(api.requests[1])[0]?.content)).toContain('Blue');
  });

  it('of a server that is not there in the resumed session ends the run with an error', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PreToolUse: [{ matcher: 'mcp__.*', hooks: [hook(saying(decision('defer')))] }],
    });
    const server = fileURLToPath(new URL('../support/mcp/fixture-server.mjs', import.meta.url));
    const config = JSON.stringify({
      mcpServers: { it: { command: process.execPath, args: [server] } },
    });
    const name = 'mcp__it__echo';
    const input = { text: 'x' };
    const api = await place.api({
      handler: answer({ go: [{ tools: [{ name, input }] }, { text: 'Done.' }] }),
    });
    const first = await place.call(['-p', 'go', '--mcp-config', config, ...JSON_OUTPUT], { api });
    expect(resultOf(first.stdout).stop_reason).toBe('tool_deferred');
    const { code, stdout } = await place.call(['-p', '--continue', ...JSON_OUTPUT], { api });
    const message = JSON.parse(stdout) as Record<string, unknown>;
    expect({ code, ...resultOf(stdout), errors: message['errors'] }).toEqual({
      code: 1,
      subtype: 'error_during_execution',
      is_error: true,
      stop_reason: 'tool_deferred_unavailable',
      terminal_reason: 'tool_deferred_unavailable',
      deferred_tool_use: { id: 'toolu_fake_0_0', name, input },
      errors: [expect.stringContaining('there is no tool "mcp__it__echo" now')],
    });
    const again = await place.call(['-p', '--continue', '--mcp-config', config, ...JSON_OUTPUT], {
      api,
    });
    expect(resultOf(again.stdout).stop_reason).toBe('tool_deferred');
    expect(api.requests).toHaveLength(1);
  });
});
