import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { answer, newestText, results, textOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import {
  answered,
  ASKS,
  control,
  isAskFor,
  isResult,
  reply,
  say,
} from './support/stream-client.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';

const use = (skill: string, args?: string) => ({
  tools: [{ name: 'Skill', input: { skill, ...(args === undefined ? {} : { args }) } }],
});

const said = (text: string) => ({ text });

const read = (place: Place, file: string) => ({
  tools: [{ name: 'Read', input: { file_path: place.at(file) } }],
});

type ShownTool = { readonly name: string; readonly description?: string };

function toolsOf(request: FakeRequest | undefined): readonly ShownTool[] {
  return (request?.body['tools'] ?? []) as readonly ShownTool[];
}

/** The description of the tool Skill in a request. */
function skillTool(request: FakeRequest | undefined): string | undefined {
  return toolsOf(request).find(({ name }) => name === 'Skill')?.description;
}

const toolNames = (request: FakeRequest): readonly string[] =>
  toolsOf(request).map(({ name }) => name);

const DEPLOY = `---
description: Deploys the page.
---
Deploy $0 with \${CLAUDE_SKILL_DIR}/deploy.sh.
`;

describe.concurrent('skills that the model uses', () => {
  it('are those of a folder below too once a file there was read, and no earlier part of a request changes', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/deploy/SKILL.md': DEPLOY,
      'packages/web/.claude/skills/deploy/SKILL.md': '---\ndescription: Deploys web.\n---\nWeb.\n',
      'packages/web/.claude/skills/paint/SKILL.md': '---\ndescription: Paints.\n---\nPaint.\n',
      'packages/web/src/a.ts': 'a',
    });
    const api = await place.api({
      handler: answer({
        Go: [
          read(place, 'packages/web/src/a.ts'),
          use('packages/web:deploy'),
          said('Done.'),
          use('paint'), // in the resumed session
          said('Painted.'),
        ],
      }),
    });
    expect((await place.call(['-p', 'Go'], { api })).code).toBe(0);
    const [first, ...others] = api.requests.map(({ body }) => body);
    for (const { tools, system } of others)
      expect({ tools, system }).toEqual({ tools: first?.['tools'], system: first?.['system'] });
    expect(skillTool(api.requests[0])).not.toContain('Paints.');
    const told = newestText(api.requests[1]);
    expect(told).toContain('- packages/web:deploy: Deploys web. (for files in packages/web)\n');
    expect(told).toContain('- paint: Paints. (for files in packages/web)\n');
    expect(newestText(api.requests[2])).toMatch(/\n\nWeb\.$/);
    // a resumed session has them as well
    expect((await place.call(['-p', 'Paint', '--continue'], { api })).stdout).toBe('Painted.\n');
    expect(newestText(api.requests[4])).toMatch(/\n\nPaint\.$/);
  });

  it('of a name that a folder below has, too, name that variant', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/deploy/SKILL.md': DEPLOY,
      'web/.claude/skills/deploy/SKILL.md': '---\ndescription: Deploys web.\n---\nWeb.\n',
      'web/a.ts': 'a',
    });
    const api = await place.api({
      handler: answer({ Go: [read(place, 'web/a.ts'), use('deploy', 'main'), said('Done.')] }),
    });
    expect((await place.call(['-p', 'Go'], { api })).code).toBe(0);
    expect(newestText(api.requests[2])).toMatch(/\n- web:deploy: for files in web$/);
  });

  it('of a folder below come even if there was none before', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'web/.claude/skills/paint/SKILL.md': 'Paint.\n', 'web/a.ts': 'a' });
    const api = await place.api({
      handler: answer({ Go: [read(place, 'web/a.ts'), use('paint'), said('Done.')] }),
    });
    expect((await place.call(['-p', 'Go'], { api })).code).toBe(0);
    const [first = [], second = []] = api.requests.map(toolNames);
    expect(second).toEqual([...first, 'Skill']);
    expect(newestText(api.requests[1])).toContain('- paint: Paint. (for files in web)');
    expect(newestText(api.requests[2])).toContain('\n\nPaint.');
  });

  it('with paths are named when a file of them is used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/css/SKILL.md':
        '---\ndescription: Styles.\npaths: "**/*.{css,scss}"\n---\nS.\n',
      'a.ts': 'a',
      'b.scss': 'b',
    });
    const api = await place.api({
      handler: answer({
        Go: [read(place, 'a.ts'), read(place, 'b.scss'), read(place, 'b.scss'), said('Done.')],
      }),
    });
    expect((await place.call(['-p', 'Go'], { api })).code).toBe(0);
    expect(skillTool(api.requests[0])).toMatch(/Skills:\n\(none yet\)$/);
    const line = '- css: Styles. (for files like **/*.{css,scss})\n';
    expect(api.requests.map((request) => newestText(request).includes(line))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('and agents of an administrator come before all others, and keep their commands', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const agent = (prompt: string) => `---\nname: helper\ndescription: Helps.\n---\n${prompt}\n`;
    await place.write({
      '.claude/skills/look/SKILL.md': 'The project.\n',
      '../home/.claude/skills/look/SKILL.md': 'The user.\n',
      '../managed/.claude/skills/look/SKILL.md':
        '---\nallowed-tools: Bash(echo *)\n---\nThe manager: !`echo hi`\n',
      '.claude/agents/helper.md': agent('The project.'),
      '../managed/.claude/agents/helper.md': agent('The manager.'),
    });
    const api = await place.api({ handler: () => said('Done.') });
    const settings = '{"disableSkillShellExecution": true}';
    const env = { TROUPE_MANAGED_SETTINGS: place.at('../managed/managed-settings.json') };
    const args = ['-p', '/look', '--agent', 'helper', '--settings', settings];
    expect(await place.call(args, { api, env })).toMatchObject({ code: 0, stderr: '' });
    expect(newestText(api.requests[0])).toMatch(/\n\nThe manager: hi$/);
    expect(textOf(api.requests[0]?.body['system'])).toMatch(/^The manager\./);
    const { stdout } = await place.call(['agents', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({ name: 'helper', source: 'managed' }),
        expect.objectContaining({
          name: 'helper',
          source: 'project',
          shadowedBy: place.at('../managed/.claude/agents/helper.md'),
        }),
      ]),
    });
  });

  it('are limited by settings, one by one', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const skill = (name: string) => `---\ndescription: Does ${name}.\n---\nDo ${name}.\n`;
    for (const name of ['a', 'b', 'c', 'd'])
      await place.write({ [`.claude/skills/${name}/SKILL.md`]: skill(name) });
    const skillOverrides = { b: 'name-only', c: 'user-invocable-only', d: 'off' };
    await place.write({ '.claude/settings.json': JSON.stringify({ skillOverrides }) });
    const api = await place.api({ handler: () => said('Done.') });
    const call = (...args: readonly string[]) => place.call([...args, '--trust'], { api });
    expect((await call('-p', '/c')).code).toBe(0);
    expect(skillTool(api.requests[0])?.split('Skills:\n')[1]).toBe('- a: Does a.\n- b');
    expect(await call('-p', '/d')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The skill "d" is switched off: see /skills.'),
    });
    expect((await call('-p', '/skills')).stdout).toMatch(
      /^\/a · project · Does a\.\n\/b · project · Does b\.\n\/c · project, only people · Does c\.\n\/d · project, switched off · Does d\.\n/,
    );
    // a folder that is not trusted switches nothing off
    expect((await place.call(['-p', '/d'], { api })).code).toBe(0);
    const small = JSON.stringify({ skillListingMaxDescChars: 4, disableBundledSkills: true });
    await place.write({ '.claude/settings.json': small });
    await call('-p', '/init');
    expect(skillTool(api.requests[2])?.split('Skills:\n')[1]).toBe(
      ['a', 'b', 'c', 'd'].map((name) => `- ${name}: Doe…`).join('\n'),
    );
    expect((await call('-p', '/review')).code).toBe(2);
  });

  it('know how much the agent thinks', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/a/SKILL.md': 'Think: ${CLAUDE_EFFORT}.\n',
      '.claude/skills/b/SKILL.md': '---\neffort: low\n---\nThink: ${CLAUDE_EFFORT}.\n',
    });
    const api = await place.api({ handler: () => said('Done.') });
    for (const name of ['a', 'b'])
      await place.call(['-p', `/${name}`, '--effort', 'high'], { api });
    expect(newestText(api.requests[0])).toContain('Think: high.');
    expect(newestText(api.requests[1])).toContain('Think: low.');
  });

  it('lists them in the first request and loads the text of one behind its result', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/skills/deploy/SKILL.md': DEPLOY });
    const api = await place.api({
      handler: answer({ Go: [use('deploy', 'main fast'), said('Deployed.')] }),
    });
    const { code, stdout, stderr } = await place.call(['-p', 'Go'], { api });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Deployed.\n', stderr: '' });
    expect(skillTool(api.requests[0])).toMatch(/\n- deploy: Deploys the page\.$/);
    expect(results(api.requests[1])).toMatchObject([
      { content: 'The skill deploy is loaded. Its text follows.' },
    ]);
    const root = place.at('.claude/skills/deploy');
    expect(newestText(api.requests[1])).toContain(
      `Base directory for this skill: ${root}\n\nDeploy main with ${root}/deploy.sh.`,
    );
    expect(api.requests.map(skillTool)).toEqual(Array(2).fill(skillTool(api.requests[0])));
  });

  it('sends no tool Skill if there is no skill that a model may use', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/mine/SKILL.md': '---\ndisable-model-invocation: true\n---\nMine.\n',
    });
    const api = await place.api({ replies: [said('Hello.')] });
    await place.call(['-p', 'Go'], { api });
    expect(skillTool(api.requests[0])).toBeUndefined();
  });

  it('refuses a skill that only people use, and names the nearest for a wrong name', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/deploy/SKILL.md': DEPLOY,
      '.claude/skills/mine/SKILL.md': '---\ndisable-model-invocation: true\n---\nMine.\n',
      '.claude/skills/gone/SKILL.md': DEPLOY,
      '.claude/commands/docs/notes.md': 'Notes.\n',
      '.claude/settings.json': '{ "skillOverrides": { "gone": "off" } }',
    });
    const api = await place.api({
      handler: answer({
        Go: [...['mine', 'gone', 'deplyo', 'notes'].map((one) => use(one)), said('No.')],
      }),
    });
    await place.call(['-p', 'Go', '--trust'], { api });
    expect(api.requests.slice(1).flatMap(results)).toMatchObject([
      {
        is_error: true,
        content: expect.stringContaining('tell the user to type /mine.'),
      },
      { is_error: true, content: expect.stringContaining('The skill "gone" is switched off.') },
      { is_error: true, content: expect.stringContaining('Did you mean deploy?') },
      { is_error: true, content: expect.stringContaining('Did you mean docs:notes?') },
    ]);
  });

  it('lets its allowed tools run in the turn, if the skill itself is allowed', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/make/SKILL.md': '---\nallowed-tools: Bash(touch *)\n---\nTouch.\n',
    });
    const touch = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] };
    const steps = [touch, use('make'), touch, said('Done.')];
    const run = async (...flags: string[]) => {
      const api = await place.api({ handler: answer({ Go: steps }) });
      await place.call(['-p', 'Go', '--trust', ...flags], { api });
      return api.requests
        .slice(1)
        .flatMap((request) => results(request).map(({ is_error: isError }) => isError !== true));
    };
    expect(await run()).toEqual([false, false, false]);
    expect(place.has('made')).toBe(false);
    expect(await run('--allowedTools', 'Skill(make)')).toEqual([false, true, true]);
    expect(place.has('made')).toBe(true);
  });

  it('runs the commands of a text by the rules, and shows their output', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'note.txt': 'A note.\n',
      '.claude/skills/look/SKILL.md':
        'See: !`cat note.txt`\n\n```!\necho "$0"\necho two\n```\n\nKEY=!`touch no`\nRead @note.txt.\n',
      '.claude/skills/bad/SKILL.md': 'See: !`touch made`\n',
    });
    const api = await place.api({
      handler: answer({ Go: [use('look', 'one'), use('bad'), said('Done.')] }),
    });
    await place.call(['-p', 'Go', '--trust'], { api });
    expect(newestText(api.requests[1])).toContain(
      'See: A note.\n\none\ntwo\n\nKEY=!`touch no`\nRead @note.txt.\n\nContent of @note.txt:\n',
    );
    expect(results(api.requests[2])).toMatchObject([
      {
        is_error: true,
        content: expect.stringContaining(
          'The skill "bad" was not used, because its command failed: touch made\n',
        ),
      },
    ]);
    expect(place.has('made')).toBe(false);
  });

  it('have a file in the place of a long output, as the tool Bash has', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/long/SKILL.md':
        '---\nallowed-tools: Bash(seq *)\n---\n!`seq 1 20000`\nEnd.\n',
    });
    const api = await place.api({ handler: () => said('Done.') });
    await place.call(['-p', '/long', '--trust'], { api });
    const [, path = '', rest = ''] =
      /\[Full output saved to (.+)\]\n([^]*)$/.exec(newestText(api.requests[0])) ?? [];
    expect(await readFile(path, 'utf8')).toMatch(/\n20000\n?$/);
    expect(rest.length).toBeLessThan(1_100);
    expect(rest).toMatch(/<\/preview>\nEnd\.$/);
  });

  it('with commands are refused by an agent without the tool for them', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/skills/look/SKILL.md': '!`echo hi`\n' });
    const api = await place.api({ handler: () => said('Done.') });
    const { stderr } = await place.call(['-p', '/look', '--trust', '--tools', 'Read,Skill'], {
      api,
    });
    expect(stderr).toBe(
      'troupe: The session was stopped: The skill "look" was not used, because its commands need the tool Bash, which is not here.\n',
    );
  });

  it('runs no command of a skill in a folder that is not trusted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/skills/look/SKILL.md': 'See: !`echo hello`\n' });
    const api = await place.api({ handler: answer({ Go: [use('look'), said('Done.')] }) });
    await place.call(['-p', 'Go', '--permission-mode', 'bypassPermissions'], {
      api,
      env: { IS_SANDBOX: '1' },
    });
    expect(results(api.requests[1])).toMatchObject([
      {
        is_error: true,
        content: expect.stringContaining(
          'The skill "look" runs commands, and this folder is not trusted.',
        ),
      },
    ]);
  });

  it('runs no command if settings say so', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/settings.json': '{ "disableSkillShellExecution": true }',
      '.claude/commands/look.md': 'See: !`touch made`\n',
    });
    const api = await place.api({ replies: [said('Seen.')] });
    await place.call(['-p', '/look', '--settings', '{ "disableSkillShellExecution": false }'], {
      api,
    });
    expect(newestText(api.requests[0])).toBe(
      '/look\nSee: [shell command execution disabled by policy]',
    );
    expect(place.has('made')).toBe(false);
  });

  it('gives the work to a sub-agent with context: fork', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/research/SKILL.md':
        '---\ncontext: fork\nagent: Explore\nmodel: claude-haiku-4-5\n---\nResearch $ARGUMENTS.\n',
    });
    const base = `Base directory for this skill: ${place.at('.claude/skills/research')}`;
    const api = await place.api({
      handler: answer({
        Go: [use('research', 'cats'), said('Cats are fine.')],
        [`${base}\n\nResearch cats.`]: [said('Cats sleep.')],
      }),
    });
    await place.call(['-p', 'Go'], { api });
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      api.requests[0]?.body.model,
      'claude-haiku-4-5',
      api.requests[0]?.body.model,
    ]);
    expect(results(api.requests[2])).toMatchObject([{ content: 'Cats sleep.' }]);
  });

  it('waits for no sub-agent of a skill with background: true', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/research.md': '---\ncontext: fork\nbackground: yes\n---\nResearch.\n',
    });
    const api = await place.api({
      handler: answer({
        Go: [use('research'), said('Begun.')],
        'Research.': [said('Cats sleep.')],
      }),
    });
    await place.call(['-p', 'Go'], { api });
    const told = api.requests.flatMap(results).map(({ content }) => content);
    expect(told).toEqual([
      expect.stringMatching(
        /^The general-purpose agent of the skill "research" \(\S+\) works in the background\. A notification with its result follows; its output is in \//,
      ),
    ]);
  });

  it('puts the texts of the skills of an agent in front of its first prompt', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/writer.md':
        '---\nname: writer\ndescription: Writes.\nskills: tone, gone\n---\nYou write.\n',
      '.claude/commands/tone.md': 'Be kind: !`echo yes`\n',
    });
    const call = {
      tools: [
        { name: 'Agent', input: { description: 'w', prompt: 'Write.', subagent_type: 'writer' } },
      ],
    };
    const api = await place.api({
      handler: answer({ Go: [call, said('Done.')], 'Be kind: yes\nWrite.': [said('Written.')] }),
    });
    const { stdout, stderr } = await place.call(['-p', 'Go', '--trust'], { api });
    expect({ stdout, stderr }).toEqual({
      stdout: 'Done.\n',
      stderr: 'troupe: Agents name skills that no model can use: gone (writer).\n',
    });
    expect(results(api.requests[2])).toMatchObject([
      { content: expect.stringContaining('Written.') },
    ]);
  });

  it('uses the model and the effort of a skill until the next prompt', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/quick/SKILL.md':
        '---\nmodel: claude-haiku-4-5\neffort: low\n---\nBe quick.\n',
    });
    const lines = ['One', 'Two'].map((text) => ({
      type: 'user',
      message: { role: 'user', content: text },
    }));
    const api = await place.api({
      handler: answer({ One: [use('quick'), said('First.'), said('Second.')] }),
    });
    await place.call(
      ['-p', '--model', 'claude-opus-4-8', '--input-format', 'json', '--output-format', 'json'],
      { api, input: JSON.stringify(lines.map(({ message }) => message.content)) },
    );
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      'claude-opus-4-8',
      'claude-haiku-4-5',
      'claude-opus-4-8',
    ]);
  });

  it('stays within the published budget with 40 skills', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const skills = Array.from({ length: 40 }, (_, at) => [
      `.claude/skills/skill-${at}/SKILL.md`,
      `---\ndescription: ${`Does ${at}. `.repeat(60)}\n---\n${'Body. '.repeat(2_000)}\n`,
    ]);
    await place.write(Object.fromEntries(skills) as Record<string, string>);
    const list = async (env: Record<string, string> = {}) => {
      const api = await place.api({ replies: [said('Hello.')] });
      await place.call(['-p', 'Go', '--model', 'claude-sonnet-4-5'], { api, env });
      return skillTool(api.requests[0])?.split('Skills:\n')[1] ?? '';
    };
    const usual = await list();
    expect(usual.length).toBeLessThanOrEqual(8_000);
    expect(usual.split('\n').length).toBe(40);
    expect((await list({ SLASH_COMMAND_TOOL_CHAR_BUDGET: '1000' })).length).toBeLessThan(1_000);
  });
});

