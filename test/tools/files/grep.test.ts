import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GlobTool } from '../../../src/tools/files/glob.js';
import { GrepTool } from '../../../src/tools/files/grep.js';
import { createWorkspace, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

const NOTE = '[2 files were left out: a permission rule denies or asks for reading them.]';

const FILES = {
  'a.ts': 'alpha\nbeta\ngamma\nalpha beta\n',
  'a/b.ts': 'beta\r\n',
  'b.md': 'Alpha\n',
  '.hidden.ts': 'alpha\n',
};

const never = () => Promise.reject(new Error('Grep calls no other tool.'));

/** A workspace with these files, and a search in it whose lines name paths relative to it. */
async function searchable(files: Readonly<Record<string, string | Buffer>> = FILES) {
  const workspace = await createWorkspace(files);
  const { folder } = workspace;
  const grep = async (input: Readonly<Record<string, unknown>>) => {
    const text = await runText(GrepTool, input, createContext(folder));
    return text.split('\n').map((line) => line.replaceAll(`${folder}/`, ''));
  };
  return { ...workspace, grep };
}

describe('Grep', () => {
  it.each([
    ['files_with_matches', ['a.ts', NOTE]],
    ['content', ['a.ts:1:SECRET', NOTE]],
    ['count', ['a.ts:1', '[1 matches in 1 files]', NOTE]],
  ])('leaves out what may not be read, and says so: %s', async (output_mode, lines) => {
    const { folder } = await createWorkspace({
      'a.ts': 'SECRET\n',
      '.env': 'SECRET\nSECRET\n',
      'secrets/key': 'SECRET\n',
    });
    const mayRead = (path: string) => !/\.env|secrets/.test(path);
    const context = createContext(folder, { files: { mayRead } });
    const text = await runText(GrepTool, { pattern: 'SECRET', output_mode }, context);
    expect(text.replaceAll(`${folder}/`, '').split('\n')).toEqual(lines);
  });

  it('judges a link by the file that it leads to', async () => {
    const { folder, at } = await createWorkspace({ 'secrets/key': 'SECRET\n' });
    await symlink(at('secrets/key'), at('harmless.txt'));
    await symlink(at('secrets'), at('harmless'));
    const context = createContext(folder, {
      files: { mayRead: (path) => !path.includes('/secrets/') },
    });
    for (const path of ['harmless.txt', 'harmless']) {
      const text = await runText(GrepTool, { pattern: 'SECRET', path }, context);
      expect(text).toBe(
        `No matches found.\n${NOTE.replace('2 files were', '1 file was').replace('them', 'it')}`,
      );
    }
  });

  it.each([
    ['files by default', { pattern: 'alpha' }, ['.hidden.ts', 'a.ts']],
    [
      'lines',
      { pattern: 'beta', output_mode: 'content' },
      ['a/b.ts:1:beta', 'a.ts:2:beta', 'a.ts:4:alpha beta'],
    ],
    [
      'counts',
      { pattern: 'beta', output_mode: 'count' },
      ['a/b.ts:1', 'a.ts:2', '[3 matches in 2 files]'],
    ],
    [
      'lines without numbers',
      { pattern: 'gamma', output_mode: 'content', '-n': false },
      ['a.ts:gamma'],
    ],
    ['whatever the case', { pattern: 'ALPHA', '-i': true }, ['.hidden.ts', 'a.ts', 'b.md']],
    ['files of a glob', { pattern: 'alpha', '-i': true, glob: '*.md' }, ['b.md']],
    ['files of a type', { pattern: 'alpha', '-i': true, type: 'md' }, ['b.md']],
    ['in one folder', { pattern: 'beta', path: 'a' }, ['a/b.ts']],
    [
      'in one file',
      { pattern: 'alpha', path: 'a.ts', output_mode: 'content' },
      ['a.ts:1:alpha', 'a.ts:4:alpha beta'],
    ],
    [
      'what matched alone',
      { pattern: 'al.', output_mode: 'content', '-o': true, path: 'a.ts' },
      ['a.ts:1:alp', 'a.ts:4:alp'],
    ],
    [
      'lines after',
      { pattern: 'beta$', output_mode: 'content', path: 'a.ts', '-A': 1 },
      ['a.ts:2:beta', 'a.ts-3-gamma', 'a.ts:4:alpha beta'],
    ],
    [
      'lines before',
      { pattern: 'gamma', output_mode: 'content', '-B': 1 },
      ['a.ts-2-beta', 'a.ts:3:gamma'],
    ],
    [
      'lines around',
      { pattern: 'gamma', output_mode: 'content', '-C': 1 },
      ['a.ts-2-beta', 'a.ts:3:gamma', 'a.ts-4-alpha beta'],
    ],
    [
      'across lines',
      { pattern: 'beta.gamma', output_mode: 'content', multiline: true },
      ['a.ts:2:beta', 'a.ts:3:gamma'],
    ],
    ['nothing', { pattern: 'delta' }, ['No matches found.']],
    ['what looks like an option', { pattern: '--files' }, ['No matches found.']],
  ])('finds %s', async (_, input, expected) => {
    const { grep } = await searchable();
    expect(await grep(input)).toEqual(expected);
  });

  it('marks the places of lines that are left out', async () => {
    const { grep } = await searchable({ a: 'x\n1\n2\n3\n4\nx\n' });
    expect(await grep({ pattern: 'x', output_mode: 'content', '-A': 1 })).toEqual([
      'a:1:x',
      'a-2-1',
      '--',
      'a:6:x',
    ]);
  });

  it('pages through results in one order', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`d${index % 4}/f${index}.txt`, 'x\nx\n']),
    );
    const { grep } = await searchable(files);
    const whole = await grep({ pattern: 'x', output_mode: 'content', head_limit: 0 });
    expect(whole).toHaveLength(80);
    const pages: string[] = [];
    for (let offset = 0; offset < 80; offset += 30) {
      const page = await grep({ pattern: 'x', output_mode: 'content', head_limit: 30, offset });
      pages.push(...page.filter((line) => !line.startsWith('[')));
    }
    expect(pages).toEqual(whole);
  });

  it('says that there is more, and how to get it', async () => {
    const { grep } = await searchable({ a: 'x\n'.repeat(300) });
    const lines = await grep({ pattern: 'x', output_mode: 'content' });
    expect(lines).toHaveLength(251);
    expect(lines.at(-1)).toBe(
      '[Results 1-250; there are more. Continue with offset 250, or narrow the search.]',
    );
    expect(await grep({ pattern: 'x', output_mode: 'content', offset: 900 })).toEqual([
      'No results after offset 900.',
    ]);
  });

  it('has 100,000 results at most, and continues behind them', async () => {
    const { folder } = await createWorkspace({ a: 'x\n'.repeat(100_002) });
    const find = async (offset: number) => {
      const input = { pattern: 'x', output_mode: 'content', head_limit: 0, offset } as const;
      const { data } = await GrepTool.call(input, createContext(folder), never, undefined);
      const { matches, truncated } = data;
      return { lines: [matches[0]?.line, matches.at(-1)?.line], truncated };
    };
    expect(await find(0)).toEqual({ lines: [1, 100_000], truncated: true });
    expect(await find(100_000)).toEqual({ lines: [100_001, 100_002], truncated: false });
  });

  it('stops ripgrep once it has enough', async () => {
    const { grep } = await searchable({ a: 'x\n'.repeat(3_000_000) });
    const lines = await grep({ pattern: 'x', output_mode: 'content', head_limit: 2 });
    expect(lines.slice(0, 2)).toEqual(['a:1:x', 'a:2:x']);
  });

  it('cuts long lines and leaves out binary files, version control and ignored files', async () => {
    const { grep } = await searchable({
      '.git/config': 'x',
      '.ignore': 'ignored\n',
      ignored: 'x',
      long: `x${'y'.repeat(2_000)}\n`,
      binary: Buffer.from('\0x\n'),
    });
    const [line, ...others] = await grep({ pattern: 'x', output_mode: 'content' });
    expect(line?.startsWith('long:1:xyyy')).toBe(true);
    expect(line?.length).toBeLessThan(600);
    expect(others).toEqual([]);
    expect(await grep({ pattern: 'x', path: '.git' })).toEqual(['.git/config']);
  });

  it('pays no heed to a configuration file of ripgrep', async () => {
    const { at, put, grep } = await searchable();
    await put('config', '--invert-match\n');
    process.env['RIPGREP_CONFIG_PATH'] = at('config');
    try {
      expect(await grep({ pattern: 'gamma' })).toEqual(['a.ts']);
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });

  it.each([
    ['a bad pattern', { pattern: 'a(' }, 'The search failed: rg: regex parse error'],
    ['an unknown type', { pattern: 'a', type: 'nope' }, 'unrecognized file type: nope'],
    ['a bad glob', { pattern: 'a', glob: '[' }, 'error parsing glob'],
    ['a missing path', { pattern: 'a', path: 'a.tz' }, 'Did you mean'],
    [
      'an unknown mode',
      { pattern: 'a', output_mode: 'json' },
      'Grep: output_mode must be one of "content", "files_with_matches", "count", not the string "json"',
    ],
    [
      'less than nothing',
      { pattern: 'a', '-A': -1 },
      'Grep: -A must be at least 0, not the number -1',
    ],
  ])('refuses %s', async (_, input, message) => {
    const { folder } = await searchable();
    await expect(runText(GrepTool, input, createContext(folder))).rejects.toThrow(message);
  });

  it.each([
    ['Grep', GrepTool, { pattern: 'x' }],
    ['Glob', GlobTool, { pattern: '**/*' }],
  ])('ends after a minute if an ignore file is a pipe: %s', async (_, tool, input) => {
    const { folder, at } = await searchable();
    execFileSync('mkfifo', [at('.ignore')]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const search = runText(tool, input, createContext(folder));
    const late = async () => {
      await vi.waitUntil(() => vi.getTimerCount() > 0);
      vi.advanceTimersByTime(60_000);
    };
    const [{ reason }] = (await Promise.allSettled([search, late()])) as [
      PromiseRejectedResult,
      unknown,
    ];
    expect(String(reason)).toContain('did not end within 60 s');
  });

  it('ends with its signal', async () => {
    const { folder } = await searchable();
    const context = createContext(folder);
    const search = runText(GrepTool, { pattern: 'x', path: '/usr' }, context);
    context.call.abortController.abort(new Error('stop'));
    await expect(search).rejects.toThrow('stop');
  });
});
