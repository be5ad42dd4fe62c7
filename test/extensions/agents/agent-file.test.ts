import { describe, expect, it } from 'vitest';
import { parseAgentFile } from '../../../src/extensions/agents/agent-file.js';

const parse = (text: string) => parseAgentFile(text, 'a.md');

describe('parseAgentFile', () => {
  it('reads every field; the rest is the system prompt', async () => {
    const text = `---
name: reviewer
description: Reads code
tools: Read, Grep, Bash(git log *, other)
disallowedTools:
  - Write
model: opus
permissionMode: manual
maxTurns: 5
background: true
effort: high
initialPrompt: Begin.
skills: a, b
mcpServers: [github]
hooks: { Stop: [] }
memory: project
isolation: worktree
color: red
---

You review.

---
Twice.
`;
    expect(await parse(text)).toEqual({
      agent: {
        name: 'reviewer',
        description: 'Reads code',
        tools: ['Read', 'Grep', 'Bash(git log *, other)'],
        disallowedTools: ['Write'],
        model: 'opus',
        permissionMode: 'default',
        maxTurns: 5,
        background: true,
        effort: 'high',
        initialPrompt: 'Begin.',
        skills: ['a', 'b'],
        mcpServers: ['github'],
        hooks: { Stop: [] },
        memory: 'project',
        isolation: 'worktree',
        color: 'red',
        prompt: 'You review.\n\n---\nTwice.',
      },
      warnings: [
        'a.md:13: "skills" has no effect yet.',
        'a.md:14: "mcpServers" has no effect yet.',
        'a.md:15: "hooks" has no effect yet.',
        'a.md:16: "memory" has no effect yet.',
      ],
    });
  });

  it('reads what other programs write', async () => {
    const text =
      '---\nname: x\ndescription: Use it so. Examples:\\n<example>Context: late</example>\ntools:\nversion: 2\n---\nHi';
    expect(await parse(text)).toEqual({
      agent: {
        name: 'x',
        description: 'Use it so. Examples:\n<example>Context: late</example>',
        prompt: 'Hi',
      },
      warnings: [
        expect.stringMatching(/^a\.md:5: there is no field "version"\. Known: description/),
      ],
    });
  });

  it.each([
    ['Just text', 'a.md:1: the agent is left out: an agent begins with --- and its fields'],
    ['---\nname: x\n', 'a.md:1: the agent is left out: the frontmatter begins with ---'],
    ['---\nname: x\ndescription: "\n---\n', 'a.md:'],
    ['---\nname: x\n---\n', 'a.md:1: the agent is left out: "description": missing.'],
    [
      '---\nname: x\ndescription: y\nmodel: 5\n---\n',
      'a.md:4: the agent is left out: "model": Invalid input: expected string, received number.',
    ],
    ['---\ndescription: x\n---\n', 'a.md:1: the agent is left out: "name": missing.'],
    ['---\nname: ""\ndescription: x\n---\n', 'a.md:2: the agent is left out: "name": Too small'],
    [
      '---\nname: "a\\nb"\ndescription: x\n---\n',
      'a.md:2: the agent is left out: "name": a name is',
    ],
    [
      '---\nname: x\ndescription: d\ntools: 3\n---\n',
      'a.md:4: the agent is left out: "tools": expected a list of tool names',
    ],
    [
      '---\nname: x\ndescription: d\ntools: [Read, "Bash(x"]\n---\n',
      'a.md:4: the agent is left out: "tools": "Bash(x" opens a parenthesis and never closes it.',
    ],
    [
      '---\nname: x\ndescription: d\n\npermissionMode: yolo\n---\n',
      'a.md:5: the agent is left out: "permissionMode": Invalid option: expected one of "default"',
    ],
    [
      '---\nname: x\ndescription: d\nmaxTurns: 0\n---\n',
      'a.md:4: the agent is left out: "maxTurns"',
    ],
    [
      '---\nname: x\ndescription: d\neffort: huge\n---\n',
      'a.md:4: the agent is left out: "effort"',
    ],
  ])('leaves out %j and says where and why', async (text, beginning) => {
    const { agent, warnings } = await parse(text);
    expect(agent).toBeUndefined();
    expect(warnings.map((line) => line.slice(0, beginning.length))).toEqual([beginning]);
  });
});
