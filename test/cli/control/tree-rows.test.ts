import { describe, expect, it } from 'vitest';
import type { ToldActor } from '../../../src/api/types.js';
import { toTreeTable } from '../../../src/cli/control/tree-rows.js';

const NOW = 1_800_000_000_000;

function actor(kind: string, label: string, more: Partial<ToldActor> = {}): ToldActor {
  const id = more.id ?? label;
  return {
    id,
    kind,
    label,
    state: 'running',
    since: NOW - 5_000,
    waitingFor: [],
    children: [],
    ...more,
  };
}

function used(tokens: number): Pick<ToldActor, 'usage'> {
  const usage = {
    input_tokens: tokens,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  return { usage: { usage, costUsd: 0.01 } };
}

/** Two agents: a command of the first runs, the second asks. */
const TREE = actor('orchestrator', 'orchestrator', {
  state: 'open',
  children: [
    actor('session', 'main', {
      id: 's12345678',
      state: 'running.active',
      waitingFor: ['the end of aaaaaaaa1', 'the end of aaaaaaaa2'],
      ...used(10_644),
      children: [
        actor('agent', 'main', {
          id: 'amain-0123456789abcdef',
          state: 'idle.waiting',
          waitingFor: ['2 sub-agents'],
        }),
        actor('local_agent', 'ada', {
          id: 'aaaaaaaa1',
          state: 'running.active',
          ...used(2_363),
          children: [
            actor('agent', 'ada', {
              id: 'aada-0123456789abcdef',
              state: 'acting',
              waitingFor: ['tool call toolu_aada-0123456789abcdef_3_0'],
              children: [
                actor('toolCall', 'Bash(node --test test/split.test.js)', {
                  id: 'toolu_aada-0123456789abcdef_3_0',
                  state: 'executing',
                  waitingFor: ['the end of b23456789'],
                }),
              ],
            }),
            actor('local_bash', 'Run the tests of split.js', {
              id: 'b23456789',
              waitingFor: ['the end of process 2846'],
              pid: 2846,
            }),
          ],
        }),
        actor('local_agent', 'ben', {
          id: 'aaaaaaaa2',
          state: 'running.active',
          ...used(2_467),
          children: [
            actor('agent', 'ben', {
              id: 'aben-0123456789abcdef',
              state: 'acting',
              waitingFor: ['tool call toolu_aben-0123456789abcdef_9_0'],
              children: [
                actor('toolCall', 'Bash(git push)', {
                  id: 'toolu_aben-0123456789abcdef_9_0',
                  state: 'deciding.asking',
                  waitingFor: ['a decision on toolu_aben-0123456789abcdef_9_0 by person'],
                }),
              ],
            }),
          ],
        }),
      ],
    }),
    actor('permissionRequest', 'toolu_aben-0123456789abcdef_9_0', {
      state: 'waiting',
      waitingFor: ['a decision by person'],
    }),
  ],
});

const table = (tree: ToldActor, width?: number): Promise<readonly string[]> => {
  const seen = { cwd: '/work/project', startedAt: NOW - 6_000, pid: 4321, tree };
  return toTreeTable([seen], { now: NOW, width });
};

describe('the table of troupe ps', () => {
  it('says who does what and waits for what, ids last; an agent and its tool calls are one line', async () => {
    expect(await table(TREE)).toEqual([
      'who                                 state    since  what it does                             tokens  cost     id',
      'troupe                              open     6s     in /work/project                                          pid 4321',
      '└─ main                             idle     5s     waits for 2 sub-agents                   10644   $0.0100  s12345678',
      '   ├─ ada                           acting   5s     Bash(node --test test/split.test.js)     2363    $0.0100  aaaaaaaa1',
      '   │  └─ Run the tests of split.js  running  5s     waits for the end of process 2846                         b23456789 (pid 2846)',
      '   └─ ben                           acting   5s     Bash(git push): waits for you to answer  2467    $0.0100  aaaaaaaa2',
    ]);
  });

  it('leaves out ids at 80 columns, and wraps what is done between words', async () => {
    expect(await table(TREE, 80)).toEqual([
      'who                     state    since  what it does             tokens  cost',
      'troupe                  open     6s     in /work/project',
      '└─ main                 idle     5s     waits for 2 sub-agents   10644   $0.0100',
      '   ├─ ada               acting   5s     Bash(node --test         2363    $0.0100',
      '                                        test/split.test.js)',
      '   │  └─ Run the test…  running  5s     waits for the end of',
      '                                        process 2846',
      '   └─ ben               acting   5s     Bash(git push): waits    2467    $0.0100',
      '                                        for you to answer',
    ]);
  });

  it('keeps the names and what they do at 40 columns', async () => {
    expect(await table(TREE, 40)).toEqual([
      'who               what it does',
      'troupe            in /work/project',
      '└─ main           waits for 2 sub-agents',
      '   ├─ ada         Bash(node --test',
      '                  test/split.test.js)',
      '   │  └─ Run th…  waits for the end of',
      '                  process 2846',
      '   └─ ben         Bash(git push): waits',
      '                  for you to answer',
    ]);
  });

  it('says the names of what is waited for, not the ids', async () => {
    const waiting = actor('orchestrator', 'orchestrator', {
      children: [
        actor('session', 'main', {
          waitingFor: ['the end of b1', 'the budget of aada-0123456789abcdef: spent'],
          children: [
            actor('local_bash', 'npm test', {
              id: 'b1',
              waitingFor: ['a slot (1 of 2 in the queue)'],
            }),
          ],
        }),
        actor('mcpConnection', 'github', {
          state: 'reconnecting.waiting',
          waitingFor: ['reconnect 2'],
        }),
        actor('permissionRequest', 'r1', { waitingFor: ['a decision by nobody'] }),
      ],
    });
    expect(await table(waiting)).toEqual([
      'who                   state         since  what it does                                               tokens  cost  id',
      'troupe                running       6s     in /work/project                                                         pid 4321',
      '├─ main               running       5s     waits for the end of "npm test"; the budget of ada: spent                main',
      '│  └─ npm test        running       5s     waits for a slot (1 of 2 in the queue)                                   b1',
      '├─ MCP server github  reconnecting  5s     waits for reconnect 2                                                    github',
      '└─ request r1         running       5s     waits for an approver: none is connected                                 r1',
    ]);
  });

  it('says that a call waits for you, for an approver, or for the calls before it', async () => {
    const call = (name: string, state: string, ...waitingFor: string[]) =>
      actor('toolCall', name, { id: `toolu_${name}`, state, waitingFor });
    const asking = (by: string) => call('make', 'deciding.asking', `a decision on r by ${by}`);
    const shown = async (...children: ToldActor[]) => {
      const agent = actor('agent', 'main', { state: 'acting', children });
      const session = actor('session', 'main', { state: 'running.active', children: [agent] });
      const [, , row = ''] = await table(actor('orchestrator', '', { children: [session] }));
      return row.split(/\s{2,}/)[3];
    };
    const queued = call('ls', 'queued', 'the calls before it');
    expect(await shown(asking('person'))).toBe('make: waits for you to answer');
    expect(await shown(asking('nobody'))).toBe('make: waits for an approver: none is connected');
    expect(await shown(asking('ann or person'))).toBe('make: waits for a decision by ann or you');
    expect(await shown(asking('stdio'), queued, queued)).toBe(
      'make: waits for a decision by stdio; ls: waits for 1 earlier call; ls: waits for 2 earlier calls',
    );
  });

  it('says of a tool that is called without an agent what its call does', async () => {
    const call = { id: 'toolu_0123456789abcdef', state: 'executing' };
    const tree = actor('orchestrator', 'orchestrator', {
      children: [
        actor('local_tool', 'test', {
          id: 'u12345678',
          state: 'running.active',
          waitingFor: ['tool call toolu_0123456789abcdef', 'the end of b23456789'],
          children: [
            actor('toolCall', 'Bash(npm test)', call),
            actor('toolCall', 'mcp__f__copy({})', { ...call, progress: '2 of 5: reading' }),
          ],
        }),
        actor('local_tool', 'ask', {
          id: 'u23456789',
          state: 'running.active',
          waitingFor: ['the MCP server docs'],
        }),
      ],
    });
    const troupe = { pid: 1, cwd: '/p', startedAt: NOW, tree };
    const [, , ...rows] = await toTreeTable([troupe], { now: NOW, width: undefined });
    expect(rows.map((row) => row.trim().split(/\s{2,}/))).toEqual([
      [
        '├─ test',
        'running',
        '5s',
        'Bash(npm test); mcp__f__copy({}): 2 of 5: reading',
        'u12345678',
      ],
      ['└─ ask', 'running', '5s', 'waits for the MCP server docs', 'u23456789'],
    ]);
  });
});
