/** Many sub-agents at once on the in-process scripted model: three requests and two tools each. */
import { createOrchestrator, createScriptedModel, type SessionHandle } from 'troupe';
import { startMeter } from '../meter.js';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS, Wait } from '../troupe-parts.js';

export type FanOutInput = { readonly agents: number; readonly warmUpRounds: number };
export type FanOutResult = {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Largest resident set of the process so far. */
  readonly peakRssMb: number;
};

const { agents, warmUpRounds } = readInput<FanOutInput>();
const step = (text: string) => ({ tools: [{ name: 'Echo', input: { text } }] });

await withFolder(async (folder) => {
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: createScriptedModel({
      version: 1,
      agents: [{ steps: [step('first'), step('second'), { text: 'Done.' }] }],
    }),
    tools: [createEcho(() => {}), Wait],
    agents: [MEASURED_AGENT],
    permissions: PERMISSIONS,
  });
  const session = troupe.session({ agent: MEASURED_AGENT.name, staysOpen: true });
  for (let round = 0; round < warmUpRounds; round += 1) await runAgents(session);
  const meter = startMeter();
  await runAgents(session);
  meter.cut();
  const [{ cpuMs, wallMs } = { cpuMs: 0, wallMs: 0 }] = meter.stretches; // just cut
  const peakRssMb = process.resourceUsage().maxRSS / 1_024; // KB
  session.end();
  await session.outcome;
  await troupe.close();
  await sendResult<FanOutResult>({ cpuMs, wallMs, peakRssMb });
});

async function runAgents(session: SessionHandle): Promise<void> {
  const handles = await Promise.all(
    Array.from({ length: agents }, () =>
      session.spawn({ agent: MEASURED_AGENT.name, prompt: 'Go.' }),
    ),
  );
  for (const handle of handles) {
    const result = await handle.result;
    if (result !== 'Done.') throw new Error(`A sub-agent ended with ${JSON.stringify(result)}.`);
  }
}
