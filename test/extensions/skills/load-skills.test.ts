import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSkills } from '../../../src/extensions/skills/load-skills.js';
import { createFiles } from '../../support/files.js';

const skill = (description: string, fields = ''): string =>
  `---\ndescription: ${description}\n${fields}---\nDo it.\n`;

/** The skills of `p/sub`; `p` is a work tree and `h` the home. */
async function load(
  files: Readonly<Record<string, string>>,
  options: {
    readonly sources?: readonly ['project'];
    readonly isTrusted?: () => boolean;
    readonly additionalFolders?: readonly string[];
    readonly prepare?: (folder: string) => Promise<unknown>;
  } = {},
) {
  const folder = await createFiles({ 'p/.git/HEAD': '', ...files });
  await mkdir(join(folder, 'p/sub'), { recursive: true });
  const { prepare, additionalFolders = [], ...others } = options;
  await prepare?.(folder);
  const { skills, warnings, notes } = await loadSkills({
    cwd: join(folder, 'p/sub'),
    env: { HOME: join(folder, 'h') },
    additionalFolders: additionalFolders.map((name) => join(folder, name)),
    ...others,
  });
  return {
    folder,
    skills,
    descriptions: Object.fromEntries(skills.map(({ name, description }) => [name, description])),
    warnings: warnings.map((line) => line.replaceAll(`${folder}/`, '')),
    notes,
  };
}

