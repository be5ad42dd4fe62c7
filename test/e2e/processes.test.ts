import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import {
  hidden,
  STUBBORN_IN_NAMESPACE,
  STUBBORN_KINDS,
  uniqueSeconds,
} from '../tools/shell/processes.js';
import { agent, answer, bash, results, textOf } from './support/answers.js';
import { journalLines, type JournalLine } from './support/journal-files.js';
import { it, type Place } from './support/place.js';
import { createGate } from '../support/gate.js';

const TOLD_WITHIN_MS = 1_000;
const report: string[] = [];
afterAll(() => console.log(['stubborn processes, before and after', ...report].join('\n  ')));

/** How many living processes have each of these numbers in their command line, in one look at all processes. */
async function countEach(
  seconds: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')), // it ended meanwhile
  );
  const counts = Object.entries(seconds).map(
    ([kind, each]) => [kind, lines.filter((line) => line.includes(String(each))).length] as const,
  );
  return Object.fromEntries(counts);
}

/**
 * A tree that has every stubborn kind in it: background commands of the session's agent, a foreground command of a
 * background sub-agent, and both kinds of commands of an agent below that. It stands still until `go` opens.
 */
async function startStubborn(place: Place, containment: string) {
  const kinds =
    containment === 'auto' ? { ...STUBBORN_KINDS, ...STUBBORN_IN_NAMESPACE } : STUBBORN_KINDS;
  const seconds = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, uniqueSeconds()]));
  const commands = Object.entries(kinds).map(
    ([kind, start]) => `${hidden(seconds[kind] as number)}; ${start}`,
  );
  const waits = ['root', 'one', 'two'];
  for (const name of [...waits, 'never']) execFileSync('mkfifo', [place.at(name)]);
  const upTo = (from: number, to?: number): string => commands.slice(from, to).join('\n');
  const background = { run_in_background: true };

  const stopping = createGate<FakeRequest>();
  const stopped = createGate();
  const api = await place.api({
    handler: answer({
      go: [
        {
          tools: [
            bash(`${upTo(0, 2)}\nread -r line <never`, background),
            bash(`${upTo(2, 4)}\nread -r line <never`, background),
            agent('one', background),
            bash('read -r line <root'),
          ],
        },
        (request): FakeReply => {
          const ids = results(request)
            .slice(0, 3)
            .map(({ content }) => /(?:as |Task: )(\w{9})/.exec(textOf(content))?.[1] ?? '');
          return place.has('stop')
            ? { tools: ids.map((id) => ({ name: 'TaskStop', input: { task_id: id } })) }
            : { text: 'Ended.' };
        },
        async (request): Promise<FakeReply> => {
          stopping.open(request);
          if (place.has('stop')) await stopped.opened;
          return { text: 'Done.' };
        },
      ],
      one: [
        { tools: [agent('two', background), bash(`${upTo(4, 6)}\nread -r line <one`)] },
        { text: 'One.' },
      ],
      two: [
        {
          tools: [
            bash(`${upTo(6, 8)}\nread -r line <never`, background),
            bash(`${upTo(8)}\nread -r line <two`),
          ],
        },
        { text: 'Two.' },
      ],
    }),
  });
  const troupe = place.start(['-p', 'go', '--permission-mode', 'bypassPermissions'], {
    api,
    env: { IS_SANDBOX: '1', TROUPE_CONTAINMENT: containment },
  });
  const count = () => countEach(seconds);
  const countUntil = async (
    what: string,
    isRight: (counts: readonly number[]) => boolean,
    timeoutMs: number,
  ): Promise<number> => {
    for (const deadline = Date.now() + timeoutMs; ; await delay(20)) {
      const counts = await count();
      if (isRight(Object.values(counts))) return sumOf(counts);
      if (Date.now() > deadline)
        throw new Error(`not within ${timeoutMs} ms: ${what}: ${JSON.stringify(counts)}`);
    }
  };
  const running = await countUntil('every kind runs', (all) => all.every((one) => one > 0), 18_000);
  return {
    troupe,
    stopping: stopping.opened,
    stopped,
    /** Opens one of the foreground commands: it ends by itself. */
    go: (name: string) => writeFile(place.at(name), 'go\n'),
    none: Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])),
    count,
    async expectNoneWithin(ms: number, what: string): Promise<void> {
      const since = Date.now();
      await countUntil(`none is left after ${what}`, (all) => all.every((one) => one === 0), ms);
      const line = `${containment.padEnd(6)}  ${what.padEnd(28)} ${running} → 0`;
      report.push(ms === 0 ? line : `${line} in ${Date.now() - since} ms`);
    },
  };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

