import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, newestText, textOf } from './support/answers.js';
import type { Place } from './support/place.js';
import { hook, placeWith, saying } from './support/user-hooks.js';

/** A command that appends fields of its input to a file, one line a run. */
function noting(...fields: readonly string[]): string {
  const line = fields.map((field) => `e.${field}`).join('+" "+');
  return `node -e 'const e=JSON.parse(require("fs").readFileSync(0,"utf8"));require("fs").appendFileSync("noted",${line}+"\\n")'`;
}

const noted = async (place: Place): Promise<readonly string[]> =>
  place.has('noted') ? (await place.text('noted')).trim().split('\n') : [];

const blocks = ({ body }: FakeRequest): readonly string[] => {
  const content = body.messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? [content] : content.map((one) => textOf(one['text']));
};

/** The texts of the first message. */
const firstMessages = (request: FakeRequest | undefined): unknown =>
  [request?.body.messages[0]?.content]
    .flat()
    .map((block) => textOf((block as { text?: unknown }).text));

describe.concurrent('UserPromptSubmit hooks', () => {
  it('add a text behind the prompt, from plain stdout or JSON', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, {
      UserPromptSubmit: [
        hook('echo Sprint 7.'),
        hook(
          saying({
            hookSpecificOutput: {
              hookEventName: 'UserPromptSubmit',
              additionalContext: 'Be brief.',
            },
          }),
        ),
        hook(noting('hook_event_name', 'prompt')),
      ],
    });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const { code, stdout, stderr } = await place.call(['-p', 'go'], { api });
    expect({ code, stdout, stderr, noted: await noted(place) }).toEqual({
      code: 0,
      stdout: 'Done.\n',
      stderr: '',
      noted: ['UserPromptSubmit go'],
    });
    expect(api.requests.map(blocks)).toEqual([
      ['go', 'The hook echo Sprint 7. adds: Sprint 7.', expect.stringMatching(/adds: Be brief\.$/)],
    ]);
  });

  it('block a prompt: no request is made, and the reason is the result', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      UserPromptSubmit: [
        hook('grep -q secret && { echo "It holds a secret." >&2; exit 2; }; true'),
      ],
    });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const first = await place.call(['-p', 'my secret', '--output-format', 'json'], { api });
    expect([first.code, JSON.parse(first.stdout)]).toEqual([
      0,
      expect.objectContaining({
        subtype: 'success',
        result: expect.stringMatching(/^The hook grep .* objects: It holds a secret\.$/),
      }),
    ]);
    expect(api.requests).toEqual([]);
    const second = await place.call(['-p', 'more', '--continue'], { api });
    expect([second.stdout, JSON.stringify(api.requests[0]?.body.messages)]).toEqual([
      'Done.\n',
      expect.not.stringContaining('my secret'),
    ]);
  });
});

describe.concurrent('Stop hooks', () => {
  it('keep the agent working with their reason until they agree', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, {
      Stop: [
        hook('[ -e tested ] || { touch tested; echo "Run the tests." >&2; exit 2; }'),
        hook(noting('stop_hook_active', 'last_assistant_message')),
      ],
    });
    const api = await place.api({ replies: [{ text: 'First.' }, { text: 'Second.' }] });
    const { stdout } = await place.call(['-p', 'go'], { api });
    expect({ stdout, noted: await noted(place) }).toEqual({
      stdout: 'Second.\n',
      noted: ['false First.', 'true Second.'],
    });
    expect(newestText(api.requests[1])).toMatch(
      /^Stop hook feedback:\nThe hook .* objects: Run the tests\.$/,
    );
  });

  it('end after 8 blocks in a row, and stderr says so', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, { Stop: [hook('exit 2')] });
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    expect([code, api.requests.length, stderr]).toEqual([
      0,
      9,
      expect.stringContaining('it has kept the agent working 8 times in a row, so the turn ends'),
    ]);
  });

  it('of sub-agents are SubagentStop, and SubagentStart adds to their first prompt', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      Stop: [hook(noting('hook_event_name'))],
      SubagentStart: [
        { matcher: 'general-purpose', hooks: [hook('echo Mind the style.')] },
        { matcher: 'Explore', hooks: [hook('touch wrong')] },
      ],
      SubagentStop: [hook(noting('hook_event_name', 'agent_type', 'last_assistant_message'))],
    });
    const seen: string[] = [];
    const api = await place.api({
      handler: (request) => {
        const text = newestText(request);
        seen.push(text);
        if (text === 'go') return { tools: [agent('Look.')] };
        return { text: text.startsWith('The hook') ? 'Looked.' : 'Done.' };
      },
    });
    await place.call(['-p', 'go'], { api });
    expect([seen[1], await noted(place), place.has('wrong')]).toEqual([
      'The hook echo Mind the style. adds: Mind the style.\nLook.',
      ['SubagentStop general-purpose Looked.', 'Stop'],
      false,
    ]);
  });
});

describe.concurrent('SessionStart hooks', () => {
  it('add their text in front of the first prompt, at the start and at a resume', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      SessionStart: [
        { matcher: 'startup', hooks: [hook('echo Branch main.')] },
        { matcher: 'resume', hooks: [hook('echo Branch fix.')] },
        { hooks: [hook(noting('source', 'hook_event_name'))] },
      ],
    });
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    await place.call(['-p', 'go'], { api });
    await place.call(['-p', 'more', '--continue'], { api });
    expect(api.requests.map(blocks)).toEqual([
      ['The hook echo Branch main. adds: Branch main.', 'go'],
      ['The hook echo Branch fix. adds: Branch fix.', 'more'],
    ]);
    expect(firstMessages(api.requests[1])).toEqual(firstMessages(api.requests[0]));
    expect(await noted(place)).toEqual(['startup SessionStart', 'resume SessionStart']);
  });
});

describe('a hook that has ended', () => {
  it('does not run again after a kill -9 before its effect', async ({ onTestFinished }) => {
    const place = await placeWith(onTestFinished, {
      UserPromptSubmit: [
        hook(
          `read -r line; case "$line" in *two*) ${'echo two >>noted; sleep 600'};; *) echo one >>noted; read -r x <go;; esac`,
        ),
      ],
    });
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    await promisify(execFile)('mkfifo', [place.at('go')]);
    const lines = ['one', 'two'].map((text) =>
      JSON.stringify({ type: 'user', message: { role: 'user', content: text } }),
    );
    const killed = place.start(
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      { api, input: `${lines.join('\n')}\n` },
    );
    const waits = { timeout: 10_000, interval: 10 };
    const accepted = async () => (await journalText(place)).split('"mail.accepted"').length - 1;
    await expect.poll(accepted, waits).toBe(2);
    await writeFile(place.at('go'), 'on\n');
    await expect.poll(() => noted(place), waits).toEqual(['one', 'two']);
    killed.killGroup('SIGKILL');
    await killed.ended;
    await place.write({ noted: '' });
    const resumed = place.start(['-p', 'three', '--continue'], { api });
    await expect.poll(() => noted(place), waits).toEqual(['two']);
    resumed.killGroup('SIGKILL');
  });
});

async function journalText(place: Place): Promise<string> {
  try {
    const folder = await place.session();
    const names = (await readdir(folder)).filter((name) => name.startsWith('agent-'));
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
  } catch {
    return ''; // not begun yet
  }
}