describe('loadSkills', () => {
  it('sums up the fields without effect of all skills in one line', async () => {
    const { warnings, notes } = await load({
      'p/.claude/skills/one/SKILL.md': skill('One.', 'author: Ann\ntags: [a]\nlicense: MIT\n'),
      'p/.claude/skills/two/SKILL.md': skill('Two.', 'author: Bob\n'),
    });
    expect({ warnings, notes }).toEqual({
      warnings: [],
      notes: ['Fields of skills without effect: author, tags.'],
    });
  });

  it('reads folders with a SKILL.md, and files of commands with their folder as a prefix', async () => {
    const { skills, warnings, folder } = await load({
      'p/.claude/skills/deploy/SKILL.md': skill('Deploys.'),
      'p/.claude/commands/fix.md': 'Fix it.\n',
      'p/.claude/commands/front/end/review.md': '# Reviews the page\n\nLook.\n',
    });
    expect(warnings).toEqual([]);
    const common = {
      type: 'prompt',
      source: 'projectSettings',
      roots: [join(folder, 'p')],
      argNames: [],
      allowedTools: [],
      disallowedTools: [],
      context: 'inline',
      shell: 'bash',
      paths: [],
      disableModelInvocation: false,
      userInvocable: true,
    };
    expect(skills).toEqual([
      {
        ...common,
        name: 'fix',
        description: 'Fix it.',
        hasUserSpecifiedDescription: false,
        loadedFrom: 'commands_DEPRECATED',
        file: join(folder, 'p/.claude/commands/fix.md'),
        skillRoot: undefined,
        contentLength: 8,
      },
      {
        ...common,
        name: 'front:end:review',
        description: 'Reviews the page',
        hasUserSpecifiedDescription: false,
        loadedFrom: 'commands_DEPRECATED',
        file: join(folder, 'p/.claude/commands/front/end/review.md'),
        skillRoot: undefined,
        contentLength: 26,
      },
      {
        ...common,
        name: 'deploy',
        description: 'Deploys.',
        hasUserSpecifiedDescription: true,
        loadedFrom: 'skills',
        file: join(folder, 'p/.claude/skills/deploy/SKILL.md'),
        skillRoot: join(folder, 'p/.claude/skills/deploy'),
        contentLength: 7,
      },
    ]);
  });

  it('reads every published field, as people write them', async () => {
    const { skills, warnings } = await load({
      'p/.claude/skills/full/SKILL.md': [
        '---',
        'name: The full one',
        'description: Does all.',
        'when_to_use: If all is to be done',
        'version: 1.2',
        'argument-hint: [issue] [branch]',
        'arguments: issue branch',
        'allowed-tools: Bash(git add *) Bash(git commit *), Read',
        'disallowed-tools: [WebFetch]',
        'model: haiku',
        'effort: low',
        'context: fork',
        'agent: Explore',
        'shell: powershell',
        'paths: src/**/*.{ts,tsx}, docs/**',
        'disable-model-invocation: yes',
        'user-invocable: off',
        'license: MIT',
        'metadata: { team: web }',
        '---',
        'Body',
      ].join('\n'),
    });
    expect(warnings).toEqual([]);
    expect(skills).toMatchObject([
      {
        name: 'full',
        userFacingName: expect.any(Function) as unknown,
        description: 'Does all.',
        whenToUse: 'If all is to be done',
        version: '1.2',
        argumentHint: '[issue] [branch]',
        argNames: ['issue', 'branch'],
        allowedTools: ['Bash(git add *)', 'Bash(git commit *)', 'Read'],
        disallowedTools: ['WebFetch'],
        model: 'haiku',
        effort: 'low',
        context: 'fork',
        agent: 'Explore',
        shell: 'powershell',
        paths: ['src/**/*.{ts,tsx}', 'docs/**'],
        disableModelInvocation: true,
        userInvocable: false,
        contentLength: 4,
      },
    ]);
  });

  it('lets the user beat the project, skills beat commands, .troupe beat .claude, and what is near what is far', async () => {
    const places = [
      'more/.claude/commands/x.md',
      'p/.claude/commands/x.md',
      'p/sub/.claude/commands/x.md',
      'p/sub/.troupe/commands/x.md',
      'h/.claude/commands/x.md',
      'more/.claude/skills/x/SKILL.md',
      'p/.claude/skills/x/SKILL.md',
      'p/sub/.claude/skills/x/SKILL.md',
      'p/sub/.troupe/skills/x/SKILL.md',
      'h/.claude/skills/x/SKILL.md',
      'h/.troupe/skills/x/SKILL.md',
    ];
    const strongest = await Promise.all(
      places.map(async (_, at) => {
        const files = places.slice(0, at + 1).map((path) => [path, skill(path)]);
        return (await load(Object.fromEntries(files), { additionalFolders: ['more'] }))
          .descriptions;
      }),
    );
    expect(strongest).toEqual(places.map((path) => ({ x: path })));
  });

  it('reads no skills of sources that are not named', async () => {
    const files = {
      'h/.claude/skills/mine/SKILL.md': skill('Mine.'),
      'p/.claude/skills/ours/SKILL.md': skill('Ours.'),
    };
    expect((await load(files, { sources: ['project'] })).descriptions).toEqual({ ours: 'Ours.' });
  });

  it('takes the power from skills of a folder that is not trusted, and not from those of the user', async () => {
    const files = {
      'h/.claude/skills/mine/SKILL.md': skill('Mine.', 'allowed-tools: Bash(mine)\n'),
      'p/.claude/skills/ours/SKILL.md': skill('Ours.', 'allowed-tools: Bash(ours)\n'),
    };
    const { skills, warnings } = await load(files, { isTrusted: () => false });
    expect(
      skills.map(({ name, allowedTools, withoutCommands }) => [
        name,
        allowedTools,
        withoutCommands,
      ]),
    ).toEqual([
      ['ours', [], 'untrusted'],
      ['mine', ['Bash(mine)'], undefined],
    ]);
    expect(warnings).toEqual([
      'This folder is not trusted, so "allowed-tools" of these skills allows nothing: ours. To apply it: troupe trust, or --trust for one run.',
    ]);
  });

  it('leaves out files that cannot be used, and says where and why', async () => {
    const { descriptions, warnings } = await load(
      {
        'p/.claude/skills/good/SKILL.md': skill('Good.'),
        'p/.claude/skills/rules/SKILL.md': skill('x', 'allowed-tools: Bash(ls\n'),
        'p/.claude/skills/near/SKILL.md': skill('Near.', 'allowed_tools: Read\ntools: Read\n'),
        'p/.claude/skills/hooked/SKILL.md': skill('Hooked.', 'hooks: { Stop: [] }\n'),
        'p/.claude/skills/big/SKILL.md': `---\ndescription: ${'x'.repeat(10_000_000)}\n---\n`,
        'p/.claude/skills/wide/SKILL.md': `---\ndescription: ${'x'.repeat(100_000)}\n---\n`,
        'p/.claude/skills/bad name/SKILL.md': skill('x'),
        'p/.claude/skills/empty/README.md': 'No skill.',
        'p/.claude/skills/.git/HEAD': '',
      },
      {
        async prepare(folder) {
          await mkdir(join(folder, 'p/.claude/skills/pipe'));
          execFileSync('mkfifo', [join(folder, 'p/.claude/skills/pipe/SKILL.md')]);
          await writeFile(join(folder, 'p/.claude/skills/loose.md'), 'x');
        },
      },
    );
    expect(descriptions).toEqual({ good: 'Good.', hooked: 'Hooked.', near: 'Near.' });
    expect(warnings.toSorted()).toEqual([
      'p/.claude/skills/bad name/SKILL.md: the skill is left out: "bad name" cannot be typed as a command. Name it with letters, digits, "-", "_" and ".".',
      'p/.claude/skills/big/SKILL.md: the skill is left out: it has more than 0.5 MB.',
      'p/.claude/skills/near/SKILL.md:3: there is no field "allowed_tools". Did you mean "allowed-tools"?',
      'p/.claude/skills/near/SKILL.md:4: there is no field "tools". Did you mean "allowed-tools"?',
      'p/.claude/skills/pipe/SKILL.md: the skill is left out: it is not a regular file.',
      'p/.claude/skills/rules/SKILL.md:3: the skill is left out: "allowed-tools": "Bash(ls" opens a parenthesis and never closes it.',
      'p/.claude/skills/wide/SKILL.md:1: the skill is left out: its fields have more than 64000 characters.',
    ]);
  });

  it('follows links that lead out of the project, if it is trusted', async () => {
    const files = {
      'outside/one/SKILL.md': skill('One.'),
      'outside/all/two/SKILL.md': skill('Two.'),
      'p/.claude/skills/near/SKILL.md': skill('Near.'),
    };
    const prepare = async (folder: string) => {
      await symlink(join(folder, 'outside/one'), join(folder, 'p/.claude/skills/one'));
      await mkdir(join(folder, 'p/.troupe'));
      await symlink(join(folder, 'outside/all'), join(folder, 'p/.troupe/skills'));
    };
    const trusted = await load(files, { prepare });
    expect(trusted.descriptions).toEqual({ near: 'Near.', one: 'One.', two: 'Two.' });
    expect(trusted.warnings).toEqual([]);
    const bound = await load(files, { prepare, isTrusted: () => false });
    expect(bound.descriptions).toEqual({ near: 'Near.' });
    expect(bound.warnings).toEqual([
      'p/.troupe/skills: the folder is left out: it is a link that leads out of the project.',
      'p/.claude/skills/one/SKILL.md: the skill is left out: it is a link that leads out of the project.',
      'This folder is not trusted, so links and imports that lead out of it are left out. To follow them: troupe trust, or --trust for one run.',
    ]);
  });

  it('loads a skill whose fields are not YAML without them, and only for people', async () => {
    const { skills, warnings } = await load({
      'p/.claude/skills/broken/SKILL.md': '---\nname: x\nlist: [\n---\n\n# Mends it\n',
      'p/.claude/commands/open.md': '---\nSays it.\n',
    });
    expect(
      skills.map(({ name, description, disableModelInvocation, userInvocable }) => [
        name,
        description,
        disableModelInvocation,
        userInvocable,
      ]),
    ).toEqual([
      ['open', 'Says it.', true, true],
      ['broken', 'Mends it', true, true],
    ]);
    expect(warnings).toEqual([
      'p/.claude/commands/open.md:1: the frontmatter begins with --- and does not end. The skill is loaded without its fields, and only people can use it.',
      expect.stringMatching(
        /^p\/.claude\/skills\/broken\/SKILL.md:\d: .+\. The skill is loaded without its fields, and only people can use it\.$/,
      ),
    ]);
  });

  it('loads a skill without an invalid field that restricts nothing', async () => {
    const { skills, warnings } = await load({
      'p/.claude/skills/wrong/SKILL.md': skill(
        'x',
        'effort: huge\ncontext: aside\nversion: 2\nshell: zsh\n',
      ),
    });
    expect(skills).toMatchObject([
      { name: 'wrong', context: 'inline', version: '2', shell: 'bash' },
    ]);
    expect(skills[0]).not.toHaveProperty('effort');
    expect(warnings).toEqual([
      'p/.claude/skills/wrong/SKILL.md:3: "effort" must be one of "low", "medium", "high", "xhigh", "max", not the string "huge". The skill is loaded without it.',
      'p/.claude/skills/wrong/SKILL.md:4: "context" must be one of "inline", "fork", not the string "aside". The skill is loaded without it.',
      'p/.claude/skills/wrong/SKILL.md:6: "shell" must be one of "bash", "powershell", not the string "zsh". The skill is loaded without it.',
    ]);
  });

  it('leaves out a folder with the reserved name, and reads no folders inside one', async () => {
    const { descriptions, warnings } = await load({
      'p/.claude/skills/Synced/SKILL.md': skill('Mine.'),
      'h/.claude/skills/synced/theirs/SKILL.md': skill('Theirs.'),
      'p/.claude/skills/group/deep/SKILL.md': skill('Deep.'),
      'p/.claude/skills/plain/SKILL.md': skill('Plain.'),
    });
    expect({ descriptions, warnings }).toEqual({
      descriptions: { plain: 'Plain.' },
      warnings: [
        'p/.claude/skills/Synced/SKILL.md: the skill is left out: its name is reserved. Rename the folder.',
      ],
    });
  });

  it('follows links of the user, and reads a file once', async () => {
    const { descriptions } = await load(
      { 'shared/deploy/SKILL.md': skill('Shared.') },
      {
        async prepare(folder) {
          await mkdir(join(folder, 'h/.claude/skills'), { recursive: true });
          await symlink(join(folder, 'shared/deploy'), join(folder, 'h/.claude/skills/deploy'));
          await symlink(join(folder, 'shared/deploy'), join(folder, 'h/.claude/skills/again'));
        },
      },
    );
    expect(descriptions).toEqual({ again: 'Shared.' });
  });
});