/** Parents by task, and the order in which tasks ended. */
function endsOf(lines: readonly JournalLine[]) {
  const parents = new Map<string, string | undefined>();
  const ends: { readonly id: string; readonly status: string; readonly at: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.type !== 'task.status') continue;
    const { id, status, parentId } = line as unknown as {
      id: string;
      status: string;
      parentId?: string;
    };
    if (!parents.has(id)) parents.set(id, parentId);
    if (['completed', 'failed', 'killed'].includes(status)) ends.push({ id, status, at });
  }
  return { parents, ends };
}

/** Every task has one end, and none ends before all that is below it. */
async function expectEndsInOrder(place: Place, statuses: readonly string[]): Promise<void> {
  const lines = await journalLines(await place.session(), 'tasks.jsonl');
  const { parents, ends } = endsOf(lines);
  expect(ends.map(({ id }) => id).sort()).toEqual([...parents.keys()].sort());
  for (const { id, at } of ends) {
    const parent = ends.find((end) => end.id === parents.get(id));
    if (parent !== undefined) expect(parent.at).toBeGreaterThan(at);
    if (!id.startsWith('b')) continue;
    const swept = lines.findIndex((line) => line.type === 'process.ended' && line['id'] === id);
    expect(swept, 'what a command had started was gone before its task ended').toBeLessThan(at);
    expect(swept).toBeGreaterThanOrEqual(0);
  }
  expect([...new Set(ends.map(({ status }) => status))].sort()).toEqual(statuses);
}

describe.concurrent.each(['auto', 'marker'])(
  'stubborn processes, containment %s',
  (containment) => {
    it('are gone when TaskStop answers', async ({ place }) => {
      await writeFile(place.at('stop'), '');
      const { troupe, go, stopping, stopped, count, none, expectNoneWithin } = await startStubborn(
        place,
        containment,
      );
      await go('root');
      const request = await stopping;
      expect(results(request).map(({ is_error }) => is_error ?? false)).toEqual([
        false,
        false,
        false,
      ]);
      expect(await count()).toEqual(none);
      await expectNoneWithin(0, 'TaskStop');
      stopped.open();
      expect(await troupe.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
      await expectEndsInOrder(place, ['completed', 'killed']);
      expect(await readdir(place.temporary)).toEqual([]);
    });

    it('are gone when the run has ended by itself', async ({ place }) => {
      const { troupe, go, count, none, expectNoneWithin } = await startStubborn(place, containment);
      await Promise.all(['two', 'one', 'root'].map(go));
      expect(await troupe.ended).toMatchObject({ code: 0 });
      expect(await count()).toEqual(none);
      await expectNoneWithin(0, 'the end of the run');
      await expectEndsInOrder(place, ['completed', 'killed']);
      expect(await readdir(place.temporary)).toEqual([]);
    });

    it.for([
      { signal: 'SIGINT', code: 130 },
      { signal: 'SIGTERM', code: 143 },
    ] as const)(
      'are gone when $signal has ended the command',
      async ({ signal, code }, { place }) => {
        const { troupe, count, none, expectNoneWithin } = await startStubborn(place, containment);
        troupe.kill(signal);
        expect(await troupe.ended).toMatchObject({ code, signal: null });
        expect(await count()).toEqual(none);
        await expectNoneWithin(0, signal);
        await expectEndsInOrder(place, ['killed']);
        expect(await readdir(place.temporary)).toEqual([]);
      },
    );

    it.for([
      { whom: 'the command', isGroup: false },
      { whom: 'its process group', isGroup: true },
    ])('are gone within a second after SIGKILL of $whom', async ({ whom, isGroup }, { place }) => {
      const { troupe, expectNoneWithin } = await startStubborn(place, containment);
      if (isGroup) troupe.killGroup('SIGKILL');
      else troupe.kill('SIGKILL');
      await expectNoneWithin(TOLD_WITHIN_MS, `SIGKILL of ${whom}`);
      expect(await troupe.ended).toMatchObject({ signal: 'SIGKILL' });
    });
  },
);
