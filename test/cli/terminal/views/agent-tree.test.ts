import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAgentTree } from '../../../../src/cli/terminal/views/agent-tree.js';
import { NO_KEY, type Key } from '../../../../src/cli/terminal/keys/keys.js';
import { lineText } from '../../../../src/cli/terminal/lines/line.js';
import type { LiveFacts } from '../../../../src/cli/terminal/screen/screen-state.js';
import { createTaskId } from '../../../../src/core/ids.js';
import { createFiles } from '../../../support/files.js';
import { writeSession } from '../../../support/past-session.js';

/** A session whose second task is a shell command, with its tree open and that task chosen. */
async function sit() {
  const cwd = await createFiles({});
  const { directory, journal, taskId } = writeSession(cwd, { cwd });
  const id = createTaskId('local_bash');
  const first = { kind: 'local_bash', description: 'npm test', parentId: taskId };
  const task = { type: 'task.status', id, isBackgrounded: false } as const;
  journal.append('tasks.jsonl', { ...task, ...first, status: 'pending' });
  journal.append('tasks.jsonl', { ...task, status: 'running' });
  let facts: Partial<LiveFacts> = {};
  let take: ((key: Key) => boolean) | undefined;
  const hint = vi.fn<(text: string) => void>();
  const kill = vi.fn<(reason: string) => Promise<void>>(async () => {});
  const send = vi.fn<(text: string) => Promise<void>>(async () => {});
  const interrupt = vi.fn<() => void>();
  const running = { status: 'running', kill, send, interrupt };
  const session = { directory, task: (one: string) => (one === id ? running : undefined) };
  const tree = createAgentTree(
    {
      show: (change) => void (facts = { ...facts, ...change }),
      hint,
      focus: (to) => void (take = to),
      rows: 24,
      columns: 80,
    },
    () => session as never,
  );
  onTestFinished(() => void take?.({ ...NO_KEY, name: 'escape' })); // no timer is left
  const lines = (): readonly string[] | undefined => facts.tree?.map(lineText);
  tree.toggle();
  await vi.waitFor(() => expect(lines()?.at(-1)).toContain('npm test'));
  take?.({ ...NO_KEY, name: 'down' });
  return {
    tree,
    lines,
    hint,
    kill,
    send,
    interrupt,
    press: (name: string) => take?.({ ...NO_KEY, name }),
  };
}

describe('the tree of agents', () => {
  it('kills the chosen task at a second k', async () => {
    const { lines, press, kill, hint } = await sit();
    expect(lines()?.at(-1)).toMatch(/^ {2}▸ npm test · running/);
    expect(press('k')).toBe(true);
    expect(hint).toHaveBeenLastCalledWith('k again kills npm test, and everything below it.');
    press('up');
    press('down');
    press('k');
    expect(kill).not.toHaveBeenCalled();
    press('k');
    await vi.waitFor(() => expect(hint).toHaveBeenLastCalledWith('Killed: npm test'));
    expect(kill).toHaveBeenCalledExactlyOnceWith('the user killed it');
  });

  it('interrupts the chosen task at i', async () => {
    const { press, interrupt, hint } = await sit();
    press('i');
    await vi.waitFor(() => expect(hint).toHaveBeenLastCalledWith('Interrupted: npm test'));
    expect(interrupt).toHaveBeenCalledExactlyOnceWith();
  });

  it('sends the next typed text to the task that was chosen at m', async () => {
    const { tree, lines, press, send, hint } = await sit();
    expect(tree.takePrompt('for the main agent')).toBe(false);
    press('m');
    expect(hint).toHaveBeenLastCalledWith('Type the message to npm test, and press Enter.');
    expect(lines()).toBeUndefined();
    expect(tree.takePrompt('hurry')).toBe(true);
    expect(tree.takePrompt('and this to the main agent')).toBe(false);
    await vi.waitFor(() => expect(hint).toHaveBeenLastCalledWith('The message is sent.'));
    expect(send).toHaveBeenCalledExactlyOnceWith('hurry');
  });
});
