import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelRequest } from '../../../src/model/model.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { git, GIT_ENV, makeRepository } from '../../support/repository.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createTroupe, defineAgent, type TroupeOptions } from '../../support/troupe.js';

const env = GIT_ENV;
const AGENTS = [defineAgent('helper'), defineAgent('apart', { isolation: 'worktree' })];

function isolated(type = 'helper', input: Readonly<Record<string, unknown>> = {}) {
  const call = agentCall(type);
  return { ...call, input: { ...call.input, isolation: 'worktree', ...input } };
}

/** A troupe whose folder is a repository with one commit. */
async function createRepositoryTroupe(
  parts: Parameters<typeof playParts>[0],
  options: TroupeOptions = {},
) {
  const results: string[] = [];
  const systems = new Map<string, readonly string[]>();
  const play = playParts(parts);
  const world = await createTroupe(
    (request: ModelRequest, ...rest) => {
      systems.set(request.origin.agentType, request.system);
      if (request.origin.agentType === 'main')
        results.push(...newestResults(request.messages).map(resultText));
      return play(request, ...rest);
    },
    { agents: AGENTS, env, ...options },
  );
  makeRepository(world.cwd);
  return { ...world, results, systems };
}

const branches = (folder: string): string => git(folder, 'branch', '--format=%(refname:short)');
const write = (name: string) => bashCall(`echo new > ${name}`);

