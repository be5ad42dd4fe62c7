import { expect, it } from 'vitest';
import type { SessionMessage } from '../../../../src/actors/contract/session-message.js';
import { createAgentRows } from '../../../../src/cli/terminal/views/agent-rows.js';
import type { LiveCall } from '../../../../src/cli/terminal/screen/screen-state.js';

it('shows each sub-agent as one row until it ends, nested ones indented', () => {
  let shown: readonly LiveCall[] = [];
  const definitions = [
    { name: 'painter', color: 'purple' },
    { name: 'odd', color: 'constructor' },
  ];
  const take = createAgentRows(
    { show: ({ agents = [] }) => void (shown = agents) },
    () => definitions,
    () => 1,
  );
  const tell = (message: object): boolean => take(message as SessionMessage); // only what is read
  const started = (id: string, depth: number): object => ({
    type: 'system',
    subtype: 'task_started',
    task_id: id,
    tool_use_id: `use-${id}`,
    description: `look at ${id}`,
    subagent_type: 'Explore',
    spawn_depth: depth,
  });
  const said = (id: string, ...content: readonly object[]): object => ({
    type: 'assistant',
    parent_tool_use_id: `use-${id}`,
    message: { content },
  });
  const rows = (): readonly string[] =>
    shown.map(({ text, progress }) => `${text}: ${progress ?? '-'}`);

  expect([tell(started('a', 1)), tell(started('b', 2))]).toEqual([false, false]);
  expect(rows()).toEqual(['look at a (Explore): -', '  look at b (Explore): -']);
  const call = { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'make' } };
  expect(tell(said('a', { type: 'text', text: 'First\nI look.' }))).toBe(true);
  expect(tell(said('b', call))).toBe(true);
  expect(rows()).toEqual([
    'look at a (Explore): First I look.',
    '  look at b (Explore): 1 tool call · Bash: make',
  ]);
  tell({ type: 'system', subtype: 'task_updated', task_id: 'a', patch: { status: 'killed' } });
  expect(rows()).toEqual(['  look at b (Explore): 1 tool call · Bash: make']);
  expect(tell({ type: 'result', subtype: 'success' })).toBe(false);
  for (const type of ['painter', 'odd', 'Explore'])
    tell({ ...started(type, 1), subagent_type: type });
  expect(shown.slice(1).map(({ text, color }) => [text, color])).toEqual([
    ['look at painter (painter)', 'purple'],
    ['look at odd (odd)', undefined],
    ['look at Explore (Explore)', undefined],
  ]);
});

it('names the agents whose calls give them a name', () => {
  let shown: readonly LiveCall[] = [];
  const take = createAgentRows({ show: ({ agents = [] }) => void (shown = agents) });
  const tell = (message: object): boolean => take(message as SessionMessage); // only what is read
  const inputs = [{ name: 'ann' }, { name: ' ' }, { name: 3 }, undefined, { name: 'b\n\u001b[2J' }];
  const call = (input: unknown, index: number) => {
    return { type: 'tool_use', id: `use-${index}`, name: 'Agent', input };
  };
  const content = inputs.map(call);
  expect(tell({ type: 'assistant', parent_tool_use_id: null, message: { content } })).toBe(false);
  for (const index of inputs.keys())
    tell({
      type: 'system',
      subtype: 'task_started',
      task_id: `${index}`,
      tool_use_id: `use-${index}`,
      description: 'look',
      subagent_type: 'Explore',
      spawn_depth: 1,
    });
  expect(shown.map(({ text }) => text)).toEqual([
    'ann: look (Explore)',
    'look (Explore)',
    'look (Explore)',
    'look (Explore)',
    'b \\u001b[2J: look (Explore)',
  ]);
});
