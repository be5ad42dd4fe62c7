import { describe, expect, it } from 'vitest';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { toAgentRows, toRowText } from '../../../src/cli/demo/agent-rows.js';
import { busiestInstant } from '../../../src/cli/demo/find-overlap.js';
import { createTreeView } from '../../../src/cli/demo/tree-view.js';
import { fakeOutput } from '../../support/outputs.js';

function actor(
  fields: Pick<InspectedActor, 'id' | 'kind' | 'state'> & Partial<InspectedActor>,
): InspectedActor {
  return { label: fields.id, since: 0, waitingFor: [], children: [], ...fields };
}

const TREE = actor({
  id: 'orchestrator',
  kind: 'orchestrator',
  state: 'open',
  children: [
    actor({
      id: 's1',
      kind: 'session',
      state: 'running.active',
      children: [
        actor({ id: 'work', kind: 'agent', state: 'idle.waiting' }),
        actor({ id: 'a2', kind: 'local_agent', label: 'ben', state: 'pending' }),
        actor({
          id: 'a1',
          kind: 'local_agent',
          label: 'ada',
          state: 'running.active',
          children: [
            actor({
              id: 'work',
              kind: 'agent',
              state: 'acting',
              children: [
                actor({ id: 'toolu_1', kind: 'toolCall', state: 'deciding.asking' }),
                actor({ id: 'toolu_2', kind: 'toolCall', state: 'executing' }),
              ],
            }),
            actor({ id: 'b1', kind: 'local_bash', state: 'running.active', pid: 7 }),
          ],
        }),
      ],
    }),
  ],
});
const NAMES: Readonly<Record<string, string>> = { toolu_1: 'Bash make', toolu_2: 'Read a.js' };
const rows = toAgentRows(TREE, 'coordinator', (id) => NAMES[id]);

describe('the tree of the demo', () => {
  it('has a row for each agent below its parent, by name in whatever order they began', () => {
    expect(rows.map((row) => toRowText(row, 80))).toEqual([
      'coordinator      idle              0 tok  waits for 2 workers',
      '├─ ada           acting            0 tok  Bash make (asks) · Read a.js',
      '└─ ben           pending           0 tok',
    ]);
    expect(rows.map((row) => toRowText(row, 39))).toEqual([
      'coordinator: waits for 2 workers',
      '├─ ada: Bash make (asks) · Read a.js',
      '└─ ben: pending',
    ]);
    expect(rows.map((row) => row.isRunningShell)).toEqual([false, true, false]);
  });

  it('is printed line by line if it cannot be drawn, changes only', () => {
    const output = fakeOutput({ isTTY: false });
    const view = createTreeView(output.writer, { isPlain: true, elapsedMs: () => 1_234 });
    view.update(rows);
    view.update(rows);
    view.close();
    expect(output.text()).toBe(
      '+1.23 s   coordinator  idle        waits for 2 workers\n' +
        '+1.23 s   ada          acting      Bash make (asks) · Read a.js\n',
    );
  });

  it('is drawn over itself on a terminal', () => {
    const output = fakeOutput({ columns: 20 });
    const view = createTreeView(output.writer, { isPlain: false, elapsedMs: () => 0 });
    view.update(rows.slice(0, 1));
    view.update(rows.slice(0, 1));
    view.close();
    expect(output.text()).toBe('coordinator: waits…\n\r\u001b[1A\u001b[J');
  });
});

describe('busiestInstant', () => {
  it('finds when most agents had a process running, one a time for each', () => {
    const ran = (owner: string, startedAt: number, endedAt: number) => ({
      owner,
      command: `${owner}@${startedAt}`,
      startedAt,
      endedAt,
    });
    const found = busiestInstant([
      ran('b', 0, 10),
      ran('b', 2, 9),
      ran('a', 5, 12),
      ran('c', 10, 20),
    ]);
    expect(found).toEqual({
      at: 5,
      commands: [
        { owner: 'a', command: 'a@5' },
        { owner: 'b', command: 'b@2' },
      ],
    });
    expect(busiestInstant([])).toBeUndefined();
  });
});
