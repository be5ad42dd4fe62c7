import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { defineTeam } from '../../../src/extensions/teams/define-team.js';
import { loadTeam } from '../../../src/extensions/teams/load-team.js';
import { planTeam } from '../../../src/extensions/teams/plan-team.js';
import { teamJsonSchema } from '../../../src/extensions/teams/team-definition.js';
import { TeamFileError } from '../../../src/extensions/teams/team-file-error.js';
import { createFolder } from '../../support/troupe.js';

const known = { agents: ['general-purpose'], tools: ['Bash', 'Read'] };

async function fileWith(text: string, name = 'team.yaml'): Promise<string> {
  const file = join(await createFolder(), name);
  await writeFile(file, text);
  return file;
}

/** Everything that is wrong with a file, without its folder. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const file = await fileWith(text);
  const error: unknown = await loadTeam(file, known).catch((thrown: unknown) => thrown);
  if (!(error instanceof TeamFileError)) throw new Error('it can be used');
  return error.problems.map((problem) => problem.replace(file, 'team.yaml'));
}

describe('a team file', () => {
  it('names a team without a name', async () => {
    const file = await fileWith('tasks: { list: { command: ls } }', 'tidy-up.yaml');
    expect(await loadTeam(file, known)).toMatchObject({ name: 'tidy-up' });
  });

  it('becomes a plan', async () => {
    const file = await fileWith(`
name: review
inputs:
  base: main
  who: { description: Who asks }
agents:
  reviewer: { prompt: You review., tools: 'Read, Bash', permissionMode: plan }
tasks:
  diff:
    command: [git, diff, '\${{ inputs.base }}']
  review:
    agent: reviewer
    prompt: |
      For \${{ inputs.who }}:
      \${{ tasks.diff.output }}
    retry: 2
    timeout: 5m
budget: { usd: 1.5 }
permissions: { mode: dontAsk, allow: ['Bash(git diff *)'] }
finish: tasks.review.status == 'done'
`);
    const team = await loadTeam(file, known);
    expect(planTeam(team, { who: 'Ann' })).toEqual({
      description: 'review',
      inputs: { base: 'main', who: 'Ann' },
      agents: [
        {
          name: 'reviewer',
          description: 'The agent reviewer of the team review.',
          prompt: 'You review.',
          tools: ['Read', 'Bash'],
          permissionMode: 'plan',
        },
      ],
      tasks: {
        diff: { command: ['git', 'diff', '${{ inputs.base }}'] },
        review: {
          agent: 'reviewer',
          prompt: 'For ${{ inputs.who }}:\n${{ tasks.diff.output }}\n',
          retry: 2,
          timeout: '5m',
        },
      },
      finish: "tasks.review.status == 'done'",
      taskBudget: { usd: 1.5 },
      permissionMode: 'dontAsk',
      rules: { allow: ['Bash(git diff *)'] },
    });
    expect(() => planTeam(team)).toThrow('The team needs "who": give --input who=VALUE.');
    expect(() => planTeam(team, { bse: 'x' })).toThrow(
      'The team has no input "bse". Did you mean "base"? It has base, who.',
    );
  });

  it('tells everything that is wrong at once, each with its place', async () => {
    expect(
      await problemsOf(`name: wrong
inputs: { base: main }
agents:
  idle: { prompt: x }
tasks:
  a: { command: 'true', needs: [b] }
  b: { command: 'true', needs: [c], concurrency: 3 }
  c:
    tool: Raed
    input: { file_path: '\${{ inputs.bose }}', more: '\${{ tasks.a.otput }}' }
    needs: [a]
  d: { agent: nobody, when: tasks.a.status = 1 }
  e:
    command: |
      echo one
      echo "\${{ inputs.base }}"
  f: { agent: general-purpose, prompt: 'x \${{ tasks.e.status == ''succeeded'' }}', needs: [ee] }
  g: { needs: [a] }
  h: { command: 'true', tool: Read }
  i: { command: 'echo \${{ item }}', timeout: 0s }
  j: { command: 'true', needs: [b] }
finish: tasks.a.status == 'finished'
`),
    ).toEqual([
      'team.yaml:4:3: agents.idle: no task uses this agent.',
      'team.yaml:6:3: tasks.a: it can never begin: each waits for the next, "a" → "b" → "c" → "a".',
      'team.yaml:7:50: tasks.b.concurrency: "concurrency" needs "foreach".',
      'team.yaml:9:11: tasks.c.tool: there is no tool "Raed". Did you mean "Read"? There are Bash, Read.',
      'team.yaml:10:30: tasks.c.input.file_path: there is no input "bose". Did you mean "base"? There are base.',
      'team.yaml:10:58: tasks.c.input.more: a task has no "otput", only output, json, status, error.',
      'team.yaml:12:3: tasks.d: the agent "nobody" has no prompt: give it one.',
      'team.yaml:12:15: tasks.d.agent: there is no agent "nobody". There are idle, general-purpose.',
      'team.yaml:12:44: tasks.d.when: "=" means nothing here. Write "==".',
      expect.stringContaining(
        'team.yaml:16:12: tasks.e.command: Do not put " into a command that contains ${{ }}: Troupe quotes the values itself.',
      ),
      'team.yaml:17:62: tasks.f.prompt: there is no status "succeeded". There are done, failed, skipped.',
      'team.yaml:17:92: tasks.f.needs[0]: there is no task "ee". There are a, b, c, d, e, g, h, i, j.',
      'team.yaml:18:3: tasks.g: it does nothing: give it an agent with a prompt, a tool, or a command.',
      'team.yaml:18:3: tasks.g: it can never begin: it waits for "a", which waits for itself.',
      'team.yaml:19:17: tasks.h.command: it has tool and command: one of them is enough.',
      'team.yaml:20:27: tasks.i.command: there is no "item" here, only in a task with foreach.',
      'team.yaml:20:46: tasks.i.timeout: "0s" is not a valid delay: above 0, and 24 days at most.',
      'team.yaml:21:3: tasks.j: it can never begin: it waits for "b", which waits for itself.',
      'team.yaml:22:24: finish: there is no status "finished". There are pending, running, done, failed, skipped.',
    ]);
  });

  it('has no input that nothing reads', async () => {
    expect(
      await problemsOf(`name: x
inputs: { base: main, never: '' }
tasks: { a: { command: 'true' } }
finish: inputs.base == 'main'
`),
    ).toEqual(['team.yaml:2:23: inputs.never: no task reads this input.']);
  });

  it('tells what has the wrong shape before it looks at the rest', async () => {
    expect(
      await problemsOf(`name: 7
tasks:
  a: { command: 'true', timeout: soon, need: [b] }
  b c: { command: 'true' }
permissions: { mode: bypassPermissions, allow: ['Bash('] }
`),
    ).toEqual([
      'team.yaml:1:7: name: it must be a string, not the number 7.',
      'team.yaml:3:34: tasks.a.timeout: a duration is a number with ms, s, m or h, such as 90s.',
      'team.yaml:3:40: tasks.a: there is no "need" here. Did you mean "needs"?',
      expect.stringMatching(/^team\.yaml:4:3: tasks\.b c: /),
      expect.stringMatching(/^team\.yaml:5:16: permissions\.mode: /),
      expect.stringMatching(/^team\.yaml:5:49: permissions\.allow\[0]: /),
    ]);
  });

  it('takes no name that is not kept', async () => {
    expect(
      await problemsOf(`name: x
inputs: { __proto__: x }
agents:
  __proto__: { prompt: x }
tasks:
  a: { tool: Read, input: { __proto__: x } }
  __proto__: { command: 'true' }
`),
    ).toEqual([
      'team.yaml:2:11: inputs.__proto__: "__proto__" is not a valid name: choose another one.',
      'team.yaml:4:3: agents.__proto__: "__proto__" is not a valid name: choose another one.',
      'team.yaml:7:3: tasks.__proto__: "__proto__" is not a valid name: choose another one.',
    ]);
    expect(
      await problemsOf(`name: x
tasks:
  a: { tool: Read, input: { __proto__: x } }
`),
    ).toEqual([
      'team.yaml:3:40: tasks.a.input.__proto__: "__proto__" is not a valid name: choose another one.',
    ]);
  });

  it('has tasks and inputs of any other name', async () => {
    const file = await fileWith(`name: x
inputs: { constructor: { description: Any } }
tasks:
  toString: { command: 'echo \${{ inputs.constructor }}' }
  valueOf: { command: 'echo \${{ tasks.toString.output }}' }
`);
    const team = await loadTeam(file, known);
    expect(() => planTeam(team)).toThrow('The team needs "constructor"');
    expect(planTeam(team, { constructor: 'x' } as Record<string, string>).inputs).toEqual({
      constructor: 'x',
    });
    expect(
      await problemsOf(`name: x
tasks: { a: { command: 'echo \${{ tasks.constructor.output }}', needs: [toString] } }
`),
    ).toEqual([
      expect.stringContaining('there is no task "constructor"'),
      expect.stringContaining('there is no task "toString"'),
    ]);
  });

  it('says where an expression is nested too deep', async () => {
    expect(
      await problemsOf(`name: x
tasks:
  a: { command: 'true', when: '${'('.repeat(50_000)}1${')'.repeat(50_000)}' }
`),
    ).toEqual([
      'team.yaml:3:132: tasks.a.when: The nesting is more than 100 deep: remove some "not" and parentheses.',
    ]);
  });

  it('gives its agents room to be', async () => {
    const text = (budget: string, task: string): string => `name: x
tasks: { a: ${task} }
budget: ${budget}
`;
    const agent = '{ agent: general-purpose, prompt: x }';
    expect(await problemsOf(text('{ agents: 0, depth: 0 }', agent))).toEqual([
      'team.yaml:3:11: budget.agents: with 0 no agent may begin, but the task "a" has an agent: give 1 or more, or leave the field out.',
      'team.yaml:3:22: budget.depth: with 0 no agent may begin, but the task "a" has an agent: give 1 or more, or leave the field out.',
    ]);
    const file = await fileWith(text('{ agents: 0, depth: 0 }', "{ command: 'true' }"));
    expect((await loadTeam(file, known)).budget).toEqual({ agents: 0, depth: 0 });
  });

  it('may say that nothing is tried again', async () => {
    const file = await fileWith(`name: x
tasks: { a: { command: 'true', retry: 0 }, b: { command: 'true', retry: { times: 0 } } }
`);
    expect((await loadTeam(file, known)).tasks).toEqual({
      a: { command: 'true', retry: 0 },
      b: { command: 'true', retry: { times: 0 } },
    });
  });

  it('has rules that do what they say, and agents with tools that there are', async () => {
    expect(
      await problemsOf(`name: x
agents: { w: { prompt: x, tools: 'Raed, Bash(ls *), mcp__a__b', disallowedTools: [Bahs, '*'] } }
tasks: { a: { agent: w, prompt: x } }
permissions:
  allow: ['Bash(ls *)', 'mcp__other__*']
  deny: ['Raed(./x)', 'Write(/secret.txt)']
`),
    ).toEqual([
      'team.yaml:2:34: agents.w.tools: there is no tool "Raed". Did you mean "Read"?',
      'team.yaml:2:82: agents.w.disallowedTools: there is no tool "Bahs". Did you mean "Bash"?',
      'team.yaml:6:10: permissions.deny[0]: denies nothing: no tool is called "Raed". Did you mean Read?',
      'team.yaml:6:23: permissions.deny[1]: has no effect: paths are looked up in rules for Read and Edit only. Write Edit(/secret.txt).',
    ]);
  });

  it('suggests a name for an unknown key, and says which values are valid', async () => {
    expect(
      await problemsOf(`name: x
task: {}
inputs: { a: 5, b: { defualt: x } }
agents: { w: { prompts: x } }
tasks:
  a: { comand: 'true', need: [b], retry: { time: 2 }, foreach: 5 }
  b: { command: [1], retry: '2', zzzzz: 1 }
budget: { token: 3 }
permissions: { alow: [] }
`),
    ).toEqual([
      'team.yaml:2:1: the team: there is no "task" here. Did you mean "tasks"?',
      'team.yaml:3:11: inputs.a: it must be a text (its default, in quotes) or { description, default }, not the number 5.',
      'team.yaml:3:22: inputs.b: there is no "defualt" here. Did you mean "default"?',
      'team.yaml:4:14: agents.w.prompt: it is required (a string).',
      'team.yaml:4:16: agents.w: there is no "prompts" here. Did you mean "prompt"?',
      'team.yaml:6:8: tasks.a: there is no "comand" here. Did you mean "command"?',
      'team.yaml:6:24: tasks.a: there is no "need" here. Did you mean "needs"?',
      'team.yaml:6:42: tasks.a.retry: it must be a number from 0 to 100, or { times, delay, factor }, not an object.',
      'team.yaml:6:64: tasks.a.foreach: it must be a list, or an expression that is one, not the number 5.',
      'team.yaml:7:17: tasks.b.command: it must be a text, or a list of texts with every number in quotes, not an array of 1.',
      'team.yaml:7:29: tasks.b.retry: it must be a number from 0 to 100, or { times, delay, factor }, not the string "2".',
      'team.yaml:7:34: tasks.b: there is no "zzzzz" here.',
      'team.yaml:8:11: budget: there is no "token" here. Did you mean "tokens"?',
      'team.yaml:9:16: permissions: there is no "alow" here. Did you mean "allow"?',
    ]);
  });

  it('has each key once', async () => {
    expect(
      await problemsOf(`name: x
tasks:
  a: { command: 'true' }
  b: { command: 'true', command: 'false' }
  a: { command: 'true' }
`),
    ).toEqual([
      'team.yaml:4:25: "command" is here twice: remove one of them',
      'team.yaml:5:3: "a" is here twice: remove one of them',
    ]);
  });

  const chain = (count: number, needOf: (index: number) => string): string =>
    `name: x\ntasks:\n${Array.from(
      { length: count },
      (_, index) => `  t${index}: { command: 'true', needs: [${needOf(index)}] }\n`,
    ).join('')}`;

  it.skipIf(!process.env['TROUPE_DEEP'])('may have any number of tasks', async () => {
    const count = 20_000;
    const file = await fileWith(
      chain(count, (index) => (index === count - 1 ? '' : `t${index + 1}`)),
    );
    const begun = performance.now();
    expect(Object.keys((await loadTeam(file, known)).tasks)).toHaveLength(count);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('tells no more of what is wrong than can be read', async () => {
    expect(await problemsOf(chain(400, (index) => `t${(index + 1) % 400}`))).toEqual([
      'team.yaml:3:3: tasks.t0: it can never begin: each waits for the next, "t0" → "t1" → "t2" → "t3" → "t4" → … → "t0" (400 tasks).',
    ]);
    const unknown = await problemsOf(chain(400, (index) => `other${index}`));
    expect(unknown).toHaveLength(101);
    expect(unknown[0]).toBe(
      'team.yaml:3:34: tasks.t0.needs[0]: there is no task "other0". There are t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20 and 379 more.',
    );
    expect(unknown.at(-1)).toBe('team.yaml: There are more problems: these are the first 100.');
    expect(
      await problemsOf(
        chain(400, (index) => `t${Math.min(index + 1, index % 2 === 0 ? 399 : 398)}`),
      ),
    ).toHaveLength(101);
  });

  it('that is no YAML, is not there, or holds nothing says so', async () => {
    expect(await problemsOf('name: [')).toEqual([expect.stringMatching(/^team\.yaml:1:8: /)]);
    expect(await problemsOf('')).toEqual([expect.stringMatching(/^team\.yaml:1:1: the team: /)]);
    expect(await problemsOf('name: x\n---\nname: y')).toEqual([
      'team.yaml:2:1: a file has one document, and a second one begins here',
    ]);
    const tooDeep = 'the nesting is too deep';
    expect(await problemsOf(`name: ${'['.repeat(20_000)}`)).toEqual([
      expect.stringMatching(new RegExp(`^team\\.yaml:1:\\d+: ${tooDeep}$`)),
    ]);
    const deep = Array.from({ length: 3_000 }, (_, index) => `${' '.repeat(index)}a:\n`).join('');
    expect(await problemsOf(deep)).toEqual([expect.stringMatching(new RegExp(`: ${tooDeep}$`))]);
    const aliases = ['a: &a [b]', 'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]'];
    expect(
      await problemsOf([...aliases, 'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]'].join('\n')),
    ).toEqual(['team.yaml:1:1: the alias "*" is repeated too often: write its value out']);
    await expect(loadTeam('/nowhere/team.yaml')).rejects.toThrow(
      /^\/nowhere\/team\.yaml: The team cannot be read: the file does not exist\.$/,
    );
  });

  it('that is the script of a scripted model is called that', async () => {
    expect(await problemsOf('version: 1\nagents:\n  - steps: []')).toEqual([
      expect.stringMatching(
        /^team\.yaml: This is a script of a scripted model, not a team\. To play it: --model scripted:\S+team\.yaml\.$/,
      ),
    ]);
  });

  it('may be a module', async () => {
    const text = `export default { name: 'm', tasks: { a: { command: 'true' } } };\n`;
    expect(await loadTeam(await fileWith(text, 'team.mjs'), known)).toEqual({
      name: 'm',
      tasks: { a: { command: 'true' } },
    });
    const wrong = await fileWith(
      `export default { name: 'm', tasks: { a: { comand: 'x' } } };\n`,
      'team.mjs',
    );
    await expect(loadTeam(wrong)).rejects.toThrow(
      `${wrong}: tasks.a: there is no "comand" here. Did you mean "command"?`,
    );
  });
});

describe('defineTeam', () => {
  it('returns the team, or throws with all that is wrong', () => {
    expect(defineTeam({ name: 'x', tasks: { a: { command: 'true' } } })).toEqual({
      name: 'x',
      tasks: { a: { command: 'true' } },
    });
    expect(() =>
      defineTeam({ name: 'x', tasks: { a: { command: 'true', needs: ['a', 'b'] } } }),
    ).toThrow(
      'tasks.a.needs.0: "a" needs itself\ntasks.a.needs.1: there is no task "b". No task is defined.',
    );
  });
});

/** `npx vitest run test/extensions/teams -u` writes it anew. */
it('the schema is published as it is used', async () => {
  const text = await format(JSON.stringify(teamJsonSchema()), { parser: 'json', printWidth: 100 });
  await expect(text).toMatchFileSnapshot('../../../schemas/team.schema.json');
});
