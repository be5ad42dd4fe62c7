import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { parseAgents } from '../../../src/cli/arguments/parse-agents.js';

function errorOf(text: string): UsageError {
  try {
    parseAgents(text);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was wrong with it');
}

describe('parseAgents', () => {
  it('reads agents with everything that they may have', () => {
    const text = JSON.stringify({
      reviewer: {
        description: 'reads code',
        prompt: 'Review.',
        tools: 'Read, Grep,Bash(git log *)',
        disallowedTools: ['Write'],
        model: 'opus',
        permissionMode: 'manual',
        maxTurns: 5,
        background: true,
      },
      plain: { description: 'plain', prompt: '' },
    });
    expect(parseAgents(text)).toEqual([
      {
        name: 'reviewer',
        description: 'reads code',
        prompt: 'Review.',
        tools: ['Read', 'Grep', 'Bash(git log *)'],
        disallowedTools: ['Write'],
        model: 'opus',
        permissionMode: 'default',
        maxTurns: 5,
        background: true,
      },
      { name: 'plain', description: 'plain', prompt: '' },
    ]);
  });

  it.each([
    ['{"a": ', '--agents:1:7: This is not JSON: expected a value, found the end of the text. '],
    ['{"a": {"description": "d"}}', '--agents:1:7: "a.prompt" is required (a string)'],
    [
      '{"a": {"description": 5, "prompt": "p"}}',
      '--agents:1:23: "a.description" must be a string, not the number 5',
    ],
    [
      '{"a":\n  {"description": "d", "promt": "p"}}',
      '--agents:2:3: "a": there is no field "promt". Did you mean prompt?',
    ],
    [
      '{"a": {"description": "d", "prompt": "p", "tools": 3}}',
      '--agents:1:52: "a.tools" must be a list of tool names, or names with commas between them, not the number 3',
    ],
    [
      '{"a": {"description": "d", "prompt": "p", "maxTurns": 0}}',
      '--agents:1:55: "a.maxTurns" must be more than 0, not the number 0',
    ],
    ['[]', '--agents:1:1: the value must be an object, not an array of 0'],
  ])('shows where %j is wrong', (text, beginning) => {
    expect(errorOf(text).message.slice(0, beginning.length)).toBe(beginning);
  });
});
