import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import { createGate } from '../support/gate.js';
import { git, makeRepository } from '../support/repository.js';
import { until } from '../processes/processes.js';
import { agent, answer, bash, newestText, requestsOf, results, textOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const BYPASS = ['--permission-mode', 'bypassPermissions'];
const env = { IS_SANDBOX: '1' };
const worktrees = (cwd: string): readonly string[] =>
  readdirSync(join(cwd, '.troupe/worktrees')).filter((name) => !name.startsWith('.'));

describe.concurrent('agents in worktrees', () => {
  it('leave their work to be merged, and nothing else', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    makeRepository(place.cwd);
    const apart = { isolation: 'worktree' };
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('change', apart), agent('look', apart)] }, { text: 'Done.' }],
        change: [{ tools: [bash('echo new > a.txt')] }, { text: 'Changed.' }],
        look: [{ tools: [bash('cat a.txt')] }, { text: 'Looked.' }],
      }),
    });
    expect(await place.call(['-p', 'go', ...BYPASS], { api, env })).toMatchObject({ code: 0 });
    const left = worktrees(place.cwd);
    expect(left).toHaveLength(1);
    const [changed, looked] = results(requestsOf(api, 'go')[1]);
    expect(textOf(changed?.content)).toContain(
      `files were changed: ${place.at(`.troupe/worktrees/${left[0]}`)}, branch troupe/${left[0]}.`,
    );
    expect(textOf(looked?.content)).not.toContain('worktree');
    expect(await place.text('a.txt')).toBe('old\n');
    expect(git(place.cwd, 'status', '--porcelain')).toBe('');
    expect(git(place.cwd, 'branch', '--format=%(refname:short)')).toBe(`main\ntroupe/${left[0]}`);
  });

  it('are found after kill -9: work is kept and told, and what has none goes', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    makeRepository(place.cwd);
    const apart = { isolation: 'worktree', run_in_background: true };
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('change', apart), agent('look', apart)] },
          { text: 'They work.' },
          { text: 'I see.' },
        ],
        change: [{ tools: [bash('echo new > b.txt; sleep 60')] }],
        look: [{ tools: [bash('sleep 60')] }],
      }),
    });
    const first = place.start(['-p', 'go', ...BYPASS], { api, env });
    await until('both work', () => {
      if (!existsSync(place.at('.troupe/worktrees'))) return false;
      const names = worktrees(place.cwd);
      return (
        names.length === 2 &&
        names.some((name) => existsSync(place.at(`.troupe/worktrees/${name}/b.txt`))) &&
        requestsOf(api, 'look').length === 1 &&
        requestsOf(api, 'go').length === 2
      );
    });
    first.kill('SIGKILL');
    await first.ended;
    const second = await place.call(['-p', '-c', 'and?', ...BYPASS], { api, env });
    expect(second).toMatchObject({ code: 0, stdout: 'I see.\n' });
    const left = worktrees(place.cwd);
    expect(left).toHaveLength(1);
    expect(existsSync(place.at(`.troupe/worktrees/${left[0]}/b.txt`))).toBe(true);
    expect(git(place.cwd, 'branch', '--format=%(refname:short)')).toBe(`main\ntroupe/${left[0]}`);
    const told = newestText(requestsOf(api, 'go').at(-1)).split('<task-notification>');
    expect(told.filter((one) => one.includes('Lost with the process'))).toHaveLength(2);
    expect(told.filter((one) => one.includes('<worktree>'))).toHaveLength(1);
    expect(told.find((one) => one.includes('<worktree>'))).toContain(
      `${place.at(`.troupe/worktrees/${left[0]}`)}, branch troupe/${left[0]}.`,
    );
    expect(comparePrefix(requestsOf(api, 'go').map(({ body }) => body))).toBeUndefined();
  });

  it('are resumed after kill -9 in their worktree, by the ID that the model saw', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    makeRepository(place.cwd);
    const held = createGate();
    let id: string | undefined;
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('change', { isolation: 'worktree' })] },
          () => {
            if (id !== undefined) return { tools: [agent('again', { resume: id })] };
            held.open();
            return { connection: 'silent' };
          },
          { text: 'Done.' },
        ],
        change: [
          { tools: [bash('echo new > b.txt')] },
          { text: 'Changed.' },
          { tools: [bash('cat b.txt')] },
          { text: 'Still there.' },
        ],
      }),
    });
    const first = place.start(['-p', 'go', ...BYPASS], { api, env });
    await held.opened;
    first.kill('SIGKILL');
    await first.ended;
    id = /\[Agent: (\S+), for resume\]/.exec(newestText(requestsOf(api, 'go')[1]))?.[1] ?? '';
    const second = await place.call(['-p', '-c', 'continue', ...BYPASS], { api, env });
    expect(second).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
    const bodies = requestsOf(api, 'change');
    expect(bodies).toHaveLength(4);
    expect(comparePrefix(bodies.map(({ body }) => body))).toBeUndefined();
    expect(newestText(bodies.at(-1))).toContain('new');
  });
});