describe('an agent in its own worktree', () => {
  it('works there, and its result names what it leaves', async () => {
    const { troupe, cwd, results, systems } = await createRepositoryTroupe({
      main: [{ tools: [isolated()] }, { text: 'Done.' }],
      helper: [{ tools: [write('a.txt'), bashCall('pwd')] }, { text: 'Changed.' }],
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const [task] = session.tasks().filter(({ type }) => type === 'local_agent');
    const path = join(cwd, '.troupe/worktrees', task!.id);
    const branch = `troupe/${task!.id}`;
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('old\n');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('new\n');
    expect(results[0]).toMatch(
      `Changed.\n\n[Its git worktree is kept, because files were changed: ${path}, branch ${branch}.]`,
    );
    expect(task?.worktree).toEqual({ path, branch, why: 'files were changed' });
    expect(systems.get('helper')?.at(-1)).toContain(
      `Working directory: ${path}\nThis is your git worktree, on the branch ${branch}:`,
    );
    expect(git(cwd, 'status', '--porcelain')).toBe('');
    const lines = await linesOf(session, 'tasks.jsonl');
    const types = lines.flatMap(({ type, id, status }) =>
      id === task!.id ? [status === undefined ? type : String(status)] : [],
    );
    expect(types).toEqual(['worktree.begun', 'pending', 'running', 'worktree.kept', 'completed']);
  });

  it.each([
    ['completes', [{ text: 'Nothing.' }], 'Nothing.'],
    ['fails', [{ error: { status: 400 } }], 'failed'],
  ] as const)('leaves nothing if it %s without a change', async (_how, helper, said) => {
    const { troupe, cwd, results } = await createRepositoryTroupe({
      main: [{ tools: [isolated()] }, { text: 'Done.' }],
      helper: helper as never, // replies of the script
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results[0]).toContain(said);
    expect(results[0]).not.toContain('worktree');
    expect(branches(cwd)).toBe('main');
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('that is killed leaves its work', async () => {
    const { troupe, cwd } = await createRepositoryTroupe({
      main: [{ text: 'Nothing.' }],
      helper: [{ tools: [bashCall('echo new > b.txt; sleep 60')] }],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const task = await session.spawn({ agent: 'helper', prompt: 'x', isolation: 'worktree' });
    const file = join(cwd, '.troupe/worktrees', task.id, 'b.txt');
    await expect.poll(() => existsSync(file)).toBe(true);
    expect(await task.kill('enough')).toMatchObject({ status: 'killed' });
    expect(existsSync(file)).toBe(true);
    expect(session.tasks().find(({ id }) => id === task.id)?.worktree).toMatchObject({
      why: 'files were changed',
    });
  });

  it('in the background tells it with its end', async () => {
    const { troupe } = await createRepositoryTroupe({
      main: [
        { tools: [agentCall('apart', { background: true })] },
        { text: 'Waiting.' },
        ({ messages }) => ({ text: userTexts(messages).at(-1) ?? '' }),
      ],
      apart: [{ tools: [bashCall('git commit -q --allow-empty -m x')] }, { text: 'Committed.' }],
    });
    const outcome = await troupe.session({ prompt: 'Go.' }).outcome;
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(outcome).toMatchObject({
      result: expect.stringMatching(
        /<worktree>Its git worktree is kept, because it has commits: .*<\/worktree>/,
      ) as string,
    });
  });

  it('has those that it starts work there too', async () => {
    const { troupe, cwd, systems } = await createRepositoryTroupe(
      {
        main: [{ tools: [isolated()] }, { text: 'Done.' }],
        helper: [{ tools: [agentCall('below')] }, { text: 'Passed on.' }],
        below: [{ tools: [write('below.txt')] }, { text: 'Changed.' }],
      },
      { agents: [...AGENTS, defineAgent('below')] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const [kept] = session.tasks().flatMap(({ worktree }) => worktree ?? []);
    expect(existsSync(join(kept!.path, 'below.txt'))).toBe(true);
    expect(existsSync(join(cwd, 'below.txt'))).toBe(false);
    expect(systems.get('below')?.at(-1)).toContain(`Working directory: ${kept!.path}\n`);
  });

  it('continues in it when it is resumed, also if it was removed', async () => {
    const { troupe, cwd } = await createRepositoryTroupe({
      main: [{ text: 'Nothing.' }],
      helper: [{ text: 'One.' }, { tools: [write('b.txt')] }, { text: 'Two.' }, { text: 'Three.' }],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const first = await session.spawn({ agent: 'helper', prompt: 'x', isolation: 'worktree' });
    await first.outcome;
    const path = join(cwd, '.troupe/worktrees', first.id);
    expect(existsSync(path)).toBe(false);
    const second = await session.spawn({ resume: first.id, prompt: 'y' });
    expect(await second.result).toBe('Two.');
    expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('new\n');
    const third = await session.spawn({ resume: first.id, prompt: 'z' });
    expect(await third.result).toBe('Three.');
    expect(session.tasks().find(({ id }) => id === third.id)?.worktree).toMatchObject({ path });
  });

  it('is not taken from the session that another one is a copy of', async () => {
    const { troupe, cwd } = await createRepositoryTroupe({
      main: [{ text: 'Nothing.' }],
      helper: [{ tools: [bashCall('sleep 60')] }],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const task = await session.spawn({ agent: 'helper', prompt: 'x', isolation: 'worktree' });
    const path = join(cwd, '.troupe/worktrees', task.id);
    await expect.poll(() => session.tasks().some(({ type }) => type === 'local_bash')).toBe(true);
    const copy = troupe.session({ resume: session.sessionId, forks: true, prompt: 'And you?' });
    expect(await copy.outcome).toMatchObject({ status: 'completed' });
    expect(copy.tasks().find(({ id }) => id === task.id)).toMatchObject({
      status: 'failed',
      worktree: { path, why: 'the session that this one is a copy of may use it' },
    });
    expect(existsSync(path)).toBe(true);
    await task.kill();
    expect(existsSync(path)).toBe(false);
  });

  it('is gone again if its task is refused because the one above it is being stopped', async () => {
    const begun = createGate();
    const end = createGate();
    const deaf = buildTool({
      name: 'Deaf',
      inputSchema: z.object({}),
      async call() {
        begun.open();
        await end.opened;
        return { data: 'Late.' };
      },
    });
    const { troupe, cwd } = await createRepositoryTroupe(
      { main: [{ tools: [{ name: 'Deaf', input: {} }] }, { text: 'Unreached.' }] },
      { tools: [deaf], graceMs: 60_000 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await begun.opened;
    const killed = session.kill();
    const asked = session.spawn({ agent: 'helper', prompt: 'Work.', isolation: 'worktree' });
    await expect(asked).rejects.toMatchObject({ code: 'TASK_REFUSED' });
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(branches(cwd)).toBe('main');
    expect((await linesOf(session, 'tasks.jsonl')).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['worktree.begun', 'worktree.removed']),
    );
    end.open();
    await killed;
  });

  it('is refused if there is no repository, and in plan mode', async () => {
    const results: string[] = [];
    const script = playParts({
      main: [
        { tools: [isolated()] },
        ({ messages }) => {
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { agents: AGENTS, env });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results[0]).toMatch(/No worktree of .*not a git repository.*git init\./);
    const planning = { ...getEmptyToolPermissionContext(), mode: 'plan' } as const;
    const second = await createRepositoryTroupe(
      { main: [{ tools: [isolated()] }, { text: 'Done.' }] },
      { permissions: planning },
    );
    await second.troupe.session({ prompt: 'Go.' }).outcome;
    expect(second.results[0]).toContain('in plan mode nothing is changed');
  });
});

describe('the rules of an agent in a worktree', () => {
  const editing = { ...getEmptyToolPermissionContext(), mode: 'acceptEdits' } as const;

  async function editedBy(
    file: (cwd: string) => string,
    rules: Partial<typeof editing> = {},
  ): Promise<string> {
    let place = '';
    const said: string[] = [];
    const { troupe, cwd } = await createRepositoryTroupe(
      {
        main: [{ tools: [isolated()] }, { text: 'Done.' }],
        helper: [
          () => ({ tools: [{ name: 'Write', input: { file_path: place, content: 'x' } }] }),
          ({ messages }) => {
            said.push(...newestResults(messages).map(resultText));
            return { text: 'Ended.' };
          },
        ],
      },
      { permissions: { ...editing, ...rules } },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, id }) => {
      if (type === 'local_agent') place = file(cwd).replace('TASK', id);
    });
    await session.outcome;
    return said.join('\n');
  }

  const inside = (cwd: string): string => join(cwd, '.troupe/worktrees/TASK/src/x.ts');

  it('let it edit there as elsewhere in the folder', async () => {
    expect(await editedBy(inside)).toContain('src/x.ts');
    expect(await editedBy(inside)).not.toContain('denied');
  });

  it('keep it out of the main work tree', async () => {
    expect(await editedBy((cwd) => join(cwd, 'src/x.ts'))).toMatch(/denied|outside the workspace/);
  });

  it('deny in both what is written for the folder', async () => {
    const rules = { alwaysDenyRules: { session: ['Edit(/src/**)'] } };
    expect(await editedBy(inside, rules)).toContain('denied');
    const bypass = { ...rules, mode: 'bypassPermissions', isBypassPermissionsModeAvailable: true };
    expect(await editedBy((cwd) => join(cwd, 'src/x.ts'), bypass as never)).toContain('denied'); // a mode of the same type
  });
});

describe('many agents in worktrees', () => {
  it('do not get in each other’s way', { timeout: 120_000 }, async () => {
    const count = process.env['TROUPE_DEEP'] === undefined ? 4 : 200;
    const { troupe, cwd } = await createRepositoryTroupe({
      main: [{ text: 'Nothing.' }],
      helper: [{ text: 'Nothing.' }],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const tasks = await Promise.all(
      Array.from({ length: count }, () =>
        session.spawn({ agent: 'helper', prompt: 'x', isolation: 'worktree' }),
      ),
    );
    const ends = await Promise.all(tasks.map(({ outcome }) => outcome));
    expect(ends.filter(({ status }) => status === 'completed')).toHaveLength(count);
    expect(branches(cwd)).toBe('main');
  });
});
