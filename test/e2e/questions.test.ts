import { describe, expect, it } from 'vitest';
import { bash, newestText, results, textOf, write } from './support/answers.js';
import { createPlace } from './support/place.js';
import { ASKS, reply, say } from './support/stream-client.js';
import type { Line } from './support/troupe-process.js';

const QUESTIONS = [
  {
    question: 'Which one?',
    header: 'Manager',
    options: [
      { label: 'npm', description: 'comes with Node' },
      { label: 'pnpm', description: 'saves space' },
    ],
    multiSelect: false,
  },
];

const asksFor =
  (tool: string) =>
  (line: Line): boolean =>
    line.type === 'control_request' &&
    (line['request'] as { tool_name?: string }).tool_name === tool;

describe.concurrent('a question over stdio', () => {
  it('goes out as a use of AskUserQuestion, and comes back with its answers', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }] },
        { text: 'Done.' },
      ],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const ask = await troupe.line('the question', asksFor('AskUserQuestion'));
    expect(ask['request']).toMatchObject({ input: { questions: QUESTIONS } });
    const updatedInput = { questions: QUESTIONS, answers: { 'Which one?': 'pnpm' } };
    troupe.send(reply(ask, { behavior: 'allow', updatedInput }));
    troupe.endInput();
    expect((await troupe.ended).code).toBe(0);
    expect(newestText(api.requests[1])).toBe('The user has answered:\nWhich one? → pnpm');
    expect(api.problems).toEqual([]);
  });

  it('is an error for the model if nobody is attached', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }] },
        { text: 'I assumed npm.' },
      ],
    });
    const { code, stdout } = await place.call(['-p', 'go'], { api, input: '' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'I assumed npm.\n' });
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({
        is_error: true,
        content: expect.stringContaining('Nobody is there who could answer.'),
      }),
    ]);
  });
});

describe.concurrent('a plan over stdio', () => {
  it('is refused with a word, presented again, approved, and carried out', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const plan = (text: string) => ({ name: 'ExitPlanMode', input: { plan: text } });
    const api = await place.api({
      replies: [
        { tools: [plan('1. Write it.')] },
        { tools: [write(place.at('early.txt'), 'x')] },
        { tools: [plan('1. Test it.\n2. Write it.')] },
        { tools: [write(place.at('late.txt'), 'x')] },
        { text: 'Done.' },
      ],
    });
    const troupe = place.start([...ASKS, '--permission-mode', 'plan'], { api, input: 'open' });
    troupe.send(say('go'));
    const first = await troupe.line('the plan', asksFor('ExitPlanMode'));
    troupe.send(reply(first, { behavior: 'deny', message: 'tests first' }));
    const second = await troupe.line(
      'the second plan',
      (line) => asksFor('ExitPlanMode')(line) && JSON.stringify(line).includes('Test it'),
    );
    const updatedPermissions = (second['request'] as { permission_suggestions: unknown })
      .permission_suggestions;
    troupe.send(reply(second, { behavior: 'allow', updatedPermissions }));
    troupe.endInput();
    expect((await troupe.ended).code).toBe(0);
    expect(textOf(results(api.requests[1])[0]?.content)).toContain('The user said: tests first');
    expect(textOf(results(api.requests[2])[0]?.content)).toContain('in plan mode');
    expect(textOf(results(api.requests[3])[0]?.content)).toContain('the mode is acceptEdits');
    expect(await place.files()).toEqual(['late.txt']);
    expect(api.problems).toEqual([]);
  });
});

describe.concurrent('a background command', () => {
  it('is read with BashOutput and ended with KillShell', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    let shell = '';
    const api = await place.api({
      handler: (request) => {
        shell ||= /runs in the background as (b\w{8})/.exec(newestText(request))?.[1] ?? '';
        const look = { name: 'BashOutput', input: { bash_id: shell, filter: '(o+)+$' } };
        const kill = { name: 'KillShell', input: { shell_id: shell } };
        const turn = request.body.messages.filter(({ role }) => role === 'assistant').length;
        if (turn === 0)
          return { tools: [bash('echo oo; echo no!; sleep 1000', { run_in_background: true })] };
        if (newestText(request).includes('(nothing new)') || turn === 1) return { tools: [look] };
        return newestText(request).includes('New output') ? { tools: [kill] } : { text: 'Done.' };
      },
    });
    const { code } = await place.call(['-p', 'go', '--allowedTools', 'Bash'], { api, input: '' });
    expect(code).toBe(0);
    const told = api.requests.map(newestText).join('\n');
    expect(told).toContain('New output:\noo\n');
    expect(told).not.toContain('no!\n');
    expect(told).toContain(`Stopped ${shell} (echo oo; echo no!; sleep 1000)`);
    expect(api.problems).toEqual([]);
  });
});
