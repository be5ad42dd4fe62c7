import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, bash, newestText, write } from './support/answers.js';
import type { Place } from './support/place.js';
import { hook, placeWith, saying } from './support/user-hooks.js';

const ALLOW = ['--allowedTools', 'Bash', 'Write'];

/** Play one reply with these uses, and return what the model reads after it. */
async function readAfter(
  place: Place,
  tools: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[],
  args = ALLOW,
) {
  const read: string[] = [];
  const api = await place.api({
    handler: answer({
      go: [
        { tools: [...tools] },
        (request) => {
          read.push(newestText(request));
          return { text: 'Done.' };
        },
      ],
    }),
  });
  const ended = await place.call(['-p', 'go', ...args], { api });
  return { ...ended, read: read[0], requests: api.requests.length };
}

describe.concurrent('hooks after a tool call', () => {
  it('run a formatter on the file that was written', async ({ onTestFinished }) => {
    const formats = `node -e 'const e=JSON.parse(require("fs").readFileSync(0,"utf8"));require("fs").appendFileSync(e.tool_input.file_path,"// formatted")'`;
    const place = await placeWith(onTestFinished, {
      PostToolUse: [{ matcher: 'Write|Edit', hooks: [hook(formats)] }],
    });
    const { code, stderr } = await readAfter(place, [write(join(place.cwd, 'a.js'), 'a\n')]);
    expect({ code, stderr, text: await place.text('a.js') }).toEqual({
      code: 0,
      stderr: '',
      text: 'a\n// formatted',
    });
  });

  it('give the model their objection and their context, behind the result', async ({
    onTestFinished,
  }) => {
    const adds = saying({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Run the tests.' },
    });
    const place = await placeWith(onTestFinished, {
      PostToolUse: [hook('echo "Lint fails." >&2; exit 2'), hook(adds)],
    });
    const { read } = await readAfter(place, [bash('echo built')]);
    expect(read?.split('\n')).toEqual([
      'built',
      'The hook echo "Lint fails." >&2; exit 2 objects: Lint fails.',
      expect.stringMatching(/^The hook echo .* adds: Run the tests\.$/),
    ]);
  });

  it('replace what the model reads by a text, or by fields of the output', async ({
    onTestFinished,
  }) => {
    const by = (updatedToolOutput: unknown, rule: string) =>
      hook(saying({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }), {
        if: rule,
      });
    const place = await placeWith(onTestFinished, {
      PostToolUse: [
        by('[redacted]', 'Bash(echo one)'),
        by({ stdout: 'less', stderr: '', interrupted: false, isImage: false }, 'Bash(echo two)'),
        by({ file: { content: 'x' } }, 'Bash(echo three)'),
      ],
    });
    const { read, stderr } = await readAfter(
      place,
      ['one', 'two', 'three'].map((n) => bash(`echo ${n}`)),
    );
    expect([stderr, ...(read ?? '').split('\n')]).toEqual([
      '',
      '[redacted]',
      'less',
      expect.stringMatching(
        /^Bash ran, and the hook .* replaced its result by one that cannot be used: the output of Bash has no field "file"\./,
      ),
    ]);
  });

  it('end the turn, and their words stay in the conversation after a resume', async ({
    onTestFinished,
  }) => {
    const place = await placeWith(onTestFinished, {
      PostToolUse: [hook(saying({ continue: false, stopReason: 'Enough.' }))],
    });
    const api = await place.api({ replies: [{ tools: [bash('echo hi')] }, { text: 'Resumed.' }] });
    const first = await place.call(['-p', 'go', '--output-format', 'json', ...ALLOW], { api });
    expect([first.code, api.requests.length]).toEqual([0, 1]);
    expect(JSON.parse(first.stdout)).toMatchObject({ terminal_reason: 'hook_stopped' });
    expect(first.stderr).toContain('(PostToolUse of Bash) says: it ended the turn: Enough.');
    const second = await place.call(['-p', 'more', '--continue', ...ALLOW], { api });
    expect(second.stdout).toBe('Resumed.\n');
    const result = JSON.stringify(api.requests[1]?.body.messages);
    expect(result).toContain('ended the turn: Enough.');
  });

  it('see a failed call as PostToolUseFailure only', async ({ onTestFinished }) => {
    const tells = `node -e 'const e=JSON.parse(require("fs").readFileSync(0,"utf8"));console.error(e.hook_event_name+" "+e.tool_name+" "+e.error+" "+e.is_interrupt);process.exit(2)'`;
    const place = await placeWith(onTestFinished, {
      PostToolUse: [hook('touch succeeded')],
      PostToolUseFailure: [{ matcher: 'Bash', hooks: [hook(tells)] }],
    });
    const { read } = await readAfter(place, [bash('exit 3')]);
    expect(read).toContain('objects: PostToolUseFailure Bash Exit code 3 false');
    expect(await place.files()).toEqual([]);
  });
});
