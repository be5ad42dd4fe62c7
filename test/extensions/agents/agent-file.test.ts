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
      warnings: [],
      missing: [],
      notes: [],
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
      warnings: [],
      missing: [],
      notes: ['a.md:5: there is no field "version"; it is ignored.'],
    });
  });

  it.each([
    ['# Agents\n\nWhat is here.', 'it does not begin with --- and fields'],
    ['', 'it does not begin with --- and fields'],
    [' ---\nname: x\n---\n', 'it does not begin with --- and fields'],
    ['---\ntitle: x\n---\n', 'it has no "name"'],
    ['---\nname:\ndescription: x\n---\n', 'it has no "name"'],
    ['---\n---\n', 'it has no "name"'],
  ])('takes a text that is no agent for one that is kept beside agents: %j', async (text, why) => {
    expect(await parse(text)).toEqual({
      warnings: [],
      missing: [],
      notes: [`a.md: this is not an agent: ${why}.`],
    });
  });

  const HEAD = '---\nname: x\ndescription: d\n';
  it.each([
    [
      'a field that is misspelt',
      `${HEAD}modle: opus\n---\nP`,
      'a.md:4: there is no field "modle". Did you mean "model"?',
    ],
    [
      'a name of two words',
      '---\nname: two words\ndescription: d\n---\nP',
      'a.md:2: the name "two words" has blanks. Write it with hyphens: models call it by its name.',
    ],
    [
      'an empty prompt',
      `${HEAD}---\n \n`,
      'a.md: the agent "x" has no prompt: write below its fields what it should do.',
    ],
  ])('warns of %s, and takes the agent', async (_, text, warning) => {
    const { agent, warnings } = await parse(text);
    expect([agent?.description, warnings]).toEqual(['d', [warning]]);
  });

  it.each([
    ['tools: *', ['*']],
    ['tools: "*"', ['*']],
    ['tools: [*]', ['*']],
    [
      'tools: mcp__a__b, Task, Agent(explore), Bash(git *)',
      ['mcp__a__b', 'Task', 'Agent(explore)', 'Bash(git *)'],
    ],
  ])('takes %s without a word', async (line, tools) => {
    const { agent, warnings, notes } = await parse(`${HEAD}${line}\n---\nP`);
    expect([agent?.tools, warnings, notes]).toEqual([tools, [], []]);
  });

  it('names unknown tools apart from the warnings, for the use of the agent', async () => {
    const { warnings, missing, notes } = await parse(
      `${HEAD}tools: SlashCommand, Read, Raed\ndisallowedTools: [bash]\n---\nP`,
    );
    expect({ warnings, missing, notes }).toEqual({
      warnings: [],
      missing: [
        'a.md:4: there is no tool "SlashCommand".',
        'a.md:4: there is no tool "Raed". Did you mean Read?',
        'a.md:5: there is no tool "bash". Did you mean Bash?',
      ],
      notes: [],
    });
  });

  it.each([
    [
      '---\nnam: x\ndescription: d\n---\n',
      ['a.md:2: there is no field "nam". Did you mean "name"?'],
    ],
    [
      '---\nname: x\ndescripton: d\n---\n',
      [
        'a.md:1: the agent is left out: "description" is required (a string).',
        'a.md:3: there is no field "descripton". Did you mean "description"?',
      ],
    ],
  ])('leaves out %j and says what was meant', async (text, warnings) => {
    expect(await parse(text)).toEqual({
      warnings,
      missing: [],
      notes: [],
    });
  });

  it.each([
    ['---\nname: x\n', 'a.md:1: the agent is left out: the frontmatter begins with ---'],
    ['---\nname: x\ndescription: "\n---\n', 'a.md:'],
    ['---\nname: x\n---\n', 'a.md:1: the agent is left out: "description" is required (a string).'],
    [
      '---\nname: ""\ndescription: x\n---\n',
      'a.md:2: the agent is left out: "name" must have at least 1 character',
    ],
    [
      '---\nname: "a\\nb"\ndescription: x\n---\n',
      'a.md:2: the agent is left out: "name": a name is',
    ],
    [
      '---\nname: x\ndescription: d\ntools: 3\n---\n',
      'a.md:4: the agent is left out: "tools" must be a list of tool names',
    ],
    [
      '---\nname: x\ndescription: d\ntools: [Read, "Bash(x"]\n---\n',
      'a.md:4: the agent is left out: "tools": "Bash(x" opens a parenthesis and never closes it.',
    ],
    [
      '---\nname: x\ndescription: d\n\npermissionMode: yolo\n---\n',
      'a.md:5: the agent is left out: "permissionMode" must be one of "default"',
    ],
    [
      '---\nname: x\ndescription: d\nmaxTurns: 0\n---\n',
      'a.md:4: the agent is left out: "maxTurns"',
    ],
  ])('leaves out %j and says where and why', async (text, beginning) => {
    const { agent, warnings } = await parse(text);
    expect(agent).toBeUndefined();
    expect(warnings.map((line) => line.slice(0, beginning.length))).toEqual([beginning]);
  });

  it.each([
    ['model: 5', '"model" must be a string, not the number 5.'],
    ['background: maybe', '"background" must be true or false, not the string "maybe".'],
    [
      'effort: huge',
      '"effort" must be one of "low", "medium", "high", "xhigh", "max", not the string "huge".',
    ],
  ])('leaves out a field that restricts nothing: %s', async (field, why) => {
    const { agent, warnings } = await parse(`---\nname: x\ndescription: y\n${field}\n---\nDo.`);
    expect(agent).toEqual({ name: 'x', description: 'y', prompt: 'Do.' });
    expect(warnings).toEqual([`a.md:4: ${why} The agent is loaded without it.`]);
  });
});
