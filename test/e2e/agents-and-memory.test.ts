import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, bash, firstPrompt, newestText, requestsOf } from './support/answers.js';
import { withoutDenied } from './support/denied-lines.js';
import { createPlace, type Place } from './support/place.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];

const definition = (name: string, prompt: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The agent ${name}.\n${fields}---\n\n${prompt}\n`;

function systemOf(request: FakeRequest | undefined): readonly string[] {
  const system = request?.body['system'] as readonly { readonly text: string }[]; // as it is always sent
  return system.map(({ text }) => text);
}

async function writeAt(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The user's own `.claude`. */
const userFolder = (place: Place): string => join(place.cwd, '../home/.claude');

describe.concurrent('agents as files', () => {
  it("play the session's own agent, with all that they say", async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/reviewer.md': definition(
        'reviewer',
        'You review.',
        'tools: Read, Grep\nmodel: haiku\neffort: high\ninitialPrompt: Look first.\ncolor: red\n',
      ),
    });
    const api = await place.api({ replies: [{ text: 'Reviewed.' }] });
    const { code, stderr, lines } = await place.call(
      ['-p', 'go', '--agent', 'reviewer', ...STREAM],
      { api },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [request] = api.requests;
    const { body } = request as FakeRequest;
    expect({
      prompt: systemOf(request)[0],
      model: body['model'],
      effort: body['output_config'],
      tools: (body['tools'] as readonly { name: string }[]).map(({ name }) => name),
      first: firstPrompt(body),
    }).toEqual({
      prompt: 'You review.',
      model: 'claude-haiku-5-5',
      effort: { effort: 'high' },
      tools: ['Grep', 'Read'],
      first: 'Look first.\ngo',
    });
    expect(lines[0]?.['agents']).toEqual([
      'general-purpose',
      'Explore',
      'Plan',
      'coordinator',
      'worker',
      'reviewer',
    ]);
  });

  it('are started by the model; the strongest of one name counts', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const names = ['flag', 'troupe', 'claude', 'user', 'plan'];
    const someIn = (folder: string, count: number) =>
      names
        .slice(0, count)
        .map((name): [string, string] => [
          `${folder}/${name}.md`,
          definition(name, `${folder} ${name}`),
        ]);
    await place.write(
      Object.fromEntries([...someIn('.troupe/agents', 2), ...someIn('.claude/agents', 3)]),
    );
    for (const name of names)
      await writeAt(join(userFolder(place), `agents/${name}.md`), definition(name, `user ${name}`));
    await writeAt(join(place.troupeHome, 'agents/own.md'), definition('own', 'own'));
    const types = [...names, 'own'];
    const api = await place.api({
      handler: answer({
        go: [
          { tools: types.map((type) => agent(type, { subagent_type: type })) },
          { text: 'Done.' },
        ],
        ...Object.fromEntries(types.map((type) => [type, [{ text: 'Done.' }]])),
      }),
    });
    const flag = '{"flag": {"description": "d", "prompt": "flag flag"}}';
    const { code, stderr } = await place.call(['-p', 'go', '--agents', flag], { api });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(types.map((type) => systemOf(requestsOf(api, type)[0])[0])).toEqual([
      'flag flag',
      '.troupe/agents troupe',
      '.claude/agents claude',
      'user user',
      'user plan',
      'own',
    ]);
  });

  it('and those of --agents are reported if a tool of theirs is not there', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ go: [{ text: 'Done.' }] }) });
    const flag = '{"clerk": {"description": "d", "prompt": "p", "tools": ["Raed"]}}';
    const { code, stderr } = await place.run(['-p', 'go', '--agents', flag], { api });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'troupe: The agent "clerk": "tools": there is no tool "Raed". Did you mean Read?\n',
    });
  });

  it('answer to the names of built-in ones in any case, and rules for them hold', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const types = ['Explore', 'explore', 'PLAN', 'General-Purpose'];
    const api = await place.api({
      handler: answer({
        go: [
          { tools: types.map((type) => agent(type, { subagent_type: type })) },
          { text: 'Done.' },
        ],
        ...Object.fromEntries(types.map((type) => [type, [{ text: 'Done.' }]])),
      }),
    });
    const { code, stderr } = await place.call(
      ['-p', 'go', '--disallowedTools', 'Agent(Explore)', '--model', 'sonnet'],
      { api },
    );
    expect([code, withoutDenied(stderr)]).toEqual([0, '']);
    expect(types.map((type) => requestsOf(api, type).length)).toEqual([0, 0, 1, 1]);
    expect(systemOf(requestsOf(api, 'PLAN')[0])[0]).toContain('You are a planner');
  });

  it('of a folder that is not trusted replace no built-in one', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/agents/e.md': definition('explore', 'MINE.') });
    const start = async (...flags: readonly string[]): Promise<readonly [string, string]> => {
      const api = await place.api({
        handler: answer({
          go: [{ tools: [agent('look', { subagent_type: 'Explore' })] }, { text: 'Done.' }],
          look: [{ text: 'Done.' }],
        }),
      });
      const { stderr } = await place.call(['-p', 'go', ...flags], { api });
      return [stderr, systemOf(requestsOf(api, 'look')[0])[0]?.slice(0, 20) ?? ''];
    };
    expect(await start()).toEqual([
      `troupe: ${place.at('.claude/agents/e.md')}: the agent is left out: "explore" is a built-in agent, and this folder is not trusted. To let the file replace it, run "troupe trust", or give --trust for one run.\n`,
      'You are an explorer:',
    ]);
    expect(await start('--trust')).toEqual(['', 'MINE.']);
  });

  it('are read from the folders of --add-dir, too', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'more/.claude/agents/far.md': definition('far', 'Far.'), 'here/x': '' });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const started = await place.call(['-p', 'go', '--agent', 'far', '--add-dir', 'more'], { api });
    expect([started.code, started.stderr]).toEqual([0, '']);
    expect(systemOf(api.requests[0])[0]).toContain('Far.');
  });

  it('begin as the main agent with the texts of their skills, and with a command', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/tone.md': 'Be kind.\n',
      '.claude/commands/look.md': '---\nallowed-tools: Bash(touch *)\n---\nLook at $0.\n',
      '.claude/commands/bad.md': '!`touch bad`\n',
      '.claude/agents/opener.md': definition(
        'opener',
        'You open.',
        'skills: tone, bad\ninitialPrompt: /look src\n',
      ),
    });
    const touch = { tools: [bash('touch made')] };
    const api = await place.api({ replies: [touch, { text: 'One.' }, touch, { text: 'Two.' }] });
    const call = (...args: readonly string[]) =>
      place.call(['-p', ...args, '--agent', 'opener', '--trust'], { api });
    const { code, stderr } = await call('go');
    expect({ code, stderr: withoutDenied(stderr) }).toEqual({
      code: 0,
      stderr: expect.stringContaining('The skill "bad" was not used, because its command failed'),
    });
    expect(place.has('made')).toBe(true);
    const [first] = api.requests as readonly [FakeRequest];
    expect(firstPrompt(first.body)).toBe('Look at src.\n/look src\ngo');
    await place.write({
      '.claude/agents/opener.md': definition('opener', 'You open.', 'skills: tone\n'),
    });
    await call('more', '--continue');
    expect(newestText(api.requests[2])).toBe('more');
    expect(newestText(api.requests[3])).toContain('Permission to use Bash was denied');
  });

  it('have no name like those of plugins, and none that is an option', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/a.md': definition('kit:a', 'A.'),
      '.claude/agents/b.md': definition('-b', 'B.'),
    });
    const { stderr, stdout } = await place.call(['agents']);
    const left = (file: string, why: string) =>
      `troupe: ${place.at(`.claude/agents/${file}.md`)}: the agent is left out: the name ${why}. Write it with letters and hyphens.\n`;
    expect(stderr).toBe(
      left('a', '"kit:a" has a ":", which only agents of plugins have') +
        left('b', '"-b" begins with "-"'),
    );
    expect(stdout).not.toContain('project');
  });

  it('that name no tool that there is are not started', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/web.md': definition('web', 'Web.', 'tools: SlashCommand, NotebookRead\n'),
    });
    const api = await place.api({
      replies: [{ tools: [agent('look', { subagent_type: 'web' })] }, { text: 'Done.' }],
    });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    const file = place.at('.claude/agents/web.md');
    expect([code, stderr]).toEqual([
      0,
      `troupe: ${file}:4: there is no tool "SlashCommand".\ntroupe: ${file}:4: there is no tool "NotebookRead".\n`,
    ]);
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain(
      'names no known tool: SlashCommand, NotebookRead',
    );
    const own = await place.call(['-p', 'go', '--agent', 'web'], { api });
    expect(own.code).toBe(2);
    expect(own.stderr).toContain('names no known tool: SlashCommand, NotebookRead.');
  });

  it('that name only tools of MCP servers that the session lacks are not started', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/web.md': definition('web', 'Web.', 'tools: mcp__page__open, mcp__page\n'),
    });
    const api = await place.api({
      replies: [{ tools: [agent('look', { subagent_type: 'web' })] }, { text: 'Done.' }],
    });
    await place.call(['-p', 'go'], { api });
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain(
      'names no known tool: mcp__page__open, mcp__page',
    );
  });

  it('lose invalid fields that restrict nothing', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/clerk.md': definition('clerk', 'Clerk.', 'memory: all\nbackground: yes\n'),
    });
    const { stdout } = await place.call(['agents', '--json']);
    const { agents, problems } = JSON.parse(stdout) as {
      readonly agents: readonly { readonly name: string }[];
      readonly problems: readonly string[];
    };
    const file = place.at('.claude/agents/clerk.md');
    expect(agents.find(({ name }) => name === 'clerk')).toEqual({
      name: 'clerk',
      description: 'The agent clerk.',
      background: true,
      source: 'project',
      file,
    });
    expect(problems).toEqual([
      `${file}:4: "memory" must be one of "user", "project", "local", not the string "all". The agent is loaded without it.`,
    ]);
  });

  it('with an unknown tool are reported if they are used, and only then', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/clerk.md': definition('clerk', 'Clerk.', 'tools: Read, Raed\n'),
      'team.yaml': 'tasks: { write: { agent: clerk, prompt: go } }\n',
    });
    const api = await place.api({
      handler: answer({
        unused: [{ text: 'Done.' }],
        twice: [
          { tools: ['a', 'b'].map((work) => agent(work, { subagent_type: 'clerk' })) },
          { text: 'Done.' },
        ],
        ...Object.fromEntries(['a', 'b', 'go'].map((work) => [work, [{ text: 'Done.' }]])),
      }),
    });
    const stderrOf = async (...args: readonly string[]) => (await place.call(args, { api })).stderr;
    const warning = `troupe: ${place.at('.claude/agents/clerk.md')}:4: there is no tool "Raed". Did you mean Read?\n`;
    expect(await stderrOf('-p', 'unused')).toBe('');
    expect(await stderrOf('-p', 'twice')).toBe(warning);
    expect(await stderrOf('-p', 'go', '--agent', 'clerk')).toBe(warning);
    expect(await stderrOf('team', 'run', 'team.yaml')).toContain(warning);
  });

  it('of a plugin with an unknown tool are reported if they are used, and only then', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const file = place.at('kit/agents/clerk.md');
    await place.write({
      'kit/agents/clerk.md': definition('clerk', 'Clerk.', 'tools: Read, LS\n'),
    });
    const api = await place.api({
      handler: answer({
        unused: [{ text: 'Done.' }],
        used: [{ tools: [agent('a', { subagent_type: 'kit:clerk' })] }, { text: 'Done.' }],
        a: [{ text: 'Done.' }],
      }),
    });
    const call = (...args: readonly string[]) => place.call(args, { api });
    expect((await call('-p', 'unused', '--plugin-dir', 'kit')).stderr).toBe('');
    expect((await call('-p', 'used', '--plugin-dir', 'kit')).stderr).toBe(
      `troupe: ${file}:4: there is no tool "LS".\n`,
    );
    const { code, stdout } = await call('plugin', 'validate', 'kit');
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `Warning: ${file}:4: there is no tool "LS".`,
    ]);
  });

  it('that cannot be used are reported with file and line, and left out', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/bad.md': definition('bad', 'Bad.', 'maxTurns: none\n'),
      '.claude/agents/good.md': definition('good', 'Good.', 'tags: x\nhooks: {}\nmodle: opus\n'),
      '.claude/agents/README.md': '# Agents',
      '.claude/agents/torn.md': '---\nname: [\n---\n',
    });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const { code, stdout, stderr } = await place.call(['-p', 'go', '--agent', 'good'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    const at = (name: string): string => `troupe: ${place.at(`.claude/agents/${name}`)}`;
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(
        `${at('bad.md:4')}: the agent is left out: "maxTurns" must be a number, not the string "none"`,
      ),
      `${at('good.md:6')}: there is no field "modle". Did you mean "model"?`,
      `${at('good.md')}: this folder is not trusted, so the hooks of the agent do not run. To apply them: troupe trust, or --trust for one run.`,
      expect.stringContaining(`${at('torn.md:')}`),
    ]);
    const shown = await place.call(['agents']);
    expect(shown.stderr).toContain(`${at('good.md:4')}: there is no field "tags"; it is ignored.`);
    expect(shown.stderr).toContain(`${at('README.md')}: this is not an agent: `);
    const refused = await place.call(['-p', 'go', '--agent', 'bad'], { api });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `The agent "bad" is invalid: ${place.at('.claude/agents/bad.md:4')}: the agent is left out: "maxTurns" must be a number, not the string "none"`,
    );
  });

  it('of a layer that is not wanted are not read', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/project.md': definition('project', 'P'),
      'CLAUDE.md': 'PROJECT MEMORY',
    });
    await writeAt(join(userFolder(place), 'agents/user.md'), definition('user', 'U'));
    await writeAt(join(userFolder(place), 'CLAUDE.md'), 'USER MEMORY');
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const { lines } = await place.call(['-p', 'go', '--setting-sources', 'user', ...STREAM], {
      api,
    });
    expect(lines[0]?.['agents']).toEqual(expect.arrayContaining(['user']));
    expect(lines[0]?.['agents']).not.toEqual(expect.arrayContaining(['project']));
    const system = systemOf(api.requests[0]).join('\n');
    expect([system.includes('USER MEMORY'), system.includes('PROJECT MEMORY')]).toEqual([
      true,
      false,
    ]);
  });
});

describe.concurrent('instructions and the state of the repository', () => {
  it('are in the prompts of general agents as they were when the session began', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'CLAUDE.md': 'Use tabs. @docs/style.md',
      'docs/style.md': 'Be brief.',
      'CLAUDE.local.md': 'My own.',
    });
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=trunk'];
    for (const words of ['init -q', 'add CLAUDE.md', 'commit -qm first'])
      execFileSync('git', [...git, ...words.split(' ')], { cwd: place.cwd });
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [bash('printf changed > CLAUDE.md')] },
          { tools: [agent('large'), agent('small', { subagent_type: 'explore' })] },
          { text: 'Done.' },
        ],
        large: [{ text: 'Done.' }],
        small: [{ text: 'Done.' }],
      }),
    });
    const { code, stderr } = await place.call(
      ['-p', 'go', '--allowedTools', 'Bash(printf *),Edit(/CLAUDE.md)'],
      {
        api,
      },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await place.text('CLAUDE.md')).toBe('changed');
    const own = requestsOf(api, 'go');
    expect(own.length).toBe(3);
    expect(comparePrefix(own.map(({ body }) => body))).toBeUndefined();
    const [, memory = '', state = '', deferred = ''] = systemOf(own[0]);
    expect(memory).toMatch(
      /CLAUDE\.md \(the project's\):\n\nUse tabs[^]*style\.md \(the project's, imported by [^]*Be brief\.[^]*own, for this project\):\n\nMy own\./,
    );
    expect(state).toMatch(/Branch: trunk\nStatus:\n\?\? CLAUDE\.local\.md\n[^]*[0-9a-f]{7} first$/);
    const [large] = requestsOf(api, 'large');
    expect(deferred).toMatch(/^<deferred-tools>/);
    expect(systemOf(large).slice(1)).toEqual([memory, state, deferred]);
    expect(systemOf(requestsOf(api, 'small')[0]).join('\n')).not.toContain('Use tabs');
  });

  it('are AGENTS.md if there is nothing else; what they may not import is reported', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'AGENTS.md': 'For agents: @../secret.md @gone.md' });
    await writeFile(join(place.cwd, '../secret.md'), 'top secret');
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([
      `troupe: ${join(place.cwd, '../secret.md')}: the instructions are left out: its import by ${place.at('AGENTS.md')} leads out of the project.`,
      `troupe: ${place.at('AGENTS.md')}: the file that "@gone.md" imports does not exist.`,
      'troupe: This folder is not trusted, so links and imports that lead out of it are left out. To follow them: troupe trust, or --trust for one run.',
    ]);
    const system = systemOf(api.requests[0]).join('\n');
    expect([system.includes('For agents:'), system.includes('top secret')]).toEqual([true, false]);
    const trusted = await place.call(['-p', 'go', '--trust'], { api });
    expect(trusted.stderr).toBe(
      `troupe: ${place.at('AGENTS.md')}: the file that "@gone.md" imports does not exist.\n`,
    );
    expect(systemOf(api.requests[1]).join('\n')).toContain('top secret');
  });

  it('come with files of folders below, also by a link that leads out, if the folder is trusted', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '../shared.md': 'Shared.',
      'web/a.ts': 'a',
      'web/CLAUDE.md': '@../../shared.md',
    });
    const read = { tools: [{ name: 'Read', input: { file_path: place.at('web/a.ts') } }] };
    const api = await place.api({ replies: [read, { text: 'Done.' }, read, { text: 'Done.' }] });
    expect((await place.call(['-p', 'go', '--trust'], { api })).stderr).toBe('');
    expect(newestText(api.requests[1])).toContain('\n\nShared.\n');
    expect((await place.call(['-p', 'go'], { api })).stderr).toContain(
      `${place.at('../shared.md')}: the instructions are left out: its import by ${place.at('web/CLAUDE.md')} leads out of the project.`,
    );
    expect(newestText(api.requests[3])).not.toContain('Shared.');
  });
});

describe.concurrent('agents with notes', () => {
  const noted = (scope: string): string =>
    definition('scribe', 'You note.', `tools: Grep\nmemory: ${scope}\n`);
  const note = (path: string) => ({
    name: 'Write',
    input: { file_path: path, content: 'Learnt.' },
  });

  it('have the first lines in their prompt, and change them without asking', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const folder = '.claude/agent-memory/scribe';
    const lines = Array.from({ length: 201 }, (_, index) => `line ${index + 1}`);
    await place.write({
      '.claude/agents/scribe.md': noted('project'),
      [`${folder}/MEMORY.md`]: lines.join('\n'),
    });
    await symlink(join(place.cwd, '..'), place.at(`${folder}/out`));
    const api = await place.api({
      handler: answer({
        go: [
          {
            tools: [`${folder}/more.md`, `${folder}/out/x.md`, '.claude/settings.json'].map(
              (path) => note(place.at(path)),
            ),
          },
          { text: 'Done.' },
        ],
      }),
    });
    const { code } = await place.call(['-p', 'go', '--agent', 'scribe', '--trust'], { api });
    expect(code).toBe(0);
    const [own, notes = ''] = systemOf(api.requests[0]);
    expect(own).toBe('You note.');
    expect(notes).toContain(place.at(folder));
    expect([notes.includes('line 200'), notes.includes('line 201')]).toEqual([true, false]);
    const tools = api.requests[0]?.body['tools'] as readonly { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['Edit', 'Grep', 'Read', 'Write']);
    expect(await place.text(`${folder}/more.md`)).toBe('Learnt.');
    expect(place.has('.claude/settings.json')).toBe(false);
    expect(place.has('../x.md')).toBe(false);
  });

  it('keep them in the folder of their scope', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    for (const [scope, folder] of [
      ['user', join(userFolder(place), 'agent-memory/scribe')],
      ['local', place.at('.claude/agent-memory-local/scribe')],
    ] as const) {
      await place.write({ '.claude/agents/scribe.md': noted(scope) });
      const api = await place.api({
        handler: answer({ go: [{ tools: [note(`${folder}/MEMORY.md`)] }, { text: 'Done.' }] }),
      });
      const flags = ['-p', 'go', '--agent', 'scribe', '--trust'];
      expect((await place.call(flags, { api })).stderr).toBe('');
      await place.call(flags, { api });
      expect(systemOf(api.requests[2])[1]).toMatch(/Contents of MEMORY\.md:\n\nLearnt\.$/);
    }
  });

  it('need approval for their changes in a folder that is not trusted', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/agents/scribe.md': noted('project') });
    const path = '.claude/agent-memory/scribe/MEMORY.md';
    const api = await place.api({
      handler: answer({ go: [{ tools: [note(place.at(path))] }, { text: 'Done.' }] }),
    });
    await place.call(['-p', 'go', '--agent', 'scribe'], { api });
    expect(place.has(path)).toBe(false);
  });
});
