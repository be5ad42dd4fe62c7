import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agents/agent-definition.js';
import { defineAgent } from '../../../src/extensions/agents/define-agent.js';

const reviewer: AgentDefinition = {
  name: 'reviewer',
  description: 'Reviews.',
  prompt: 'You review.',
  tools: ['Read', 'Bash(git log *)'],
  effort: 'low',
};

describe('defineAgent', () => {
  it('returns a good definition as it is', () => {
    expect(defineAgent(reviewer)).toBe(reviewer);
  });

  it.each([
    [
      { ...reviewer, promt: 'x' },
      'The agent "reviewer" is invalid: there is no field "promt". Did you mean prompt?',
    ],
    [{ ...reviewer, name: '' }, 'The agent "" is invalid: "name" must have at least 1 character'],
    [
      { ...reviewer, tools: 'Read' },
      'The agent "reviewer" is invalid: "tools" must be an array, not the string "Read".',
    ],
    [
      { ...reviewer, tools: ['Bash(x'] },
      'The agent "reviewer" is invalid: "tools": The permission',
    ],
    [
      { ...reviewer, maxTurns: 0.5 },
      'The agent "reviewer" is invalid: "maxTurns" must be a whole number',
    ],
    [undefined, 'The agent undefined is invalid: '],
  ])('refuses %j', (definition, beginning) => {
    const message = ((): string => {
      try {
        defineAgent(definition as AgentDefinition); // as a program without types would
        return 'nothing was wrong';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message.slice(0, beginning.length)).toBe(beginning);
  });
});
