/** Agents of one session that are started, answer once and end: what is left of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createOrchestrator, type InspectedActor } from 'troupe';
import { createScriptedModel } from 'troupe/testing';
import { startMeter } from '../meter.js';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS, Wait } from '../troupe-parts.js';

/** `live` of the tasks at a time. */
export type EndedTasksInput = { readonly tasks: number; readonly live: number };
export type EndedTasksResult = {
  /** CPU of one task, its start and its end. */
  readonly firstTenthMs: number;
  readonly lastTenthMs: number;
  /** How much more is alive after the last tenth than after the first, and how much more the process holds. */
  readonly heapGrownMb: number;
  readonly rssGrownMb: number;
  readonly actorsLeft: number;
};

const { tasks, live } = readInput<EndedTasksInput>();
const tenth = tasks / 10;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // what the flag exposes
/** Weakly held objects are collected when nothing is under way: this model answers without ever waiting. */
const SETTLE_MS = 200;

await withFolder(async (folder) => {
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: createScriptedModel(() => ({ text: 'Done.' })),
    tools: [createEcho(() => {}), Wait],
    agents: [MEASURED_AGENT],
    permissions: PERMISSIONS,
  });
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const run = (count: number) =>
    session.map(
      Array.from({ length: count }),
      () => ({ agent: MEASURED_AGENT.name, prompt: 'Go.' }),
      { concurrency: live },
    );
  await run(Math.max(live, 1_000)); // to warm up
  const meter = startMeter();
  const sizes: { readonly heapMb: number; readonly rssMb: number }[] = [];
  for (let part = 0; part < 10; part += 1) {
    await run(tenth);
    meter.cut();
    await delay(SETTLE_MS);
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    sizes.push({ heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20 });
  }
  const [first, last] = [sizes[0], sizes.at(-1)];
  const parts = meter.stretches.map(({ cpuMs }) => cpuMs / tenth);
  const actorsLeft = countBelow(troupe.inspect()) - 2; // the session and its agent
  await troupe.close();
  await sendResult<EndedTasksResult>({
    firstTenthMs: parts[0] ?? NaN,
    lastTenthMs: parts.at(-1) ?? NaN,
    heapGrownMb: (last?.heapMb ?? NaN) - (first?.heapMb ?? NaN),
    rssGrownMb: (last?.rssMb ?? NaN) - (first?.rssMb ?? NaN),
    actorsLeft,
  });
});

function countBelow({ children }: InspectedActor): number {
  return children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}
