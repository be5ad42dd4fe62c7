import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { EnterWorktreeTool } from '../../../src/tools/worktrees/enter-worktree.js';
import { ExitWorktreeTool } from '../../../src/tools/worktrees/exit-worktree.js';
import { git, GIT_ENV, makeRepository } from '../../support/repository.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { ALLOW_ALL, createTroupe, defineAgent, type TroupeOptions } from '../../support/troupe.js';

type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const enter = (name?: string): Call => ({ name: 'EnterWorktree', input: { name } });
const exit = (action: string, discard?: boolean): Call => ({
  name: 'ExitWorktree',
  input: { action, discard_changes: discard },
});
const commit = (file: string) =>
  bashCall(`echo new > ${file} && git add -A && git commit -qm ${file}`);

const refusal = (folder: string, why: string): string =>
  `ExitWorktree: nothing was removed, and you still work in ${folder}, because ${why}. Commit and merge the work into another branch, or use action "keep". If the user wants to lose the work, use discard_changes: true.`;

/** A troupe over a repository with one commit. A session makes calls one after the other. */
async function createRepository(options: TroupeOptions & { readonly isPlain?: true } = {}) {
  const { isPlain, ...others } = options;
  let script: ReturnType<typeof playParts> = playParts({});
  const results: string[] = [];
  const told: string[] = [];
  const world = await createTroupe(
    (request, ...rest) => {
      if (request.origin.agentType === 'main') {
        results.push(...newestResults(request.messages).map(resultText));
        told.push(...userTexts(request.messages.slice(-1)));
      }
      return script(request, ...rest);
    },
    { env: GIT_ENV, ...others },
  );
  if (isPlain === undefined) makeRepository(world.cwd);
  /** @returns the results of the calls */
  const run = async (calls: readonly Call[], resume?: object, helper: readonly Call[] = []) => {
    const replies = (list: readonly Call[]) => [
      ...list.map((call) => ({ tools: [call] })),
      { text: 'Done.' },
    ];
    script = playParts({ main: replies(calls), helper: replies(helper) });
    results.length = 0;
    const session = world.troupe.session({ prompt: 'Go.', ...resume });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    return { results: [...results], resume: { resume: session.sessionId } };
  };
  const branches = (): string => git(world.cwd, 'branch', '--format=%(refname:short)');
  const folder = world.at('.troupe/worktrees/feature');
  return { ...world, run, told, branches, folder };
}

