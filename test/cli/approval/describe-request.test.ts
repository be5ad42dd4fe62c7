import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choicesOf } from '../../../src/cli/approval/choices.js';
import { describeRequest, type ShownChange } from '../../../src/cli/approval/describe-request.js';
import { whoAsks } from '../../../src/cli/approval/who-asks.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import { requestLines } from '../../../src/cli/approval/request-lines.js';
import { loadTextWidth } from '../../../src/cli/output/text-width.js';
import { requestFor, requestOf } from '../../support/requests.js';

const text = await loadTextWidth();

/** The lines of a request on a screen. */
function screen(
  request: PermissionRequest,
  {
    columns = 80,
    isUnfolded = false,
    change,
  }: {
    readonly columns?: number;
    readonly isUnfolded?: boolean;
    readonly change?: ShownChange;
  } = {},
): readonly string[] {
  const shown = describeRequest(request, whoAsks(request.agent), change);
  const choices = choicesOf(request, undefined);
  return requestLines(shown, choices, { columns, text, isUnfolded }).lines.map((line) => line.text);
}

describe('a request on the screen', () => {
  it('has who asks, the exact command with every option, why, and the choices', () => {
    const request = requestFor('Bash', {
      command: 'make test',
      timeout: 5_000,
      run_in_background: true,
      dangerouslyDisableSandbox: true,
    });
    expect(screen(request)).toEqual([
      '',
      'ada (worker, repair split.js) asks to use Bash:',
      '    make test',
      '    timeout: 5000',
      '    run_in_background: true',
      '    dangerouslyDisableSandbox: true',
      '  No rule allows it.',
      '  Bash: make test · ada (worker, repair split.js)',
      '  1 allow once',
      '  2 no (2 and a reason tells the agent why)',
    ]);
  });

  it('has every file of a MultiEdit right above the choices, whatever its description says', () => {
    const change = { old_string: 'a', new_string: 'b' };
    const edits = [change, { ...change, file_path: 'b.ts' }, change];
    const request = requestFor('MultiEdit', { description: 'Tidies up', file_path: 'a.ts', edits });
    expect(screen(request)).toContain('  MultiEdit: a.ts, b.ts · ada (worker, repair split.js)');
  });

  it('has the facts that the input does not show, in a margin that no input has', () => {
    const details = { Mode: 'plan', 'Says of itself': `reads${' '.repeat(30)}1 allow once` };
    const request = requestFor('Agent', { prompt: 'Look.', Mode: 'auto' }, { details });
    expect(screen(request, { columns: 30 }).slice(4)).toEqual([
      '    prompt: Look.',
      '    Mode: auto',
      '  Mode: plan',
      '  Says of itself: reads 1',
      '    allow once',
      '  No rule allows it.',
      '  Agent: Look. · ada (worker,…',
      '  1 allow once',
      '  2 no (2 and a reason tells',
      '    the agent why)',
    ]);
  });

  it('has every argument of any other tool', () => {
    const input = {
      path: 'n.txt',
      content: 'rm -rf ~\n# and more',
      mode: '5',
      count: 5,
      options: { force: true },
      empty: '',
    };
    expect(screen(requestFor('mcp__files__write_file', input)).slice(2, -3)).toEqual([
      '    path: n.txt',
      '    content:',
      '    │ rm -rf ~',
      '    │ # and more',
      '    mode: "5"',
      '    count: 5',
      '    options:',
      '    │ {',
      '    │   "force": true',
      '    │ }',
      '    empty: ""',
      '  No rule allows it.',
    ]);
  });

  it('begins the reason with a capital letter, without the input that a tool of a server has as its description', () => {
    const input = { name: 'HOME' };
    const description = JSON.stringify(input);
    const reasonOf = (message: string) =>
      screen(requestFor('mcp__vault__get', input, { description, message })).at(-4);
    expect(reasonOf(`${description}: No rule allows it.`)).toBe('  No rule allows it.');
    expect(reasonOf('mcp__vault__get: the rule mcp__vault asks for it.')).toBe(
      '  The rule mcp__vault asks for it.',
    );
  });

  it('has a diff in the place of the fields that it shows', () => {
    const change: ShownChange = {
      what: 'Changes this file:',
      diff: [
        { prefix: '    - ', text: 'a - b', style: 'removed' },
        { prefix: '    + ', text: 'a + b', style: 'added' },
      ],
      fields: ['old_string', 'new_string'],
    };
    const input = {
      file_path: 'a.js',
      old_string: 'a - b',
      new_string: 'a + b',
      replace_all: true,
    };
    expect(screen(requestFor('Edit', input), { change }).slice(2, -4)).toEqual([
      '    file_path: a.js',
      '    replace_all: true',
      '    Changes this file:',
      '    - a - b',
      '    + a + b',
    ]);
  });

  it('shows a plan whole', () => {
    const request = requestFor(
      'ExitPlanMode',
      { plan: '1. Look.\n2. Do\u001b[2K.' },
      { kind: 'plan', message: 'Approve this plan?' },
    );
    expect(screen(request)).toEqual([
      '',
      'ada (worker, repair split.js) has a plan:',
      '    │ 1. Look.',
      '    │ 2. Do\\u001b[2K.',
      '  Approve this plan?',
      '  Plan: 1. Look. … · ada (worker, repair split.js)',
      '  1 carry it out',
      '  2 keep planning (2 and a reason says what to change)',
    ]);
  });

  it('folds a long text, says how much is left out, and shows all of it when asked', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const request = requestFor('Put', { content: lines.join('\n') });
    const folded = screen(request);
    expect(folded).toContain('    … 64 lines …');
    expect(folded).toContain('    │ line 0');
    expect(folded).toContain('    │ line 99');
    expect(folded).toContain('  v show all lines');
    const whole = screen(request, { isUnfolded: true });
    for (const line of lines) expect(whole).toContain(`    │ ${line}`);
    expect(whole).not.toContain('  v show all lines');
  });

  it('repeats the tool and the beginning right above the choices, however long the rest is', () => {
    const lines = screen(requestOf(`rm -rf ~\n${'# harmless\n'.repeat(200)}`));
    const at = lines.indexOf('  1 allow once');
    expect(lines[at - 1]).toBe('  Bash: rm -rf ~ … · ada (worker, repair split.js)');
  });

  it('lets nothing of an input look like the frame', () => {
    const forged = '\nmain asks to use Bash:\n    ls\n  1 allow once\n';
    const asks = /^\S/;
    fc.assert(
      fc.property(
        fc.constantFrom('Bash', 'Write', 'mcp__x__y', 'Tool'),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 20, max: 120 }),
        (tool, fields, command, columns) => {
          const input = { ...fields, command: `${command}${forged}`, path: forged };
          const message = `${tool}: No rule allows "${forged}".`;
          const request = requestFor(tool, input, { message });
          const [, , ...lines] = screen(request, { columns });
          expect(lines.filter((line) => asks.test(line))).toEqual([]);
          expect(lines.filter((line) => line === '  1 allow once')).toHaveLength(1);
          expect(lines.join('')).not.toMatch(/\n|\p{Cc}/u);
        },
      ),
    );
  });

  it('fits every terminal, and stays whole', () => {
    for (const columns of [20, 40, 80])
      for (const line of screen(requestOf('make a-very-long-target-name and another'), { columns }))
        expect(text.of(line)).toBeLessThanOrEqual(columns);
  });
});

describe('who asks', () => {
  const id = requestOf('').agentId;

  it.each([
    [{ id, name: 'main', type: 'main', description: '' }, [], 'main'],
    [{ id, type: 'explore', description: 'look here' }, [], 'explore (look here)'],
    [{ id, type: 'tool', description: 'tests' }, [], 'tests (a tool step)'],
    [
      { id, name: 'ada', type: 'worker', description: 'repair' },
      ['plan'],
      'ada (worker, plan › repair)',
    ],
    [
      { id, name: 'a\nb', type: 'worker', description: '\u001b[2J' },
      [],
      'a b (worker, \\u001b[2J)',
    ],
  ])('is said on one line', (agent, way, said) => {
    expect(whoAsks(agent, way)).toBe(said);
  });
});
