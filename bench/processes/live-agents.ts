/** Agents that are all at work at the same time: what they hold while each waits for its model, and what is left at their end. */
import { createOrchestrator, createScriptedModel } from 'troupe';
import { startMeter } from '../meter.js';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS, Wait } from '../troupe-parts.js';

export type LiveAgentsInput = { readonly agents: number };
export type LiveAgentsResult = {
  /** The resident set of the whole process while all of them wait for their first reply. */
  readonly rssMb: number;
  /** The largest one until their ends. */
  readonly peakRssMb: number;
  /** From the first reply, which all get at once, to the last end: two more requests and two tools each. */
  readonly endCpuMs: number;
  readonly finished: number;
  readonly actorsLeft: number;
};

const { agents } = readInput<LiveAgentsInput>();
let waiting = 0;
let tellAll = (): void => {};
let goOn = (): void => {};
const all = new Promise<void>((resolve) => (tellAll = resolve));
const gate = new Promise<void>((resolve) => (goOn = resolve));

await withFolder(async (folder) => {
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: createScriptedModel(async ({ messages }) => {
      const replies = messages.filter(({ role }) => role === 'assistant').length;
      if (replies === 2) return { text: 'Done.' };
      if (replies === 0) {
        waiting += 1;
        if (waiting === agents) tellAll();
        await gate;
      }
      return { tools: [{ name: 'Echo', input: { text: `turn ${replies}` } }] };
    }),
    tools: [createEcho(() => {}), Wait],
    agents: [MEASURED_AGENT],
    permissions: PERMISSIONS,
  });
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const results: Promise<unknown>[] = [];
  for (let count = 0; count < agents; count += 1) {
    const { result } = await session.spawn({ agent: MEASURED_AGENT.name, prompt: 'Go.' });
    results.push(result);
  }
  await all;
  const rssMb = process.memoryUsage.rss() / 1_024 / 1_024;
  const meter = startMeter();
  goOn();
  const ends = await Promise.all(results);
  meter.cut();
  const peakRssMb = process.resourceUsage().maxRSS / 1_024; // KB
  session.end();
  await session.outcome;
  const [{ cpuMs: endCpuMs } = { cpuMs: NaN }] = meter.stretches; // just cut
  const finished = ends.filter((end) => end === 'Done.').length;
  const actorsLeft = troupe.inspect().children.length;
  await troupe.close();
  await sendResult<LiveAgentsResult>({ rssMb, peakRssMb, endCpuMs, finished, actorsLeft });
});
