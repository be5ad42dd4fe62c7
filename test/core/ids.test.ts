import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTaskId, createUuids, toTaskId } from '../../src/core/ids.js';
import { AgentInput } from '../../src/tools/agents/agent-input.js';

describe('a source of UUIDs', () => {
  it('makes UUIDs of version 4, each one once, and none that another source makes', () => {
    const [one, other] = [createUuids(), createUuids()];
    const made = Array.from({ length: 300 }, () => [one(), other()]).flat();
    expect(made.filter((uuid) => !z.uuidv4().safeParse(uuid).success)).toEqual([]);
    expect(new Set(made).size).toBe(600);
  });
});

describe('the id of a task', () => {
  it('has a digit, so that no word of nine letters is one', () => {
    const ids = Array.from({ length: 1_000 }, () => createTaskId('local_agent'));
    expect(ids.filter((id) => toTaskId(id) === null || !/\d/.test(id))).toEqual([]);
  });

  it('is made for a kind of task only', () => {
    for (const kind of ['nope', 'constructor'])
      expect(() => createTaskId(kind as 'dream')).toThrow(
        `createTaskId: no task is a "${kind}". Use local_bash, local_agent, remote_agent, in_process_teammate, local_workflow, local_tool, monitor_mcp, dream, session.`,
      );
  });

  it.each([
    ['assistant', true],
    ['architect', true],
    ['scheduler', true],
    ['a0000000b', false],
  ])('may an agent be called %s: %s', (name, isAllowed) => {
    expect(AgentInput.shape.name.safeParse(name).success).toBe(isAllowed);
  });
});
