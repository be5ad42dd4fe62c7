import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import type { InspectedActor } from '../../src/actors/contract/inspected-actor.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, bash, results, textOf } from '../e2e/support/answers.js';
import { journalLines } from '../e2e/support/journal-files.js';
import { findActor, ps, psUntil } from '../e2e/support/live-tree.js';
import { createPlace, type Place } from '../e2e/support/place.js';
import { allActors } from '../support/inspected.js';
import { fixture } from '../support/mcp/servers.js';
import { countEach, hidden, STUBBORN_KINDS, uniqueSeconds, until } from '../processes/processes.js';

const WITHIN_MS = 1_000;
const report: string[] = [];
afterAll(() => console.log(['no leak: processes before and after', ...report].join('\n  ')));

const FIFOS = ['root', 'two', 'three', 'hook', 'never'] as const;
const NEWEST_AGENT = /Task: (\w{9})/;

/**
 * Agents three deep below the session's own, each with commands that try to outlive it, a hook that does so, and a call
 * of an MCP server that ignores SIGTERM. All of it stands still until a fifo is written to.
 */
async function startTree(onTestFinished: TestContext['onTestFinished']) {
  const place = await createPlace(onTestFinished);
  execFileSync('mkfifo', FIFOS.map(place.at));
  const marks = new Map<string, string>();
  /** Starts processes of these kinds, which are counted by who asked for them, and waits. */
  const command = (
    who: string,
    kinds: readonly (keyof typeof STUBBORN_KINDS)[],
    waitsFor: (typeof FIFOS)[number],
  ): string => {
    const starts = kinds.map((kind) => {
      const mark = uniqueSeconds() * 10;
      marks.set(`${who}: ${kind}`, String(mark));
      return `${hidden(mark)}; ${STUBBORN_KINDS[kind]}`;
    });
    return [...starts, `read -r line <${place.at(waitsFor)}`].join('\n');
  };
  const foreground = (
    who: string,
    ...rest: [Parameters<typeof command>[1], 'root' | 'two' | 'three']
  ) => bash(command(who, ...rest), { description: `${who} waits` });
  const background = (who: string, kinds: Parameters<typeof command>[1]) =>
    bash(command(who, kinds, 'never'), {
      description: `${who} continues`,
      run_in_background: true,
    });
  const worker = (name: string, isBackgrounded = true) =>
    agent(name, { name, run_in_background: isBackgrounded });

  await mkdir(join(place.home, '.claude'));
  const hook = {
    type: 'command',
    if: 'Bash(touch held)',
    command: command('held', ['forks twice', 'ignores SIGTERM'], 'hook'),
  };
  await writeFile(
    join(place.home, '.claude/settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  );
  const api = await place.api({
    handler: answer({
      go: [
        {
          tools: [
            background('main', ['nohup', 'setsid', 'is stopped']),
            worker('one'),
            worker('held'),
            worker('caller'),
            foreground('main', [], 'root'),
          ],
        },
        (request: FakeRequest) => {
          const id = NEWEST_AGENT.exec(textOf(results(request)[3]?.content))?.[1] ?? '';
          return { tools: [{ name: 'TaskStop', input: { task_id: id } }] };
        },
        { text: 'Done.' },
      ],
      one: [
        {
          tools: [
            background('one', ['forks twice', 'closes its descriptors']),
            worker('two', false),
          ],
        },
        { text: 'One.' },
      ],
      two: [
        {
          tools: [
            worker('three'),
            foreground('two', ['ignores SIGTERM', 'clears its environment'], 'two'),
          ],
        },
        { text: 'Two.' },
      ],
      three: [
        {
          tools: [
            background('three', ['in the background']),
            foreground('three', ['all but the marks'], 'three'),
          ],
        },
        { text: 'Three.' },
      ],
      held: [{ tools: [bash('touch held')] }, { text: 'Held.' }],
      caller: [{ tools: [{ name: 'mcp__f__slow', input: {} }] }, { text: 'Called.' }],
    }),
  });
  const server = String(uniqueSeconds());
  marks.set('server: f', server);
  const f = fixture(['--stubborn', server], { env: { TRACE: place.at('trace') } });
  await place.write({ 'servers.json': JSON.stringify({ mcpServers: { f } }) }); // no mark in the command's own words
  const troupe = place.start(
    ['-p', 'go', '--permission-mode', 'bypassPermissions'].concat(['--mcp-config', 'servers.json']),
    { api, env: { IS_SANDBOX: '1' } },
  );

  /** Live processes of those whose name is one of these, or of all. */
  const count = (...names: readonly string[]): number => {
    const isMeant = (key: string): boolean =>
      names.length === 0 || names.includes(key.split(':', 1)[0] as string);
    const meant = [...marks].filter(([key]) => isMeant(key));
    return Object.values(countEach(Object.fromEntries(meant))).reduce((sum, each) => sum + each, 0);
  };
  const isCalled = (): boolean =>
    place.has('trace') && readFileSync(place.at('trace'), 'utf8').includes('slow began');
  await until(
    'every kind runs',
    () =>
      isCalled() &&
      Object.values(countEach(Object.fromEntries(marks))).every((processes) => processes > 0),
    15_000,
  );
  const before = count();
  return {
    place,
    troupe,
    count,
    open: (name: (typeof FIFOS)[number]) => writeFile(place.at(name), 'go\n'),
    /** None of these is left: now, or within some ms. */
    async expectNone(what: string, names: readonly string[] = [], withinMs = 0): Promise<void> {
      const since = Date.now();
      if (withinMs > 0)
        await until(`none is left after ${what}`, () => count(...names) === 0, withinMs);
      else expect(count(...names)).toBe(0);
      const whose = names.length === 0 ? 'all' : names.join(', ');
      const time = withinMs === 0 ? '' : ` in ${Date.now() - since} ms`;
      report.push(`${what}: ${before} → ${count()}, of ${whose}: 0${time}`);
    },
  };
}

/** Kinds and names, one actor a line, the deeper the further right; `#` if it has a live process. */
function linesOf(actor: InspectedActor, depth = 0): readonly string[] {
  const { kind, label, pid, children } = actor;
  const name = kind === 'toolCall' ? (label.split('(', 1)[0] as string) : label;
  const isLive = pid !== undefined && readFileSync(`/proc/${pid}/cmdline`, 'latin1') !== '';
  const line = `${'  '.repeat(depth)}${kind} ${name}${isLive ? ' #' : ''}`;
  return [line, ...children.flatMap((child) => linesOf(child, depth + 1))];
}

/** Processes that this one has started and that live, without the one that ends what it leaves. */
function childrenOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], {
    encoding: 'utf8',
  });
  const lines = table
    .split('\n')
    .filter((line) => /^\s*\d/.test(line) && !/troupe-reaper/.test(line));
  return lines.map((line) => Number.parseInt(line, 10)).toSorted((a, b) => a - b);
}

