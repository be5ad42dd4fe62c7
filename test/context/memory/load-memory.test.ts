import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMemory } from '../../../src/context/memory/load-memory.js';
import { projectFolderName } from '../../../src/files/project-folder-name.js';
import { createFiles } from '../../support/files.js';

/** The memory that is loaded in `home/p/sub`; `home/p` is a work tree, and paths are from the folder. */
async function load(
  files: Readonly<Record<string, string>>,
  {
    links = {},
    sources,
    followsLinks = false,
    cwd = 'p/sub',
  }: {
    links?: Readonly<Record<string, string>>;
    cwd?: string;
    sources?: ['user'];
    followsLinks?: boolean;
  } = {},
) {
  const folder = await createFiles({ 'home/p/.git/HEAD': '', 'home/p/sub/x.txt': '' });
  const notes = projectFolderName(join(folder, 'home/p'));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name.replace('NOTES', notes));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
  const home = join(folder, 'home');
  const { memory, warnings } = await loadMemory({
    cwd: join(home, cwd),
    folders: { home, claude: join(home, '.claude'), troupe: join(home, '.troupe') },
    followsLinks,
    ...(sources === undefined ? {} : { sources }),
  });
  const short = (text: string): string => text.replaceAll(`${folder}/`, '');
  return {
    memory,
    told: memory.map(({ path, content }) => `${short(path)}: ${content}`),
    warnings: warnings.map(short),
  };
}

