import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { createOrchestrator, createScriptedModel, getEmptyToolPermissionContext } from 'troupe';
import { describePairs, inMs, measurePairs, ratiosOf } from '../pairs.js';
import { endOf } from '../processes.js';
import type { Line, Row } from '../row.js';
import { withFolder } from '../temporary-folder.js';

const FILES = 50_000;
const FILES_OF_FOLDER = 100;
const LINES = '// A file like many others.\nexport const value = 1;\n'.repeat(10);
const RULES = { alwaysDenyRules: { session: ['Read(.env)', 'Read(**/secrets/**)'] } };

type Search = {
  readonly what: string;
  readonly tool: 'Grep' | 'Glob';
  readonly input: Readonly<Record<string, unknown>>;
  /** The arguments with which the tool starts ripgrep. */
  readonly args: readonly string[];
};

const WITHOUT_GIT = '--glob=!{.git,.svn,.hg,.jj,.sl}';
const GREP = ['--hidden', '--null', '--with-filename', '--regexp=needle', WITHOUT_GIT];
const GLOB = ['--files', '--null', '--hidden', '--sortr=modified', WITHOUT_GIT];
const SEARCHES: readonly Search[] = [
  {
    what: 'Grep, paths of 100 files',
    tool: 'Grep',
    input: { pattern: 'needle' },
    args: [...GREP, '--files-with-matches', '--', './'],
  },
  {
    what: 'Grep, lines of 100 files',
    tool: 'Grep',
    input: { pattern: 'needle', output_mode: 'content' },
    args: [...GREP, '--no-heading', '--line-number', '--max-columns=500', '--', './'],
  },
  {
    what: 'Glob, a quarter of the files',
    tool: 'Glob',
    input: { pattern: '**/*.ts' },
    args: [...GLOB, '--type-add=wanted:*.ts', '--type=wanted'],
  },
];

/** A search takes a tenth of a second: the fastest of these counts. */
const RUNS = 3;

const NOTHING = { tool: 'Glob', input: { pattern: 'none' } } as const;

/** Searches in a tree of 50,000 files, as calls of an agent, against ripgrep alone. */
export const search: Row = {
  name: 'search',
  measure: ({ pairs }) =>
    withFolder(async (folder) => {
      const tree = join(folder, 'tree');
      await writeTree(tree);
      const lines: Line[] = [];
      for (const rules of [{}, RULES])
        for (const one of SEARCHES) lines.push(await lineOf(one, { folder, tree, rules, pairs }));
      return lines;
    }),
};

type World = {
  readonly folder: string;
  readonly tree: string;
  readonly rules: Partial<typeof RULES>;
  readonly pairs: number;
};

async function lineOf(one: Search, { folder, tree, rules, pairs }: World): Promise<Line> {
  const calls = createCalls(folder, tree, rules);
  try {
    await calls.time(one);
    const times = await measurePairs(pairs, (who) =>
      fastestOf(RUNS, () => (who === 'floor' ? timeOfRipgrep(tree, one.args) : calls.time(one))),
    );
    const isFree = rules.alwaysDenyRules === undefined;
    return {
      what: `${one.what} of ${FILES}${isFree ? '' : ', two rules that deny reading'} / ripgrep`,
      ...describePairs(times, inMs),
      goal: isFree ? 'ratio ≤ 1.1' : '',
      ...(isFree && { judged: { values: ratiosOf(times), limit: 1.1 } }),
    };
  } finally {
    await calls.close();
  }
}

/** Other work of the machine only makes a run slower. */
async function fastestOf(runs: number, run: () => Promise<number>): Promise<number> {
  let fastest = Infinity;
  for (let index = 0; index < runs; index += 1) fastest = Math.min(fastest, await run());
  return fastest;
}

/** Sessions with two calls each: the first of a session makes its files. */
function createCalls(home: string, cwd: string, rules: Partial<typeof RULES>) {
  let next: Pick<Search, 'tool' | 'input'> = NOTHING;
  let begunAt = 0;
  let tookMs = NaN;
  const troupe = createOrchestrator({
    cwd,
    home,
    permissions: { ...getEmptyToolPermissionContext(), ...rules },
    model: createScriptedModel(({ messages }) => {
      const calls = messages.filter(({ role }) => role === 'assistant').length;
      tookMs = performance.now() - begunAt;
      if (calls === 2) return { text: 'Done.' };
      const { tool: name, input } = calls === 0 ? NOTHING : next;
      begunAt = performance.now();
      return { tools: [{ name, input }] };
    }),
  });
  return {
    /** From the model's reply to the request with the result. */
    async time(one: Search): Promise<number> {
      next = one;
      await troupe.session({ prompt: 'Search.' }).outcome;
      return tookMs;
    },
    close: () => troupe.close(),
  };
}

async function timeOfRipgrep(cwd: string, args: readonly string[]): Promise<number> {
  const begunAt = performance.now();
  const child = spawn(rgPath, ['--no-config', '--no-messages', '--color=never', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  const { code, errors } = await endOf(child);
  if (code !== 0) throw new Error(`ripgrep ended with ${code}:\n${errors}`);
  return performance.now() - begunAt;
}

async function writeTree(tree: string): Promise<void> {
  for (let begin = 0; begin < FILES; begin += FILES_OF_FOLDER) {
    const folder = join(
      tree,
      `package-${(begin / FILES_OF_FOLDER) % 25}`,
      'src',
      `module-${begin}`,
    );
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: FILES_OF_FOLDER }, (_, index) => begin + index);
    await Promise.all(
      names.map((index) => {
        const extension = ['ts', 'js', 'json', 'md'][index % 4];
        const text = index % 500 === 0 ? `${LINES}needle\n` : LINES;
        return writeFile(join(folder, `file-${index}.${extension}`), text);
      }),
    );
  }
}
