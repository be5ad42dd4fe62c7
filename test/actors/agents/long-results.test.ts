import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { shellWord } from '../../../src/core/text/shell-word.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { bashCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

/** No person decides: every tool that needs approval is denied, except commands. */
const NOBODY_ASKED = {
  ...getEmptyToolPermissionContext(),
  mode: 'dontAsk',
  alwaysAllowRules: { session: ['Bash(seq *)', 'Bash(yes *)', 'Bash(head *)'] },
} as const;

/** Runs the steps of an agent, each made of the results of the one before. @returns all results */
async function run(steps: readonly ((results: readonly string[]) => readonly object[])[]) {
  const seen: string[] = [];
  const play = (step: (typeof steps)[number]) => (request: ModelRequest) => {
    const results = newestResults(request.messages).map(resultText);
    seen.push(...results);
    return { tools: step(results) as never };
  };
  const last = (request: ModelRequest) => {
    seen.push(...newestResults(request.messages).map(resultText));
    return { text: 'Done.' };
  };
  const { troupe } = await createTroupe(playParts({ main: [...steps.map(play), last] }), {
    permissions: NOBODY_ASKED,
  });
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  return { seen, session };
}

const fileOf = (text = ''): string => /\[Full output saved to (.+)\]/.exec(text)?.[1] ?? '';

describe('a long result', () => {
  it('is whole in the file that it names, also beyond what is kept in memory', async () => {
    const { seen } = await run([() => [bashCall('seq 1 400000')]]);
    const lines = (await readFile(fileOf(seen[0]), 'utf8')).trimEnd().split('\n');
    expect([lines.length, lines[0], lines[200_000], lines.at(-1)]).toEqual([
      400_000,
      '1',
      '200001',
      '400000',
    ]);
  });

  it('says how much is lost beyond 64 MiB', async () => {
    const { seen } = await run([() => [bashCall('yes xxxxxxx | head -c 70000000')]]);
    const [, path = '', missing] =
      /^\[The beginning of the output is saved to (.+); the last (\d+) bytes were above the limit and are lost\]/.exec(
        seen[0] ?? '',
      ) ?? [];
    expect(Number(missing)).toBe(70_000_000 - 64 * 1024 * 1024);
    expect((await stat(path)).size).toBeGreaterThanOrEqual(64 * 1024 * 1024);
  });

  it('may be read by the agents of its session without approval, and nothing else of it', async () => {
    let folder = '';
    const { seen } = await run([
      () => [bashCall('seq 1 20000')],
      ([result]) => {
        const file = fileOf(result);
        folder = dirname(file);
        return [
          { name: 'Read', input: { file_path: file, offset: 15_000, limit: 2 } },
          { name: 'Grep', input: { pattern: '^1777$', path: file, output_mode: 'content' } },
          bashCall(`grep -c 77 ${shellWord(file)}`),
          { name: 'Read', input: { file_path: join(folder, '../tasks.jsonl') } },
          { name: 'Read', input: { file_path: join(folder, '../../other/output/x') } },
          { name: 'Read', input: { file_path: `${folder}/../tasks.jsonl` } },
          { name: 'Write', input: { file_path: join(folder, 'new.txt'), content: 'x' } },
        ];
      },
    ]);
    const [, read, grep, count, ...denied] = seen;
    expect(read).toContain('15000');
    expect(grep).toContain('1777');
    expect(count).toBe('560');
    expect(denied).toHaveLength(4);
    for (const text of denied) expect(text).toMatch(/^Permission to use (?:Read|Write) was denied/);
  });
});