describe('loadMemory', () => {
  it('reads the user first, then every folder from the root down', async () => {
    const { told, warnings, memory } = await load({
      'home/.claude/CLAUDE.md': 'user',
      'CLAUDE.md': 'top',
      'home/p/CLAUDE.local.md': 'local',
      'home/p/.claude/CLAUDE.md': 'hidden',
      'home/p/CLAUDE.md': 'project',
      'home/p/AGENTS.md': 'not read',
      'home/p/sub/AGENTS.md': 'sub',
      'home/p/sub/empty/CLAUDE.md': 'below',
    });
    expect({ told, warnings }).toEqual({
      told: [
        'home/.claude/CLAUDE.md: user',
        'CLAUDE.md: top',
        'home/p/CLAUDE.md: project',
        'home/p/.claude/CLAUDE.md: hidden',
        'home/p/CLAUDE.local.md: local',
        'home/p/sub/AGENTS.md: sub',
      ],
      warnings: [],
    });
    expect(memory.map(({ type }) => type).join(' ')).toBe(
      'User Project Project Project Local Project',
    );
  });

  it('puts imports behind what imports them, each once, around a cycle too', async () => {
    const { told, memory, warnings } = await load({
      'home/p/CLAUDE.md': 'see @docs/a.md and @docs/b.md, ask @someone or use @types/node',
      'home/p/docs/a.md': 'a @b.md @../CLAUDE.md',
      'home/p/docs/b.md': 'b @a.md',
    });
    expect(told.map((line) => line.slice(0, 16))).toEqual([
      'home/p/CLAUDE.md',
      'home/p/docs/a.md',
      'home/p/docs/b.md',
    ]);
    expect(memory.map(({ parent }) => parent?.split('/').at(-1))).toEqual([
      undefined,
      'CLAUDE.md',
      'a.md',
    ]);
    expect(warnings).toEqual([]);
  });

  it('follows four hops and names the fifth', async () => {
    const chain = Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [`home/p/${n}.md`, `${n} @${n + 1}.md`]),
    );
    const { told, warnings } = await load({ 'home/p/CLAUDE.md': '@1.md', ...chain });
    expect(told.map((line) => line.split(': ')[0])).toEqual([
      'home/p/CLAUDE.md',
      ...[1, 2, 3, 4].map((n) => `home/p/${n}.md`),
    ]);
    expect(warnings).toEqual(['home/p/4.md: "@5.md" is left out: imports may be 4 files deep.']);
  });

  const OUTSIDE = {
    'home/secret.md': 'secret',
    'home/p/CLAUDE.md': '@../secret.md @~/secret.md @link.md @inner.md',
    'home/p/real.md': 'inside',
    'home/.claude/CLAUDE.md': 'mine: @~/notes.md @../../all.md',
    'home/notes.md': 'notes',
    'all.md': 'for all',
  };
  const LINKS = {
    'home/p/link.md': '../secret.md',
    'home/p/inner.md': 'real.md',
    'home/p/sub/CLAUDE.md': '../../secret.md',
  };

  it('follows links and imports that lead out of the project, if it may', async () => {
    const { told, warnings } = await load(OUTSIDE, { links: LINKS, followsLinks: true });
    expect(told.slice(3)).toEqual([
      'home/p/CLAUDE.md: @../secret.md @~/secret.md @link.md @inner.md',
      'home/secret.md: secret',
      'home/p/inner.md: inside',
    ]);
    expect(warnings).toEqual([]);
  });

  it('leaves out what leads out of the project, by a path or by a link', async () => {
    const { told, warnings } = await load(OUTSIDE, { links: LINKS });
    expect(told.map((line) => line.split(': ')[0])).toEqual([
      'home/.claude/CLAUDE.md',
      'home/notes.md',
      'all.md',
      'home/p/CLAUDE.md',
      'home/p/inner.md',
    ]);
    const said = (path: string, what: string): string =>
      `home/${path}: the instructions are left out: ${what} leads out of the project.`;
    expect(warnings).toEqual([
      said('secret.md', 'its import by home/p/CLAUDE.md'),
      said('secret.md', 'its import by home/p/CLAUDE.md'),
      said('p/link.md', 'its import by home/p/CLAUDE.md'),
      said('p/sub/CLAUDE.md', 'it is a link that'),
    ]);
  });

  it('reads rules, and what they are about', async () => {
    const { memory, warnings } = await load({
      'home/p/.claude/rules/all.md': 'Always.\n',
      'home/p/.claude/rules/deep/ts.md': '---\npaths: "src/**/*.{ts,tsx}, lib/**"\n---\n\nTypes.\n',
      'home/p/.claude/rules/list.md': '---\npaths:\n  - a/**\n---\nList.',
      'home/p/.claude/rules/wrong.md': '---\nx: 1\npaths: 3\n---\nWrong.',
      'home/p/.claude/rules/broken.md': '---\npaths: [\n---\nBroken.',
    });
    expect(
      memory.map(({ content, globs, contentDiffersFromDisk, rawContent }) => ({
        content,
        globs,
        contentDiffersFromDisk,
        isRaw: rawContent.startsWith('---'),
      })),
    ).toEqual([
      { content: 'Always.', globs: undefined, contentDiffersFromDisk: false, isRaw: false },
      {
        content: 'Types.',
        globs: ['src/**/*.{ts,tsx}', 'lib/**'],
        contentDiffersFromDisk: true,
        isRaw: true,
      },
      { content: 'List.', globs: ['a/**'], contentDiffersFromDisk: true, isRaw: true },
    ]);
    expect(warnings.map((line) => line.split(': the')[0])).toEqual([
      'home/p/.claude/rules/broken.md:2',
      'home/p/.claude/rules/wrong.md:3',
    ]);
  });

  it('finds imports beside a link, and beside the file that it leads to', async () => {
    const { told, warnings } = await load(
      {
        'home/p/docs/instructions.md': 'Read @near.md and @far.md and @both.md.',
        'home/p/docs/far.md': 'far',
        'home/p/docs/both.md': 'beside the file',
        'home/p/near.md': 'near',
        'home/p/both.md': 'beside the link',
      },
      { links: { 'home/p/CLAUDE.md': 'docs/instructions.md' } },
    );
    expect({ told, warnings }).toEqual({
      told: [
        'home/p/CLAUDE.md: Read @near.md and @far.md and @both.md.',
        'home/p/near.md: near',
        'home/p/docs/far.md: far',
        'home/p/both.md: beside the link',
      ],
      warnings: [],
    });
  });

  it('cuts a text that is too long, says so, and continues', async () => {
    const long = 'x'.repeat(150_001);
    const { memory, warnings } = await load({
      'home/p/CLAUDE.md': long,
      'home/p/sub/CLAUDE.md': 'sub @missing.md @nul.md @folder',
      'home/p/sub/nul.md': 'a\0b',
      'home/p/sub/folder/x': '',
    });
    const [first, second] = memory;
    expect(memory.length).toBe(2);
    expect([first?.content.length, first?.contentDiffersFromDisk]).toEqual([150_011, true]);
    expect(first?.rawContent).toBe(long);
    expect(second?.content).toBe('sub @missing.md @nul.md @folder');
    expect(warnings).toEqual([
      'home/p/CLAUDE.md: the model sees only the first 150000 characters.',
      'home/p/sub/CLAUDE.md: the file that "@missing.md" imports does not exist.',
      'home/p/sub/nul.md: the instructions are left out: it is not text.',
    ]);
  });

  it('leaves out the comments of authors, and at most 25,000 characters of notes count', async () => {
    const text =
      '<!-- for\n@people.md -->\nOne.\n\n    <!-- code -->\n```\n<!-- code -->\n```\nTwo. <!-- inline -->';
    const { memory } = await load({
      'home/.claude/projects/NOTES/memory/MEMORY.md': 'x'.repeat(25_001),
      'home/p/CLAUDE.md': text,
    });
    expect(memory.map(({ type, content }) => [type, content])).toEqual([
      ['AutoMem', 'x'.repeat(25_000)],
      ['Project', 'One.\n\n    <!-- code -->\n```\n<!-- code -->\n```\nTwo. <!-- inline -->'],
    ]);
    expect(memory.map((file) => file.contentDiffersFromDisk)).toEqual([true, true]);
  });

  it('reads the notes of the main work tree in each work tree', async () => {
    const files = {
      'home/.claude/projects/NOTES/memory/MEMORY.md': 'notes',
      'home/p/.git/worktrees/w/commondir': '../..\n',
      'home/p/.git/worktrees/w/gitdir': '../../../../w/.git\n',
      'home/w/.git': 'gitdir: ../p/.git/worktrees/w\n',
      'home/w/CLAUDE.md': 'project',
    };
    const { memory } = await load(files, { cwd: 'w' });
    expect(memory.map(({ content }) => content)).toEqual(['notes', 'project']);
  });

  it('takes no rules from outside the project, and survives links that go in a circle', async () => {
    const folder = await createFiles({
      'p/.git/HEAD': '',
      'p/.claude/rules/a.md': 'A',
      'p/docs/b.md': 'B',
      'else/c.md': 'C',
    });
    const rules = join(folder, 'p/.claude/rules');
    await symlink('/', join(rules, 'root'));
    await symlink('..', join(rules, 'up'));
    await symlink(join(folder, 'p/docs'), join(rules, 'docs'));
    await symlink(join(folder, 'else/c.md'), join(rules, 'c.md'));
    const folders = { home: folder, claude: join(folder, 'h'), troupe: folder };
    const { memory, warnings } = await loadMemory({ cwd: join(folder, 'p'), folders });
    expect(memory.map(({ content }) => content)).toEqual(['A', 'B']);
    expect(warnings).toEqual([
      `${rules}/root: the folder is left out: it is a link that leads out of the project.`,
      `${rules}/c.md: the instructions are left out: it is a link that leads out of the project.`,
    ]);
  });

  it('takes patterns of paths that are written without quotes', async () => {
    const folder = await createFiles({
      'p/.git/HEAD': '',
      'p/.claude/rules/a.md': '---\npaths: **/*.ts\n---\nA',
      'p/.claude/rules/b.md': '---\npaths: {src,lib}/**, *.md\n---\nB',
    });
    const folders = { home: folder, claude: join(folder, 'h'), troupe: folder };
    const { memory, warnings } = await loadMemory({ cwd: join(folder, 'p'), folders });
    expect(warnings).toEqual([]);
    expect(memory.map(({ globs }) => globs)).toEqual([['**/*.ts'], ['{src,lib}/**', '*.md']]);
  });

  it('waits for no pipe', async () => {
    const folder = await createFiles({ 'p/.git/HEAD': '' });
    execFileSync('mkfifo', [join(folder, 'p/CLAUDE.md')]);
    const cwd = join(folder, 'p');
    const folders = { home: folder, claude: join(folder, '.claude'), troupe: folder };
    expect(await loadMemory({ cwd, folders })).toMatchObject({ memory: [], warnings: [] });
  });

  it('reads the layers that are wanted', async () => {
    const files = { 'home/.claude/CLAUDE.md': 'user', 'home/p/CLAUDE.md': 'project' };
    expect((await load(files, { sources: ['user'] })).told).toEqual([
      'home/.claude/CLAUDE.md: user',
    ]);
  });
});
