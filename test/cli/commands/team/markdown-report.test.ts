import { expect, it } from 'vitest';
import { toMarkdown } from '../../../../src/cli/commands/team/markdown-report.js';

it('a report is Markdown, whatever tasks have put out', () => {
  const task = { attempts: 1, tokens: 0, costUsd: 0, calls: 0, taskIds: [] };
  const text = toMarkdown({
    team: 'a <b>',
    file: 'team.yaml',
    status: 'failed',
    why: 'one\nfailed',
    sessionId: 's',
    workflowId: 'w',
    startedAt: '2030-01-01T00:00:00.000Z',
    durationMs: 61_000,
    inputs: { base: 'x|y' },
    tokens: 1_200,
    calls: 3,
    tasks: [
      {
        ...task,
        name: 'ask',
        by: 'agent a',
        status: 'done',
        calls: 3,
        tokens: 1_200,
        costUsd: 0.5,
        durationMs: 900,
        output: '```\n# x\n```',
        worktrees: [{ path: '/w/a_1', branch: 'troupe/a', why: 'there are changes' }],
      },
      { ...task, name: 'old', by: 'tool T', status: 'done', attempts: 0, output: ['a', null] },
      { ...task, name: 'bad', by: 'b', status: 'failed', why: 'no' },
    ],
    decisions: ['2 tool calls allowed by rules and modes'],
    journal: '/j',
  });
  expect(text).toBe(String.raw`# a \<b\>: failed

one failed

- file: team.yaml
- session: s
- started: 2030-01-01T00:00:00.000Z, took 61.0 s
- used: 3 model calls, 1200 tokens, cost unknown
- input base: x\|y

| task | by | status | tries | time | tokens | cost |
| --- | --- | --- | --- | --- | --- | --- |
| ask | agent a | done | 1 | 0.9 s | 1200 | $0.5000 |
| old | tool T | done before | 0 |  |  |  |
| bad | b | failed | 1 |  |  |  |

## ask

${'````'}
${'```'}
# x
${'```'}
${'````'}

Its git worktree is kept, because there are changes: /w/a\_1, branch troupe/a.

## old

${'```'}
["a",null]
${'```'}

## bad

${'```'}
no
${'```'}

## Decisions

- 2 tool calls allowed by rules and modes

The journal: /j
`);
});
