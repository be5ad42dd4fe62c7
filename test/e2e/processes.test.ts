import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import {
  countEach,
  hidden,
  STUBBORN_IN_NAMESPACE,
  STUBBORN_KINDS,
  uniqueSeconds,
} from '../processes/processes.js';
import { agent, answer, bash, results, textOf } from './support/answers.js';
import { journalLines } from './support/journal-files.js';
import { createPlace, type Place } from './support/place.js';
import { createGate } from '../support/gate.js';

const TOLD_WITHIN_MS = 1_000;
const isDeep = process.env['TROUPE_DEEP'] !== undefined;
const report: string[] = [];
afterAll(() => console.log(['stubborn processes, before and after', ...report].join('\n  ')));

/**
 * A tree that has every stubborn kind in it: background commands of the session's agent, a foreground command of a
 * background sub-agent, and both kinds of commands of an agent below that. It stands still until `go` opens.
 */
async function startStubborn(place: Place, containment: string) {
  const kinds =
    containment === 'auto' ? { ...STUBBORN_KINDS, ...STUBBORN_IN_NAMESPACE } : STUBBORN_KINDS;
  // ten apart: the text of a command that hides one number has none of the others
  const seconds = Object.fromEntries(
    Object.keys(kinds).map((kind) => [kind, uniqueSeconds() * 10]),
  );
  const commands = Object.entries(kinds).map(
    ([kind, start]) => `${hidden(seconds[kind] as number)}; ${start}`,
  );
  const waits = ['root', 'one', 'two'];
  execFileSync('mkfifo', [...waits, 'never'].map(place.at));
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
  const texts = Object.fromEntries(
    Object.entries(seconds).map(([kind, each]) => [kind, String(each)]),
  );
  const count = () => countEach(texts);
  const countUntil = async (
    what: string,
    isRight: (counts: readonly number[]) => boolean,
    timeoutMs: number,
  ): Promise<number> => {
    for (const deadline = Date.now() + timeoutMs; ; await delay(20)) {
      const counts = count();
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

/** How the tasks of the session ended: what came in the wrong order, and the statuses there were. */
async function endsOf(place: Place) {
  const lines = await journalLines(await place.session(), 'tasks.jsonl');
  const changes = lines.map((line, at) => ({
    ...(line as unknown as { id: string; status?: string; parentId?: string }), // as tasks.jsonl has them
    isSweep: line.type === 'process.ended',
    at,
  }));
  const firsts = changes.filter(({ status }) => status === 'pending');
  const ends = changes.filter(({ status = '' }) => /completed|failed|killed/.test(status));
  const endOf = (id: string | undefined): number =>
    ends.find((end) => end.id === id)?.at ?? Infinity;
  const sweepOf = (id: string): number =>
    changes.find((one) => one.isSweep && one.id === id)?.at ?? Infinity;
  return {
    disorder: firsts.flatMap(({ id, parentId }) => [
      ...(endOf(id) === Infinity ? [`${id} has no end`] : []),
      ...(parentId !== undefined && endOf(parentId) < endOf(id)
        ? [`${id} outlived its owner`]
        : []),
      ...(id.startsWith('b') && endOf(id) < sweepOf(id) ? [`${id} ended before it was swept`] : []),
    ]),
    statuses: [...new Set(ends.map(({ status }) => status))].sort(),
    shells: firsts.filter(({ id }) => id.startsWith('b')).length,
  };
}

describe.concurrent.each(['auto', 'marker'])(
  'stubborn processes, containment %s',
  (containment) => {
    it('are gone when TaskStop answers', async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
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
      expect(count()).toEqual(none);
      await expectNoneWithin(0, 'TaskStop');
      stopped.open();
      expect(await troupe.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
      expect(await endsOf(place)).toEqual({
        disorder: [],
        statuses: ['completed', 'killed'],
        shells: 6,
      });
      expect(await readdir(place.temporary)).toEqual([]);
    });

    it('are gone when the run has ended by itself', async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const { troupe, go, count, none, expectNoneWithin } = await startStubborn(place, containment);
      await Promise.all(['two', 'one', 'root'].map(go));
      expect(await troupe.ended).toMatchObject({ code: 0 });
      expect(count()).toEqual(none);
      await expectNoneWithin(0, 'the end of the run');
      expect(await endsOf(place)).toEqual({
        disorder: [],
        statuses: ['completed', 'killed'],
        shells: 6,
      });
      expect(await readdir(place.temporary)).toEqual([]);
    });

    /** How the command ends does not depend on what holds its processes: one way each shows that they are gone. */
    const some = <T>(all: readonly T[]): readonly T[] =>
      isDeep || containment === 'auto' ? all : all.slice(1);

    it.for(
      some([
        { signal: 'SIGINT', code: 130 },
        { signal: 'SIGTERM', code: 143 },
      ] as const),
    )(
      'are gone when $signal has ended the command',
      async ({ signal, code }, { onTestFinished }) => {
        const place = await createPlace(onTestFinished);
        const { troupe, count, none, expectNoneWithin } = await startStubborn(place, containment);
        troupe.kill(signal);
        expect(await troupe.ended).toMatchObject({ code, signal: null });
        expect(count()).toEqual(none);
        await expectNoneWithin(0, signal);
        expect(await endsOf(place)).toEqual({ disorder: [], statuses: ['killed'], shells: 6 });
        expect(await readdir(place.temporary)).toEqual([]);
      },
    );

    it.for(
      some([
        { whom: 'the command', isGroup: false },
        { whom: 'its process group', isGroup: true },
      ]),
    )(
      'are gone within a second after SIGKILL of $whom',
      async ({ whom, isGroup }, { onTestFinished }) => {
        const place = await createPlace(onTestFinished);
        const { troupe, expectNoneWithin } = await startStubborn(place, containment);
        if (isGroup) troupe.killGroup('SIGKILL');
        else troupe.kill('SIGKILL');
        await expectNoneWithin(TOLD_WITHIN_MS, `SIGKILL of ${whom}`);
        expect(await troupe.ended).toMatchObject({ signal: 'SIGKILL' });
      },
    );
  },
);
