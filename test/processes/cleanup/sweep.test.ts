import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { FoundProcess, ProcessTable } from '../../../src/processes/cleanup/process-table.js';
import { createProcessTable } from '../../../src/processes/cleanup/process-table.js';
import { sweep } from '../../../src/processes/cleanup/sweep.js';

const children = new Set<ReturnType<typeof spawn>>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** A process that runs, as a look would show it. */
async function startFound(): Promise<FoundProcess> {
  const table = createProcessTable('no-mark', '/nowhere');
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  children.add(child);
  await once(child, 'spawn');
  return (await table.look()).find(({ pid }) => pid === child.pid)!; // it lives
}

/** A table that shows one list at each look, then always an empty one. */
function scripted(looks: readonly (readonly FoundProcess[])[]) {
  let count = 0;
  const table: ProcessTable = {
    look: () => Promise.resolve(looks[(count += 1) - 1] ?? []),
  };
  return { table, count: () => count };
}

describe('sweep', () => {
  it('looks again after a look that found nothing: a process may just have been forked', async () => {
    const [first, second] = [await startFound(), await startFound()];
    const { table, count } = scripted([[first], [], [second], [], []]);
    expect(await sweep(table, () => true)).toBe(2);
    expect(count()).toBe(5);
    const ended = [...children].map(
      async (child) => child.signalCode ?? (await once(child, 'exit'))[1],
    );
    expect(await Promise.all(ended)).toEqual(['SIGKILL', 'SIGKILL']);
  });

  it('kills what matches only, and never a process that has the pid of another', async () => {
    const [stranger, reused] = [await startFound(), await startFound()];
    const earlier = { ...reused, startTime: reused.startTime - 1 };
    const { table } = scripted([[stranger, earlier]]);
    expect(await sweep(table, (found) => found === earlier)).toBe(0);
    expect([...children].map(({ signalCode }) => signalCode)).toEqual([null, null]);
  });
});
