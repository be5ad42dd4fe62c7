import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgents } from '../../../src/extensions/agents/load-agents.js';
import { createFiles } from '../../support/files.js';

const agent = (name: string, prompt: string): string =>
  `---\nname: ${name}\ndescription: d\n---\n${prompt}\n`;

/** The agents of `p/sub`; `p` is a work tree and `h` the home. */
async function load(
  files: Readonly<Record<string, string>>,
  options: { sources?: ['project']; env?: Readonly<Record<string, string>> } = {},
) {
  const folder = await createFiles({ 'p/.git/HEAD': '', ...files });
  await mkdir(join(folder, 'p/sub'), { recursive: true });
  const { env, ...others } = options;
  const { agents, warnings, missingTools } = await loadAgents({
    cwd: join(folder, 'p/sub'),
    env: { HOME: join(folder, 'h'), ...env },
    ...others,
  });
  return {
    folder,
    missingTools,
    agents: Object.fromEntries(agents.map(({ name, prompt }) => [name, prompt])),
    warnings: warnings.map((line) => line.replaceAll(`${folder}/`, '')),
  };
}

describe('loadAgents', () => {
  it('lets the project beat the user, .troupe beat .claude, and what is near what is far', async () => {
    const folders = [
      'h/.claude',
      'h/.troupe',
      'p/.claude',
      'p/.troupe',
      'p/sub/.claude',
      'p/sub/.troupe',
    ];
    const files = folders.flatMap((folder, index) =>
      folders
        .slice(0, index + 1)
        .map((_, at): [string, string] => [`${folder}/agents/a${at}.md`, agent(`a${at}`, folder)]),
    );
    const { agents, warnings } = await load(Object.fromEntries(files));
    expect(warnings).toEqual([]);
    expect(agents).toEqual(
      Object.fromEntries(folders.map((_, at) => [`a${at}`, folders.at(-1) as string])),
    );
    const first = await load(
      Object.fromEntries(
        folders.map((folder, at) => [`${folder}/agents/x.md`, agent(`b${at}`, folder)]),
      ),
    );
    expect(first.agents).toEqual(
      Object.fromEntries(folders.map((folder, at) => [`b${at}`, folder])),
    );
  });

  it.each([1, 2, 3, 4, 5])('lets folder %i beat the ones before it', async (count) => {
    const folders = ['h/.claude', 'h/.troupe', 'p/.claude', 'p/.troupe', 'p/sub/.claude'];
    const some = folders.slice(0, count);
    const files = some.map((folder) => [`${folder}/agents/x.md`, agent('x', folder)]);
    const { agents } = await load(Object.fromEntries(files) as Record<string, string>);
    expect(agents).toEqual({ x: some.at(-1) });
  });

  it('reads the folder that the environment names', async () => {
    const folder = await createFiles({
      'c/agents/x.md': agent('x', 'claude'),
      't/agents/y.md': agent('y', 'troupe'),
    });
    const env = { CLAUDE_CONFIG_DIR: join(folder, 'c'), TROUPE_HOME: join(folder, 't') };
    const files = { 'h/.claude/agents/z.md': agent('z', 'not read') };
    expect((await load(files, { env })).agents).toEqual({ x: 'claude', y: 'troupe' });
    const { agents } = await load(
      { ...files, 'p/.claude/agents/p.md': agent('p', 'P') },
      { sources: ['project'] },
    );
    expect(agents).toEqual({ p: 'P' });
  });

  it('leaves out files that are invalid, and continues', async () => {
    const { agents, warnings } = await load({
      'p/.claude/agents/README': 'not looked at',
      'p/.claude/agents/a.md': agent('same', 'first'),
      'p/.claude/agents/b.md': agent('same', 'second'),
      'p/.claude/agents/c.md': 'no agent',
      'p/.claude/agents/deep/d.md': agent('deep', 'D'),
      'p/.claude/agents/e.md/x': 'a folder',
      'p/.claude/agents/f.md': 'x'.repeat(1_000_001),
      'p/.troupe/agents': 'no folder',
    });
    expect(agents).toEqual({ same: 'first', deep: 'D' });
    expect(warnings).toEqual([
      'p/.claude/agents/b.md: the agent is left out: "same" is already in p/.claude/agents/a.md.',
      'p/.claude/agents/f.md: the agent is left out: it has more than 1 MB.',
      expect.stringMatching(/^p\/\.troupe\/agents: the folder is left out: ENOTDIR/),
    ]);
  });

  it.each(['p', 'h'])(
    'follows links, waits for no pipe and reads no endless file: %s',
    async (top) => {
      const folder = await createFiles({
        'p/.git/HEAD': '',
        [`${top}/.claude/agents/x.md`]: agent('x', 'X'),
        'p/docs/y.md': agent('y', 'Y'),
        'p/docs/more/z.md': agent('z', 'Z'),
      });
      const agents = join(folder, top, '.claude/agents');
      await symlink(join(folder, 'p/docs/y.md'), join(agents, 'y.md'));
      await symlink(join(folder, 'p/docs/more'), join(agents, 'more'));
      await symlink(join(folder, 'nowhere'), join(agents, 'gone.md'));
      await symlink('loop.md', join(agents, 'loop.md'));
      await symlink('..', join(agents, 'up'));
      await symlink('.', join(agents, 'self'));
      execFileSync('mkfifo', [join(agents, 'pipe.md')]);
      await writeFile(join(agents, 'sparse.md'), '');
      await truncate(join(agents, 'sparse.md'), 1_500_000_000);
      const loaded = await loadAgents({ cwd: join(folder, 'p'), env: { HOME: join(folder, 'h') } });
      expect(loaded.agents.map(({ name }) => name)).toEqual(['z', 'x', 'y']);
      const leftOut = (name: string, why: string) =>
        `${join(agents, name)}: the agent is left out: ${why}.`;
      expect(loaded.warnings).toEqual([
        leftOut('gone.md', 'it is a link to nothing'),
        expect.stringContaining('loop.md: the agent is left out: its links lead in a circle'),
        leftOut('pipe.md', 'it is not a regular file'),
        leftOut('sparse.md', 'it has more than 1 MB'),
      ]);
    },
  );

  it('takes no agent of a project that is not trusted from outside it, and those of the user from anywhere', async () => {
    const folder = await createFiles({
      'p/.git/HEAD': '',
      'p/.claude/agents/x.md': agent('x', 'X'),
      'h/.claude/agents/u.md': agent('u', 'U'),
      'else/y.md': agent('y', 'Y'),
      'else/more/z.md': agent('z', 'Z'),
    });
    for (const top of ['p', 'h']) {
      await symlink(join(folder, 'else/y.md'), join(folder, top, '.claude/agents/y.md'));
      await symlink(join(folder, 'else/more'), join(folder, top, '.claude/agents/more'));
      await symlink('/', join(folder, top, '.claude/agents/root'));
    }
    await rm(join(folder, 'h/.claude/agents/root'));
    const place = { cwd: join(folder, 'p'), env: { HOME: join(folder, 'h') } };
    const loadFrom = (sources: readonly ['project'] | readonly ['user'], isTrusted = false) =>
      loadAgents({ ...place, sources, isTrusted: () => isTrusted });
    expect((await loadFrom(['user'])).agents.map(({ name }) => name)).toEqual(['z', 'u', 'y']);
    const project = await loadFrom(['project']);
    expect(project.agents.map(({ name }) => name)).toEqual(['x']);
    const at = join(folder, 'p/.claude/agents');
    expect(project.warnings.toSorted()).toEqual([
      `${at}/more: the folder is left out: it is a link that leads out of the project.`,
      `${at}/root: the folder is left out: it is a link that leads out of the project.`,
      `${at}/y.md: the agent is left out: it is a link that leads out of the project.`,
      'This folder is not trusted, so links and imports that lead out of it are left out. To follow them: troupe trust, or --trust for one run.',
    ]);
    await rm(join(at, 'root'));
    const trusted = await loadFrom(['project'], true);
    expect(trusted.agents.map(({ name }) => name)).toEqual(['z', 'x', 'y']);
    expect(trusted.warnings).toEqual([]);
  });

  it('stops in a folder that has too much in it, and reads the others', async () => {
    const folder = await createFiles({
      'h/.claude/agents/u.md': agent('u', 'U'),
      'p/.claude/agents/x.md': agent('x', 'X'),
    });
    await symlink('/', join(folder, 'h/.claude/agents/root'));
    const before = performance.now();
    const loaded = await loadAgents({
      cwd: join(folder, 'p'),
      env: { HOME: join(folder, 'h') },
      sources: ['user', 'project'],
    });
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(loaded.agents.map(({ name }) => name)).toContain('x');
  });

  it('names unknown tools by agent', async () => {
    const { warnings, missingTools } = await load({
      'p/.claude/agents/a.md':
        '---\nname: a\ndescription: d\ntools: Read, SlashCommand, NotebookRead\nhooks: {}\n---\nP',
      'p/.claude/agents/b.md':
        '---\nname: b\ndescription: d\ntools: SlashCommand\nversion: 2\nskills: x\nmcpServers: x\n---\nP',
      'p/.claude/agents/README.md': '# Agents',
    });
    expect(warnings).toEqual([]);
    expect(
      [...missingTools].map(([name, lines]) => [name, lines.map((line) => basename(line))]),
    ).toEqual([
      [
        'a',
        ['a.md:4: there is no tool "SlashCommand".', 'a.md:4: there is no tool "NotebookRead".'],
      ],
      ['b', ['b.md:4: there is no tool "SlashCommand".']],
    ]);
  });

  it('reads further folders, which are weaker than the project', async () => {
    const folder = await createFiles({
      'p/.git/HEAD': '',
      'p/.claude/agents/x.md': agent('x', 'own'),
      'more/.claude/agents/x.md': agent('x', 'more'),
      'more/.troupe/agents/y.md': agent('y', 'more'),
    });
    const { agents } = await loadAgents({
      cwd: join(folder, 'p'),
      env: { HOME: folder },
      additionalFolders: [join(folder, 'more')],
    });
    expect(agents.map(({ name, prompt }) => [name, prompt])).toEqual([
      ['x', 'own'],
      ['y', 'more'],
    ]);
  });

  it('says that a file is not UTF-8', async () => {
    const folder = await createFiles({ 'h/.claude/agents/x.md': '' });
    const file = join(folder, 'h/.claude/agents/x.md');
    await writeFile(file, Buffer.from(agent('x', 'gr\u00fcn'), 'latin1'));
    const { agents, warnings } = await loadAgents({
      cwd: folder,
      env: { HOME: join(folder, 'h') },
    });
    expect(agents.map(({ prompt }) => prompt)).toEqual(['gr\ufffdn']);
    expect(warnings).toEqual([
      `${file}: the file is not UTF-8: some of its letters are lost. Save it as UTF-8.`,
    ]);
  });
});
