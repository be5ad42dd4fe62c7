import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgentId, createTaskId, type AgentId, type TaskId } from '../../../src/core/ids.js';
import { createJournal } from '../../../src/journal/journal.js';
import { createTaskIndex } from '../../../src/journal/readers/task-index.js';
import { createFiles } from '../../support/files.js';

async function openIndex() {
  const directory = await createFiles({});
  const journal = createJournal({ directory, sessionId: 's', now: () => 1 });
  onTestFinished(() => journal.close());
  const file = join(directory, 'tasks.jsonl');
  const index = createTaskIndex(file, (id) => `/output/${id}`);
  const write = (fields: { readonly [key: string]: unknown }): void =>
    void journal.append('tasks.jsonl', { type: 'task.status', ...fields });
  const begin = (description: string, agentId?: string): TaskId => {
    const id = createTaskId('local_agent');
    write({ id, status: 'pending', kind: 'local_agent', description, agentId });
    return id;
  };
  const end = (id: TaskId, result: unknown): void =>
    write({ id, status: 'completed', outcome: { status: 'completed', result } });
  return { index, file, begin, end };
}

describe('the index of tasks', () => {
  it('has no task before the file is there, and each one as soon as it is written', async () => {
    const { index, begin, end } = await openIndex();
    const unknown = createTaskId('local_agent');
    expect(index.find(unknown)).toBeUndefined();
    const first = begin('first: "é", {"id":"x"}', createAgentId('first'));
    const second = begin('second');
    expect(index.find(first)?.state).toMatchObject({
      id: first,
      status: 'pending',
      description: 'first: "é", {"id":"x"}',
      outputFile: `/output/${first}`,
    });
    end(second, 'two');
    end(first, { id: second, kind: 'x', agentId: 'anobody-0' });
    expect(index.find(first)?.state).toMatchObject({
      status: 'completed',
      outcome: { result: { id: second } },
    });
    expect(index.find(second)?.state).toMatchObject({ outcome: { result: 'two' } });
    expect(index.find(unknown)).toBeUndefined();
  });

  it('knows the newest task of a conversation', async () => {
    const { index, begin, end } = await openIndex();
    const agent = 'aone-0' as AgentId; // any text will do
    expect(index.taskOfAgent(agent)).toBeUndefined();
    const first = begin('first', agent);
    end(first, { agentId: 'aother-0' });
    expect(index.taskOfAgent(agent)).toBe(first);
    const second = begin('again', agent);
    expect(index.taskOfAgent(agent)).toBe(second);
    expect(index.taskOfAgent('aother-0' as AgentId)).toBeUndefined(); // as above
  });

  it('takes no line that is being written, nor one that is damaged', async () => {
    const { index, file, begin } = await openIndex();
    const first = begin('first');
    const whole = JSON.stringify({
      version: 1,
      type: 'task.backgrounded',
      id: first,
      timestamp: 1,
    });
    appendFileSync(file, whole.slice(0, 40));
    expect(index.find(first)?.state.isBackgrounded).toBe(false);
    appendFileSync(file, `${whole.slice(40)}\nno line\n`);
    expect(index.find(first)?.state.isBackgrounded).toBe(true);
  });

  it('reads lines that are longer than one look', async () => {
    const { index, file, begin, end } = await openIndex();
    const first = begin('first');
    end(first, 'x'.repeat(3_000_000));
    const second = begin('second');
    expect(statSync(file).size).toBeGreaterThan(3_000_000);
    expect(index.find(second)?.state.description).toBe('second');
    expect(index.find(first)?.state.status).toBe('completed');
  });

  it('is asked in a time that does not depend on how long the file is', async () => {
    const { index, file } = await openIndex();
    const ids = Array.from({ length: 20_000 }, () => createTaskId('local_agent'));
    writeFileSync(
      file,
      ids
        .map((id) =>
          JSON.stringify({
            type: 'task.status',
            id,
            status: 'pending',
            kind: 'local_agent',
            description: 'x'.repeat(200),
            timestamp: 1,
          }),
        )
        .join('\n') + '\n',
    );
    for (const id of ids) expect(index.find(id)?.state.id).toBe(id);
  });
});
