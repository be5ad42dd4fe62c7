import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeMessagesApi, FakeRequest } from '../../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../../src/testing/fake-reply.js';
import { createGate, type Gate } from '../../../support/gate.js';
import { countProcesses, until } from '../../../processes/processes.js';
import type { Place } from '../place.js';
import type { Ended, TroupeProcess } from '../troupe-process.js';
import { BEGAN, COORDINATOR, type PlannedKill, type SoakPlan } from './soak-plan.js';
import { bill, isSummaryRequest, partOf, replyTo, summarize } from './soak-player.js';

/** How it stood when a process had been killed. */
export type Killed = PlannedKill & {
  /** Requests that had arrived by then. */
  readonly requests: number;
  /** Bytes of each journal file, by its name in the session's folder. */
  readonly files: ReadonlyMap<string, string>;
};

export type Soak = {
  readonly plan: SoakPlan;
  readonly api: FakeMessagesApi;
  readonly session: string;
  readonly killed: readonly Killed[];
  readonly last: Ended;
};

const PATIENCE_MS = 30_000;

/** Runs the plan: three processes that are killed, each resumed by the next, and one that comes to the end. */
export async function runSoak(place: Place, plan: SoakPlan): Promise<Soak> {
  await place.write(plan.files);
  const gates = plan.kills.map(() => createGate());
  const compacting = createGate();
  /** Which of the kills comes next. */
  let next = 0;
  let workerRequests = 0;

  const handler = (request: FakeRequest): FakeReply => {
    const { body } = request;
    if (isSummaryRequest(body)) return bill(request, { text: summarize(body) });
    const part = partOf(plan, body);
    const { step, ...reply } = replyTo(part, body);
    const kill = plan.kills[next];
    const reached = (): void => gates[plan.kills.findIndex((one) => one === kill)]?.open();
    const isOwn = part.mark === COORDINATOR;
    if (isOwn && step >= plan.compactAt) compacting.open();
    if (isOwn && kill?.kind === 'moment' && step >= kill.step) setTimeout(reached, 5 * kill.dice);
    if (isOwn && kill?.kind === 'stream' && step === kill.step) {
      const { events } = bill(request, { ...reply, chunk: { chars: 20, delayMs: 0 } });
      // at any of its events, and some time after it
      const gate = async (index: number): Promise<void> => {
        if (index !== kill.dice % events.length) return;
        await delay(kill.dice % 7 === 0 ? 0 : kill.dice);
        reached();
        await delay(PATIENCE_MS, undefined, { ref: false }); // nothing comes any more
      };
      return { events, gate };
    }
    if (!isOwn && kill?.kind === 'agents') {
      const hired = plan.parts[0]?.steps[kill.step]?.map(({ mark }) => mark) ?? [];
      if (hired.includes(part.mark)) workerRequests += 1;
      if (workerRequests >= 1 + (kill.dice % 13)) {
        setTimeout(reached, kill.dice % 3 === 0 ? 0 : kill.dice / 3);
        if (kill.dice % 2 === 0) return { connection: 'silent' };
      }
    }
    return bill(request, reply);
  };

  const api = await place.api({ handler });
  const args = ['--output-format', 'stream-json', '--model', 'claude-sonnet-4-6'];
  const flags = [...args, '--verbose', '--permission-mode', 'bypassPermissions'];
  const env = { IS_SANDBOX: '1' };
  const killed: Killed[] = [];
  let goesOn: readonly string[] = [];
  for (const [index, kill] of plan.kills.entries()) {
    const troupe =
      index === 1
        ? startSpoken(
            place.start(['-p', ...goesOn, ...flags, '--input-format', 'stream-json'], {
              api,
              env,
              input: 'open',
            }),
            compacting,
          )
        : place.start(
            ['-p', ...goesOn, index === 0 ? `${COORDINATOR} Go.` : `Continue ${index}.`, ...flags],
            { api, env },
          );
    const reached =
      kill.kind === 'command'
        ? until(
            `the command of step ${kill.step} runs`,
            () => existsSync(place.at(BEGAN)),
            PATIENCE_MS,
          )
        : gates[index]?.opened;
    const ended = await Promise.race([reached, troupe.ended, delay(PATIENCE_MS, 'late')]);
    if (ended !== undefined)
      throw new Error(
        `seed ${plan.seed}: kill ${index} (${kill.kind}) was not reached: ${describe(ended, troupe)} ${api.problems.join()}`,
      );
    troupe.kill('SIGKILL');
    await troupe.ended;
    next += 1;
    await until('what it ran is gone', () => countProcesses(`${plan.seconds}`) === 0, 3_000);
    const session = await place.session();
    killed.push({ ...kill, requests: api.requests.length, files: await journalsOf(session) });
    await tear(session, kill.dice);
    goesOn = ['--resume', basename(session)];
  }
  const last = await place.run(['-p', ...goesOn, `Continue ${plan.kills.length}.`, ...flags], {
    api,
    env,
  });
  return { plan, api, session: await place.session(), killed, last };
}

/** Says its prompt over stdin, and asks for a compaction when it is time. */
function startSpoken(troupe: TroupeProcess, compacting: Gate): TroupeProcess {
  const say = (content: string): void =>
    troupe.send({ type: 'user', message: { role: 'user', content } });
  say('Continue 1.');
  void compacting.opened.then(() => say('/compact'));
  return troupe;
}

async function journalsOf(session: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(session, { recursive: true });
  const files = names.filter((name) => name.endsWith('.jsonl'));
  const texts = files.map(
    async (name) => [name, await readFile(join(session, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** A machine that lost its power may leave the beginning of a line, too. */
async function tear(session: string, dice: number): Promise<void> {
  const line = '{"version":1,"uuid":"00000000-0000-4000-8000-000000000000","parentUuid":"é';
  const names = [...(await journalsOf(session)).keys()].sort();
  for (const [index, name] of names.entries())
    if ((dice + index) % 3 === 0)
      await appendFile(
        join(session, name),
        Buffer.from(line).subarray(0, 1 + (dice % line.length)),
      );
}

function describe(ended: unknown, { lines }: TroupeProcess): string {
  const { code, stderr } = ended as Partial<Ended>;
  return ended === 'late'
    ? `late; ${JSON.stringify(lines.at(-1))}`
    : `it ended with ${code}: ${stderr} ${JSON.stringify(lines.at(-1))}`;
}
