import { expect, it } from 'vitest';
import { liveFactsOf } from '../../../src/cli/attach/live-facts.js';
import { lineText } from '../../../src/cli/terminal/lines/line.js';
import { statusFacts } from '../../../src/cli/terminal/screen/status-facts.js';
import { treeLines } from '../../../src/cli/terminal/views/tree-lines.js';
import { createTaskId } from '../../../src/core/ids.js';
import { newTaskState } from '../../../src/core/tasks/new-task-state.js';

const usage = {
  input_tokens: 1,
  output_tokens: 20,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4_000,
};

it('tokens at a terminal include those of the cache', () => {
  const state = newTaskState({
    id: createTaskId('session'),
    type: 'session',
    status: 'running',
    description: 'main',
    startTime: 0,
    outputFile: '',
    isBackgrounded: false,
    parentId: undefined,
    toolUseId: undefined,
  });
  const cost = { usage, usd: undefined };
  const node = {
    task: { state, agentId: undefined },
    agent: undefined,
    requests: [],
    calls: [],
    own: cost,
    total: cost,
    waiting: 0,
    children: [],
  };
  const size = { selected: 0, height: 5, columns: 80, now: 2_000 };
  const [, row = []] = treeLines([{ node, depth: 0 }], size);
  expect(lineText(row)).toBe('▸ main · running · 2 s · 4321 tokens');
  const agent = { activity: 'idle', unread: [], calls: new Map(), model: 'm' } as never; // all that is read
  expect(liveFactsOf({ ...node, agent }, []).status?.tokens).toBe(4_321);
  const session = {
    contextUsage: () => ({ model: 'm', tokens: 0, contextWindow: 200_000 }),
    permissions: () => ({ mode: 'default' }),
    tasks: () => [],
    usage: () => ({ total: { usage, calls: 0 } }),
  } as never; // all that is read
  expect(statusFacts(session).tokens).toBe(4_321);
});