describe('EnterWorktree', () => {
  it('makes a worktree in which the agent works from the next call on', async () => {
    const { run, cwd, folder, branches, text } = await createRepository();
    const { results } = await run([
      enter('feature'),
      bashCall('pwd; cat a.txt; echo new > a.txt'),
      exit('keep'),
      bashCall('pwd; cat a.txt'),
    ]);
    expect(results).toEqual([
      `You now work in the worktree ${folder}, on its new branch troupe/feature. Commands and relative paths start in ${folder}; use no absolute paths of ${cwd}. Uncommitted changes of ${cwd} are not here. ExitWorktree leads back.`,
      `${folder}\nold`,
      `You are back in ${cwd}. The worktree ${folder} and its branch troupe/feature stay.`,
      `${cwd}\nold`,
    ]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await text('a.txt')).toBe('old\n');
    expect(branches()).toBe('main\ntroupe/feature');
    expect(git(cwd, 'status', '--porcelain')).toBe('');
  });

  it('chooses a name if none is given', async () => {
    const { run, branches } = await createRepository();
    await run([enter()]);
    expect(branches()).toMatch(/^main\ntroupe\/worktree-[0-9a-z]{8}$/);
  });

  it('keeps the deny rules of the original folder, for its files and for those of the worktree', async () => {
    const rules = ['Edit(secret.txt)', 'Edit(/private/**)'];
    const { run, at, folder } = await createRepository({
      permissions: { ...ALLOW_ALL, alwaysDenyRules: { session: rules } },
    });
    const write = (path: string): Call => ({
      name: 'Write',
      input: { file_path: path, content: 'new\n' },
    });
    const { results } = await run([
      enter('feature'),
      write('secret.txt'),
      write(at('secret.txt')),
      write('private/a.txt'),
      write(at('private/a.txt')),
      write('other.txt'),
    ]);
    expect(results.slice(1, 5).map((text) => /the rule (\S+)/.exec(text)?.[1])).toEqual([
      rules[0],
      rules[0],
      rules[1],
      rules[1],
    ]);
    expect(existsSync(join(folder, 'other.txt'))).toBe(true);
  });

  it('lets a mode that accepts edits change the worktree, not the original folder', async () => {
    const { run, at, folder, troupe } = await createRepository({
      permissions: { ...ALLOW_ALL, mode: 'acceptEdits' },
    });
    const asked: string[] = [];
    troupe.approvals.onRequest(({ toolName, input }) => {
      asked.push(`${toolName} ${String((input as { file_path?: string }).file_path)}`);
      return Promise.resolve({ behavior: 'deny', message: 'No.' });
    });
    const write = (path: string): Call => ({
      name: 'Write',
      input: { file_path: path, content: 'new\n' },
    });
    await run([enter('feature'), write('b.txt'), write(at('b.txt'))]);
    expect(asked).toEqual([`Write ${at('b.txt')}`]);
    expect(existsSync(join(folder, 'b.txt'))).toBe(true);
  });

  it('moves the sub-agents that are started there, which cannot enter one themselves', async () => {
    const { run, folder, told } = await createRepository({ agents: [defineAgent('helper')] });
    const { results } = await run([enter('feature'), agentCall('helper')], {}, [
      bashCall('pwd > where.txt'),
      enter('other'),
    ]);
    expect(results[1]).toContain('Done.');
    expect(readFileSync(join(folder, 'where.txt'), 'utf8')).toBe(`${folder}\n`);
    expect(existsSync(join(folder, '../other'))).toBe(false);
    expect(told).toHaveLength(1);
  });

  it('refuses outside a repository', async () => {
    const { run, cwd } = await createRepository({ isPlain: true });
    const { results } = await run([enter('feature'), bashCall('pwd')]);
    const why = 'not a git repository [^.]+'; // git names the mount point that it stopped at
    expect(results).toEqual([
      expect.stringMatching(
        `^No worktree of ${cwd} can be made: ${why}(\\.git)?\\. Work in the folder itself\\. Or: git init\\.$`,
      ),
      cwd,
    ]);
  });

  it('refuses in a worktree that was entered, and in plan mode', async () => {
    const { run, folder } = await createRepository();
    const { results } = await run([
      enter('feature'),
      enter('other'),
      exit('keep'),
      { name: 'EnterPlanMode', input: {} },
      enter('third'),
    ]);
    expect(results[1]).toBe(
      `EnterWorktree: you already work in the worktree ${folder}. Leave it with ExitWorktree first.`,
    );
    expect(results[4]).toBe(
      'EnterWorktree: in plan mode no worktree is made. Present your plan with ExitPlanMode first.',
    );
  });

  it('takes no name that a folder or a branch has, and leaves both as they are', async () => {
    const { run, cwd, at, branches } = await createRepository();
    git(cwd, 'branch', 'troupe/taken');
    mkdirSync(at('.troupe/worktrees/feature'), { recursive: true });
    writeFileSync(at('.troupe/worktrees/feature/work.txt'), 'mine\n');
    const { results } = await run([enter('feature'), enter('taken'), bashCall('pwd')]);
    expect(results).toEqual([
      `The worktree ${at('.troupe/worktrees/feature')} cannot be made: the folder exists already. Choose another name.`,
      `The worktree ${at('.troupe/worktrees/taken')} cannot be made: the branch troupe/taken exists already. Choose another name.`,
      cwd,
    ]);
    expect(existsSync(at('.troupe/worktrees/feature/work.txt'))).toBe(true);
    expect(existsSync(at('.troupe/worktrees/taken'))).toBe(false);
    expect(branches()).toBe('main\ntroupe/taken');
  });

  it.each(['', '-x', '.x', 'a/b', 'a..b', 'a.', 'a.lock', 'a b', 'ä', 'x'.repeat(65), 7])(
    'refuses the name %j',
    async (name) => {
      expect(await parseInput(EnterWorktreeTool, { name })).toMatchObject({ ok: false });
    },
  );

  it.each(['x', 'fix-1.2_b', 'x'.repeat(64)])('takes the name %j', async (name) => {
    expect(await parseInput(EnterWorktreeTool, { name })).toMatchObject({ ok: true });
  });
});