const NOTES = `---
description: Writes notes.
argument-hint: [version]
allowed-tools: Bash(touch *)
---
Notes for $ARGUMENTS: !\`echo done\`
`;

const ONLY_MODEL = '---\ndescription: Facts.\nuser-invocable: false\n---\nFacts.\n';

describe.concurrent('commands that a person types', () => {
  it('sends the line and the text of the skill as one prompt, and allows its tools until the next', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/commands/docs/notes.md': NOTES });
    const touch = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] };
    const prompt = '/docs:notes 1.2 beta\nNotes for 1.2 beta: done';
    const api = await place.api({
      handler: answer({ [prompt]: [touch, said('Written.'), touch, said('No.')] }),
    });
    const { code, stdout, stderr } = await place.call(['-p', '/docs:notes 1.2 beta', '--trust'], {
      api,
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Written.\n', stderr: '' });
    expect(place.has('made')).toBe(true);
    await place.call(['-p', '-c', 'Again', '--trust'], { api });
    expect(results(api.requests[3])).toMatchObject([{ is_error: true }]);
  });

  it('names the nearest command for a wrong name, and sends the line if a blank is in front', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/notes.md': 'Notes.\n',
      '.claude/commands/docs/release.md': '---\ndescription: {{ WHAT }}\n---\nRelease.\n',
      '.claude/skills/facts/SKILL.md': ONLY_MODEL,
    });
    const api = await place.api({
      handler: answer({
        ' /ntoes': [said('A text.')],
        '/usr/bin is what?': [said('A path.')],
        '/ntoes': [said('Off.')],
      }),
    });
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await place.call(['-p', ...args], { api });
      return { code, stdout, stderr };
    };
    const fault = `troupe: ${place.at('.claude/commands/docs/release.md')}:2: "description" must be a text, not an object. The skill is loaded without it.\n`;
    expect(await run('/ntoes')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        fault +
        'troupe: There is no command /ntoes. Did you mean /notes? To send the line as a prompt, put a blank in front of it.\n',
    });
    expect(await run('/release')).toMatchObject({
      stderr: expect.stringContaining('There is no command /release. Did you mean /docs:release?'),
    });
    expect(await run('/facts')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        fault +
        'troupe: Only the model uses the skill "facts". Say in words what it should do. To send the line as a prompt, put a blank in front of it.\n',
    });
    expect(await run(' /ntoes')).toMatchObject({ code: 0, stdout: 'A text.\n' });
    expect(await run('/usr/bin is what?')).toMatchObject({ code: 0, stdout: 'A path.\n' });
    expect(await run('/ntoes', '--disable-slash-commands')).toMatchObject({
      code: 0,
      stdout: 'Off.\n',
    });
  });

  it('ends with the reason if a command of the text is denied', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.claude/commands/bad.md': '!`touch made`\n' });
    const api = await place.api({ replies: [] });
    const { code, lines } = await place.call(
      ['-p', '/bad', '--trust', '--output-format', 'stream-json', '--verbose'],
      { api },
    );
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      is_error: true,
      errors: [
        expect.stringContaining(
          'The skill "bad" was not used, because its command failed: touch made',
        ),
      ],
    });
    expect(place.has('made')).toBe(false);
  });

  it('starts a sub-agent with context: fork, and the main agent passes its answer on', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/look.md': '---\ncontext: fork\n---\nLook at $ARGUMENTS.\n',
    });
    const api = await place.api({
      handler: (request) =>
        said(
          newestText(request) === 'Look at cats.'
            ? 'Cats sleep.'
            : `Told: ${/Cats sleep\./.exec(newestText(request))?.[0] ?? ''}`,
        ),
    });
    const { code, stdout } = await place.call(['-p', '/look cats'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Told: Cats sleep.\n' });
  });

  it('names commands and skills in the first message', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/notes.md': NOTES,
      '.claude/skills/facts/SKILL.md': ONLY_MODEL,
      '.claude/skills/deploy/SKILL.md': DEPLOY,
    });
    const api = await place.api({ replies: [said('Hello.')] });
    const { lines } = await place.call(
      ['-p', 'Go', '--trust', '--output-format', 'stream-json', '--verbose'],
      { api },
    );
    expect(lines[0]).toMatchObject({
      slash_commands: expect.arrayContaining(['compact', 'notes', 'deploy']) as unknown,
      skills: ['deploy', 'facts'],
    });
  });

  it('takes commands of a stream-json client, also while one waits for a decision', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/make.md': '---\ndescription: Makes.\n---\n!`touch made && echo ok`\n',
    });
    const api = await place.api({ handler: (request) => said(`To: ${newestText(request)}`) });
    const troupe = place.start([...ASKS, '--trust'], { api, input: 'open' });
    troupe.send(control('req_1', { subtype: 'initialize', hooks: null, skills: [] }));
    expect(await answered(troupe, 'req_1')).toMatchObject({
      response: {
        response: {
          commands: expect.arrayContaining([
            {
              name: 'cost',
              description: 'the usage of the session',
              argumentHint: '',
              aliases: ['usage'],
            },
            { name: 'make', description: 'Makes.', argumentHint: '' },
          ]) as unknown,
        },
      },
    });
    troupe.send(say('/mkae'));
    expect(await troupe.line('a refused result', isResult)).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining('There is no command /mkae. Did you mean /make?')],
    });
    troupe.send(say('/make'));
    troupe.send(say('And then.'));
    const ask = await troupe.line('an ask', isAskFor('touch made'));
    troupe.send(
      reply(ask, { behavior: 'allow', updatedInput: { command: 'touch made && echo ok' } }),
    );
    troupe.endInput();
    const { lines } = await troupe.ended;
    expect(newestText(api.requests[0])).toBe('/make\nok');
    expect(skillTool(api.requests[0])).toBeUndefined();
    expect(lines.filter(isResult).at(-1)).toMatchObject({ result: 'To: And then.' });
  });
});
