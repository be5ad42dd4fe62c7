import { describe, expect, it } from 'vitest';
import { isTerminalTaskStatus, type TaskStatus } from '../../../src/core/task-types.js';
import { linesOf, statusLines, type StatusLine } from '../../support/journals.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';
import { watchTasks } from '../../support/watch-tasks.js';
import {
  countProcesses,
  hidden,
  STUBBORN_KINDS,
  uniqueSeconds,
  until,
} from '../../processes/processes.js';

describe('the journal of tasks', () => {
  it('has one line for each transition of an actor, in the order in which they happened', async () => {
    const watch = watchTasks();
    const script = playParts({
      main: [
        {
          tools: [agentCall('helper'), agentCall('helper', { background: true }), bashCall('true')],
        },
        { tools: [bashCall('exit 3'), bashCall('sleep 60', { background: true })] },
        { text: 'Done.' },
      ],
      helper: [{ tools: [bashCall('true')] }, { text: 'Helped.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('helper')],
      inspect: watch.inspect,
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const lines = await statusLines(session);
    expect(lines).toEqual(watch.changes);
    expect(new Set(lines.map(({ id, status }) => `${id} ${status}`)).size).toBe(lines.length);
    expect(lines.filter(({ id }) => id === session.id).map(({ status }) => status)).toEqual([
      'pending',
      'running',
      'completed',
    ]);
    expect(lines.length).toBeGreaterThan(15);
  });

  it('has the same lines as the actors when a session is killed in the middle', async () => {
    const watch = watchTasks();
    const script = playParts({
      main: [{ tools: [agentCall('helper'), agentCall('helper', { background: true })] }],
      helper: [{ tools: [bashCall('sleep 60')] }],
    });
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('helper')],
      inspect: watch.inspect,
    });
    const session = troupe.session({ prompt: 'Go.' });
    const shells = () => session.tasks().filter(({ type }) => type === 'local_bash');
    await until('both shells run', () => troupeHasPids(troupe.inspect()) === 2);
    expect(shells()).toHaveLength(2);
    expect(await session.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    const lines = await statusLines(session);
    expect(lines).toEqual(watch.changes);
    expectChildrenFirst(lines, await parentsOf(session));
    const ends = lines.filter(({ status }) => isTerminalTaskStatus(status as TaskStatus));
    expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'killed'));
  });

  it.each(Object.entries(STUBBORN_KINDS))(
    'says killed only when no process is left: %s',
    async (_kind, command) => {
      const seconds = uniqueSeconds();
      const left: (readonly [string, number])[] = [];
      const watch = watchTasks(({ id, status }) => {
        if (isTerminalTaskStatus(status as TaskStatus))
          left.push([id, countProcesses(String(seconds))]);
      });
      const script = playParts({
        main: [{ tools: [agentCall('helper')] }],
        helper: [{ tools: [bashCall(`${hidden(seconds)}\n${command}\nsleep $m`)] }],
      });
      const { troupe } = await createTroupe(script, {
        agents: [defineAgent('helper')],
        inspect: watch.inspect,
      });
      const session = troupe.session({ prompt: 'Go.' });
      await until('the processes run', () => countProcesses(String(seconds)) >= 2);
      const helper = session.tasks().find(({ type }) => type === 'local_agent');
      const handle = session.task(helper?.id ?? '');
      expect(await handle?.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
      expect(left.map(([, count]) => count)).toEqual([0, 0]);
      expect(countProcesses(String(seconds))).toBe(0);
      await session.kill();
      const lines = await statusLines(session);
      expect(lines).toEqual(watch.changes);
      expectChildrenFirst(lines, await parentsOf(session));
    },
  );
});

type Inspected = { readonly pid?: number; readonly children: readonly Inspected[] };

function troupeHasPids(actor: Inspected): number {
  return actor.children.reduce(
    (sum, child) => sum + troupeHasPids(child),
    actor.pid === undefined ? 0 : 1,
  );
}

async function parentsOf(session: { readonly directory: string }) {
  const lines = await linesOf(session, 'tasks.jsonl', 'task.status');
  return new Map(
    lines.flatMap(({ id, parentId }) =>
      parentId === undefined ? [] : [[String(id), String(parentId)] as const],
    ),
  );
}

/** Every task's last line comes after the last line of everything below it. */
function expectChildrenFirst(
  lines: readonly StatusLine[],
  parents: ReadonlyMap<string, string>,
): void {
  const endOf = (id: string) => lines.findLastIndex((line) => line.id === id);
  for (const [id, parent] of parents) {
    expect(isTerminalTaskStatus(lines[endOf(id)]?.status as TaskStatus)).toBe(true);
    expect(endOf(id)).toBeLessThan(endOf(parent));
  }
}
