import { describe, expect, it } from 'vitest';
import type { LiveCaller } from '../../../src/actors/agents/runtime/live-caller.js';
import { createAgentDirectory } from '../../../src/actors/agents/agent-directory.js';
import { createAgentId, createTaskId, type AgentId } from '../../../src/core/ids.js';

/** Parts of an agent that the directory reads. */
function createAgent(name?: string, id: AgentId = createAgentId(name ?? 'agent')): LiveCaller {
  const parts = { id, taskId: createTaskId('local_agent'), name };
  return { parts } as unknown as LiveCaller;
}

function createDirectory() {
  const allLive = new Map<AgentId, LiveCaller>();
  const pastTasks = { earlier: [], find: () => undefined, taskOfAgent: () => undefined };
  return { allLive, agents: createAgentDirectory({ allLive, pastTasks }) };
}

describe('the agents of a session', () => {
  it('are found by id, by name and by task', () => {
    const { agents, allLive } = createDirectory();
    const ann = createAgent('ann');
    const { id, taskId } = ann.parts;
    agents.add(ann);
    agents.add(createAgent());
    expect(agents.live.get(id)).toBe(ann);
    expect(allLive.get(id)).toBe(ann);
    expect([agents.names.find('ann'), agents.taskOf(id), agents.ofTask(taskId)]).toEqual([
      id,
      taskId,
      id,
    ]);
    expect(agents.names.record()).toEqual({ ann: id });
  });

  it('keep name and task when they end, until their task is forgotten', () => {
    const { agents, allLive } = createDirectory();
    const ann = createAgent('ann');
    const { id, taskId } = ann.parts;
    agents.add(ann);
    expect(agents.end(id)).toBe(ann);
    expect(agents.end(id)).toBeUndefined();
    expect([agents.live.size, allLive.size, agents.names.find('ann')]).toEqual([0, 0, id]);
    expect(agents.forget(taskId)).toBe(id);
    expect([agents.names.find('ann'), agents.taskOf(id), agents.ofTask(taskId)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(agents.names.record()).toEqual({});
  });

  it('keep a name that a newer agent has taken', () => {
    const { agents } = createDirectory();
    const [first, second] = [createAgent('ann'), createAgent('ann')];
    agents.add(first);
    agents.end(first.parts.id);
    agents.add(second);
    agents.forget(first.parts.taskId);
    expect(agents.names.record()).toEqual({ ann: second.parts.id });
  });

  it('are not forgotten with an earlier task of theirs', () => {
    const { agents } = createDirectory();
    const first = createAgent('ann');
    const { id } = first.parts;
    const resumed = createAgent('ann', id);
    agents.add(first);
    agents.end(id);
    agents.add(resumed);
    expect(agents.forget(first.parts.taskId)).toBeUndefined();
    expect([agents.names.find('ann'), agents.taskOf(id)]).toEqual([id, resumed.parts.taskId]);
  });
});