/** The tasks that ended in a wrong order: a parent before its tasks, a command before all of it was gone. */
async function disorderOf(place: Place) {
  const lines = await journalLines(await place.session(), 'tasks.jsonl');
  const tasks = lines.filter(({ status }) => status === 'pending');
  const endOf = (id: unknown): number =>
    lines.findIndex(
      (line) => line['id'] === id && /completed|failed|killed/.test(String(line['status'])),
    );
  const sweepOf = (id: unknown): number =>
    lines.findIndex((line) => line['id'] === id && line.type === 'process.ended');
  return {
    tasks: tasks.length,
    wrong: tasks.filter(({ id, kind, parentId }) => {
      const isTooEarly = parentId !== undefined && endOf(parentId) < endOf(id);
      return endOf(id) === -1 || isTooEarly || (kind === 'local_bash' && endOf(id) < sweepOf(id));
    }),
  };
}

describe.concurrent('promise 1: no leak', () => {
  it('shows every actor and process as one tree, and leaves none when the run ends by itself', async ({
    onTestFinished,
  }) => {
    const { place, troupe, count, open, expectNone } = await startTree(onTestFinished);
    const [seen, ...others] = await ps(place);
    expect([seen?.pid, others]).toEqual([troupe.pid, []]);
    const tree = seen?.tree as InspectedActor;
    expect(linesOf(tree)).toEqual([
      'orchestrator orchestrator',
      '  session main',
      '    agent main',
      '      toolCall Bash',
      '    local_bash main continues #',
      '    local_agent one',
      '      agent one',
      '        toolCall Agent',
      '      local_bash one continues #',
      '      local_agent two',
      '        agent two',
      '          toolCall Bash',
      '        local_agent three',
      '          agent three',
      '            toolCall Bash',
      '          local_bash three continues #',
      '          local_bash three waits #',
      '        local_bash two waits #',
      '    local_agent held #', // its hook
      '      agent held',
      '        toolCall Bash',
      '    local_agent caller',
      '      agent caller',
      '        toolCall mcp__f__slow',
      '    local_bash main waits #',
      '  mcpConnection f #',
    ]);
    const pids = allActors(tree).flatMap(({ pid }) => pid ?? []);
    expect(pids.toSorted((a, b) => a - b)).toEqual(childrenOf(troupe.pid));
    report.push(
      `troupe ps: ${allActors(tree).length} actors, ${pids.length} of them with a process`,
    );

    const before = count();
    expect(before).toBeGreaterThan(pids.length);
    await Promise.all((['hook', 'three', 'two', 'root'] as const).map(open));
    expect(await troupe.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    await expectNone('the end of the run');
    expect(await disorderOf(place)).toEqual({ tasks: 13, wrong: [] });
    expect([await ps(place), await readdir(place.temporary)]).toEqual([[], []]);
  });

  it('leaves none of a tool that crashes, nor of a subtree that is killed', async ({
    onTestFinished,
  }) => {
    const { place, troupe, count, expectNone } = await startTree(onTestFinished);
    const seen = await ps(place);
    const tree = seen[0]?.tree as InspectedActor;
    const pidOf = (what: string): number => {
      const pid = findActor(seen, (actor) => actor.label === what && actor.pid !== undefined)?.pid;
      if (pid === undefined) throw new Error(`no process of ${what}: ${linesOf(tree).join('\n')}`);
      return pid;
    };
    process.kill(pidOf('two waits'), 'SIGKILL');
    await expectNone('SIGKILL of a command', ['two'], WITHIN_MS);
    const server = pidOf('f');
    process.kill(server, 'SIGKILL');
    await psUntil(place, (now) => {
      const connection = findActor(now, ({ kind }) => kind === 'mcpConnection');
      const isCalling = findActor(now, ({ label }) => label === 'caller') !== undefined;
      return !isCalling && connection?.state === 'connected' && connection.pid !== server
        ? connection
        : undefined;
    });
    expect(count('server')).toBe(1);

    const one = findActor(seen, ({ label, kind }) => label === 'one' && kind === 'local_agent');
    const killed = await place.call(['kill', one?.id ?? '']);
    expect(killed).toMatchObject({ code: 0, stdout: `${one?.id ?? ''} killed\n` });
    await expectNone('troupe kill', ['one', 'two', 'three']);
    expect([count('main') > 0, count('held') > 0]).toEqual([true, true]);
    const left = (await ps(place)).flatMap((now) => linesOf(now.tree));
    expect(left.filter((line) => / (one|two|three)\b/.test(line))).toEqual([]);

    troupe.kill('SIGTERM');
    expect(await troupe.ended).toMatchObject({ code: 143 });
    await expectNone('SIGTERM');
    expect((await disorderOf(place)).wrong).toEqual([]);
  });

  it('leaves none when Troupe itself is killed, a second later', async ({ onTestFinished }) => {
    const { place, troupe, expectNone } = await startTree(onTestFinished);
    troupe.kill('SIGKILL');
    await expectNone('SIGKILL of Troupe', [], WITHIN_MS);
    expect(await ps(place)).toEqual([]);
  });
});
