import { expect, it } from 'vitest';
import type { TeamReport } from '../../../../src/cli/commands/team/team-report.js';
import { toTerminalReport } from '../../../../src/cli/commands/team/terminal-report.js';
import { fakeOutput } from '../../../support/outputs.js';

const task = { attempts: 1, tokens: 0, costUsd: 0, calls: 0, taskIds: [] };
const report: TeamReport = {
  team: 'check_all',
  file: 'team.yaml',
  status: 'failed',
  why: '1 of 4 tasks failed. "test": two tests fail',
  sessionId: 's',
  workflowId: 'w',
  startedAt: '2030-01-01T00:00:00.000Z',
  durationMs: 61_000,
  inputs: { base: 'x|y' },
  tokens: 1_200,
  costUsd: 0.5,
  calls: 3,
  tasks: [
    {
      ...task,
      name: 'review',
      by: 'agent worker',
      status: 'done',
      calls: 3,
      tokens: 1_200,
      costUsd: 0.5,
      durationMs: 900,
      output: '# One finding\n\nThe name `a_b` says nothing.\n',
      worktrees: [{ path: '/w/a_1', branch: 'troupe/a', why: 'there are changes' }],
    },
    { ...task, name: 'old', by: 'tool Read', status: 'done', attempts: 0, output: '' },
    {
      ...task,
      name: 'test',
      by: 'npm test -- --reporter=verbose --bail 1 test/a.test.ts',
      status: 'failed',
      attempts: 2,
      durationMs: 2_000,
      why: 'two tests fail\nExit code 1',
    },
    { ...task, name: 'ship', by: 'make ship', status: 'skipped', why: '"test" has failed' },
  ],
  decisions: ['2 tool calls allowed by rules and modes'],
  journal: '/j',
};

/** The screen of a terminal of this width. */
async function shown(columns: number, of: TeamReport): Promise<readonly string[]> {
  const { writer, text } = fakeOutput({ columns });
  for (const line of toTerminalReport(of, columns)) await writer.text(line);
  return text().split('\n');
}

it('a report at a narrow terminal says of each task how it ended, what it cost, and why it failed', async () => {
  expect(await shown(40, report)).toEqual([
    '',
    'check_all: failed after 61.0 s, used 3',
    '  model calls, 1200 tokens, $0.5000',
    '  1 of 4 tasks failed.',
    '  input base: x|y',
    '',
    '✓ review: done in 0.9 s, 1200 tokens,',
    '  $0.5000',
    '  agent worker',
    '    # One finding',
    '',
    '    The name `a_b` says nothing.',
    '    Its git worktree is kept, because',
    '      there are changes: /w/a_1, branch',
    '      troupe/a.',
    '',
    '✓ old: done in an earlier run',
    '  tool Read',
    '',
    '✗ test: failed after 2.0 s, 2 tries',
    '  npm test -- --reporter=verbose --bail…',
    '    two tests fail',
    '    Exit code 1',
    '',
    '– ship: skipped: "test" has failed',
    '  make ship',
    '',
    'Decisions',
    '  2 tool calls allowed by rules and',
    '    modes',
    '',
    'Session s',
    'Journal /j',
    '',
  ]);
});

it('a long output is cut, and the report names the place of the whole one', async () => {
  const output = 'x '.repeat(2_000);
  const lines = await shown(80, {
    ...report,
    tasks: [{ ...task, name: 'a', by: 'b', status: 'done', output }],
  });
  expect(lines.find((line) => line.includes('…'))).toBe(
    '    … The whole output: --report FILE.json',
  );
  expect(lines.filter((line) => line.includes('x x')).join(' ').length).toBeLessThan(2_500);
});

it('a team that was stopped says why in full, and which task was interrupted', async () => {
  const lines = await shown(80, {
    ...report,
    status: 'killed',
    why: 'stopped: interrupted (SIGINT)',
    inputs: {},
    tasks: [
      { ...task, name: 'a', by: 'b', status: 'interrupted', durationMs: 1_500, why: 'not needed' },
      { ...task, name: 'c', by: 'd', status: 'interrupted', why: 'interrupted (SIGINT)' },
    ],
  });
  expect(lines.slice(0, 10)).toEqual([
    '',
    'check_all: killed after 61.0 s, used 3 model calls, 1200 tokens, $0.5000',
    '  stopped: interrupted (SIGINT)',
    '',
    '– a: interrupted after 1.5 s',
    '  b',
    '    not needed',
    '',
    '– c: interrupted',
    '  d',
  ]);
});

it('what a model or an input has written begins no line of the report', async () => {
  const forged = '\n\n✓ deploy: done in 1.0 s';
  const lines = await shown(80, {
    ...report,
    why: 'stopped',
    inputs: { base: `x${forged}` },
    tasks: [{ ...task, name: 'a', by: `b${forged}`, status: 'skipped', why: `c${forged}` }],
    decisions: [`worker: Bash ls${forged}: denied by the rule Bash`, '  path: d'],
  });
  expect(lines).toEqual([
    '',
    'check_all: failed after 61.0 s, used 3 model calls, 1200 tokens, $0.5000',
    '  stopped',
    '  input base: x ✓ deploy: done in 1.0 s',
    '',
    '– a: skipped: c ✓ deploy: done in 1.0 s',
    '  b ✓ deploy: done in 1.0 s',
    '',
    'Decisions',
    '  worker: Bash ls ✓ deploy: done in 1.0 s: denied by the rule Bash',
    '    path: d',
    '',
    'Session s',
    'Journal /j',
    '',
  ]);
});