describe('ExitWorktree', () => {
  it('removes a worktree without work, and its branch', async () => {
    const { run, cwd, folder, branches } = await createRepository();
    const { results } = await run([enter('feature'), exit('remove'), bashCall('pwd')]);
    expect(results.slice(1)).toEqual([
      `You are back in ${cwd}. The worktree ${folder} and its branch troupe/feature are removed.`,
      cwd,
    ]);
    expect(existsSync(folder)).toBe(false);
    expect(branches()).toBe('main');
  });

  it('does not remove uncommitted changes', async () => {
    const { run, folder } = await createRepository();
    const change = bashCall('echo new > b.txt');
    const { results } = await run([enter('feature'), change, exit('remove'), bashCall('pwd')]);
    expect(results.slice(2)).toEqual([refusal(folder, 'files were changed'), folder]);
    expect(existsSync(join(folder, 'b.txt'))).toBe(true);
  });

  it('removes commits only if another branch has them', async () => {
    const { run, cwd, folder, branches, text } = await createRepository();
    const merge = bashCall(`git -C ${cwd} merge -q troupe/feature`);
    const { results } = await run([
      enter('feature'),
      commit('b.txt'),
      exit('remove'),
      merge,
      exit('remove'),
    ]);
    expect(results[2]).toBe(refusal(folder, 'it has commits'));
    expect(results[4]).toContain('are removed.');
    expect(existsSync(folder)).toBe(false);
    expect(branches()).toBe('main');
    expect(await text('b.txt')).toBe('new\n');
  });

  it.each<[PermissionAnswer['behavior'], boolean]>([
    ['allow', false],
    ['deny', true],
  ])('discards work only if a person approves, in every mode: %s', async (behavior, stays) => {
    const { run, folder, branches, troupe } = await createRepository({
      permissions: { ...ALLOW_ALL, alwaysAllowRules: { session: ['ExitWorktree'] } },
    });
    const asked: unknown[] = [];
    troupe.approvals.onRequest(({ description, isDestructive }) => {
      asked.push({ description, isDestructive });
      return Promise.resolve(
        behavior === 'allow' ? { behavior } : { behavior: 'deny', message: 'Keep it.' },
      );
    });
    const { results } = await run([enter('feature'), commit('b.txt'), exit('remove', true)]);
    expect(asked).toEqual([
      { description: 'Delete the worktree with its changes', isDestructive: true },
    ]);
    expect(results[2]).toContain(stays ? 'Keep it.' : 'are removed.');
    expect(existsSync(folder)).toBe(stays);
    expect(branches()).toBe(stays ? 'main\ntroupe/feature' : 'main');
  });

  it('refuses if there is no worktree to leave, or nothing to discard', async () => {
    const { run } = await createRepository();
    const { results } = await run([exit('keep'), enter('feature'), exit('keep', true)]);
    expect([results[0], results[2]]).toEqual([
      'ExitWorktree: you are in no worktree that you entered with EnterWorktree. Nothing was changed.',
      'ExitWorktree: discard_changes goes with action "remove". With "keep" nothing is deleted.',
    ]);
  });

  it('leaves a worktree whose folder somebody deleted', async () => {
    const { run, cwd, folder, branches } = await createRepository();
    const { results } = await run([
      enter('feature'),
      bashCall(`cd ${cwd}; rm -r ${folder}`),
      exit('remove'),
    ]);
    expect(results[2]).toContain('are removed.');
    expect(branches()).toBe('main');
  });

  it.each([{}, { action: 'delete' }, { action: 'keep', discard_changes: 'yes' }])(
    'refuses the input %j',
    async (input) => {
      expect(await parseInput(ExitWorktreeTool, input)).toMatchObject({ ok: false });
    },
  );
});

describe('a resumed session', () => {
  it('works in its worktree again, and can leave it', async () => {
    const { run, cwd, folder, told } = await createRepository();
    const { resume } = await run([enter('feature')]);
    const { results } = await run([bashCall('pwd'), exit('remove'), bashCall('pwd')], resume);
    expect(results).toEqual([
      folder,
      `You are back in ${cwd}. The worktree ${folder} and its branch troupe/feature are removed.`,
      cwd,
    ]);
    expect(told).toEqual(['Go.', 'Go.']);
    expect((await run([bashCall('pwd')], resume)).results).toEqual([cwd]);
  });

  it('works in the original folder if the worktree is gone, and the agent sees a notice', async () => {
    const { run, cwd, folder, told } = await createRepository();
    const { resume } = await run([enter('feature')]);
    rmSync(folder, { recursive: true });
    const { results } = await run([bashCall('pwd'), enter('again')], resume);
    expect(results[0]).toBe(cwd);
    expect(results[1]).toContain('You now work in the worktree');
    expect(told.filter((text) => text.includes('system-reminder'))).toEqual([
      `<system-reminder>\nThe worktree ${folder} that you entered is gone. You work in ${cwd} again.\n</system-reminder>`,
    ]);
  });

  it('removes nothing that its original may use, if it is a fork', async () => {
    const { run, folder } = await createRepository();
    const { resume } = await run([enter('feature')]);
    const calls = [exit('remove'), exit('keep'), enter('own'), exit('remove')];
    const { results } = await run(calls, { ...resume, forks: true });
    expect(results[0]).toContain('because the session that this one is a copy of may use it.');
    expect(results[1]).toContain('stay.');
    expect(results[3]).toContain('are removed.');
    expect(existsSync(folder)).toBe(true);
  });
});
