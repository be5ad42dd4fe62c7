import { expect } from 'vitest';
import { isTerminalTaskStatus, type TaskStatus } from '../../src/core/task-types.js';
import { agentEntries, agentIds, linesOf, statusLines } from './journals.js';

/** Every file of a session can be read, every task and agent has its end, and each tool use has one result. */
export async function expectWhole(session: { readonly directory: string }): Promise<void> {
  const newest = new Map<string, string>();
  for (const { id, status } of await statusLines(session)) newest.set(id, status);
  for (const status of newest.values())
    expect(isTerminalTaskStatus(status as TaskStatus)).toBe(true);
  await linesOf(session, 'audit.jsonl').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // nothing was decided
  });
  for (const id of await agentIds(session)) {
    const entries = await agentEntries(session, id);
    expect(entries.at(-1)?.type).toBe('agent.ended');
    const keys = entries.flatMap((entry) => (entry.type === 'step.done' ? [entry.key] : []));
    expect(new Set(keys).size).toBe(keys.length);
  }
}
