import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agents/agent-definition.js';
import { describeStart } from '../../../src/tools/agents/describe-start.js';

const REVIEWER: AgentDefinition = {
  name: 'reviewer',
  description: 'Reviews.',
  prompt: 'Review.',
  tools: ['Read', 'Grep'],
  disallowedTools: ['Bash(git push *)'],
  permissionMode: 'acceptEdits',
  taskBudget: { usd: 0.5, turns: 1, agents: 2 },
};
const PLAIN: AgentDefinition = { name: 'worker', description: 'Works.', prompt: 'Work.' };
const around = { mode: 'default', definitions: [REVIEWER, PLAIN] } as const;
const input = { description: 'look', prompt: 'Look.' };

describe('the description of an agent that would start', () => {
  it('has its mode, its tools and its budget, from its definition', () => {
    expect(
      describeStart({ ...input, subagent_type: 'reviewer' }, { ...around, mode: 'auto' }),
    ).toEqual({
      Mode: 'acceptEdits',
      Tools: 'Read, Grep, without Bash(git push *)',
      Budget: '0.5 US dollars, 1 model request, 2 agents below it at once',
    });
  });

  it('has a mode that is never laxer than that of the agent that asks', () => {
    const modeOf = (mode?: 'plan' | 'bypassPermissions') =>
      describeStart({ ...input, subagent_type: 'reviewer', ...(mode && { mode }) }, around)['Mode'];
    expect([modeOf(), modeOf('plan'), modeOf('bypassPermissions')]).toEqual([
      'default',
      'plan',
      'default',
    ]);
  });

  it('has the budget of the session and the tools of the agent that asks without own ones', () => {
    const taskBudget = { tokens: 20_000 };
    expect(describeStart({ ...input, subagent_type: 'worker' }, { ...around, taskBudget })).toEqual(
      { Mode: 'default', Tools: 'those of the agent that asks', Budget: '20000 tokens' },
    );
    expect(
      describeStart({ ...input, subagent_type: 'worker', resume: 'ada' }, around),
    ).toMatchObject({ Mode: 'as before, at most default', Budget: 'no limit but those above it' });
  });
});
