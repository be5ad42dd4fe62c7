import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgents } from '../../../src/extensions/agents/load-agents.js';
import { createFiles } from '../../support/files.js';

const agent = (name: string, prompt: string): string =>
  `---\nname: ${name}\ndescription: d\n---\n${prompt}\n`;

/** The agents of `p/sub`, where `p` is a work tree and `h` the home. */
async function load(
  files: Readonly<Record<string, string>>,
  options: { sources?: ['project']; env?: Readonly<Record<string, string>> } = {},
) {
  const folder = await createFiles({ 'p/.git/HEAD': '', ...files });
  await mkdir(join(folder, 'p/sub'), { recursive: true });
  const { env, ...others } = options;
  const { agents, warnings } = await loadAgents({
    cwd: join(folder, 'p/sub'),
    env: { HOME: join(folder, 'h'), ...env },
    ...others,
  });
  return {
    folder,
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

  it('looks where the environment says', async () => {
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

  it('leaves out what cannot be used, and goes on', async () => {
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
      'p/.claude/agents/b.md: the agent is left out: "same" is in p/.claude/agents/a.md already.',
      expect.stringMatching(
        /^p\/\.claude\/agents\/c\.md:1: the agent is left out: an agent begins/,
      ),
      'p/.claude/agents/f.md: the agent is left out: it has more than 1 MB.',
      expect.stringMatching(/^p\/\.troupe\/agents: its agents are left out: ENOTDIR/),
    ]);
  });

  it('follows links, reads no pipe and survives a link that leads nowhere', async () => {
    const folder = await createFiles({
      'p/.claude/agents/x.md': agent('x', 'X'),
      'y.md': agent('y', 'Y'),
    });
    const agents = join(folder, 'p/.claude/agents');
    await symlink(join(folder, 'y.md'), join(agents, 'y.md'));
    await symlink(join(folder, 'nowhere'), join(agents, 'gone.md'));
    execFileSync('mkfifo', [join(agents, 'pipe.md')]);
    const loaded = await loadAgents({ cwd: join(folder, 'p'), env: { HOME: folder } });
    expect(loaded.agents.map(({ name }) => name)).toEqual(['x', 'y']);
    expect(loaded.warnings).toEqual([
      expect.stringContaining('gone.md: the agent is left out: ENOENT'),
      `${join(agents, 'pipe.md')}: the agent is left out: it is no file.`,
    ]);
  });
});
