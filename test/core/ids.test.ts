import { describe, expect, it } from 'vitest';
import { createTaskId, toTaskId } from '../../src/core/ids.js';
import { AgentInput } from '../../src/tools/agents/agent-input.js';

describe('the id of a task', () => {
  it('has a digit, so that no word of nine letters is one', () => {
    const ids = Array.from({ length: 1_000 }, () => createTaskId('local_agent'));
    expect(ids.filter((id) => toTaskId(id) === null || !/\d/.test(id))).toEqual([]);
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
