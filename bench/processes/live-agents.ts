/** Agents that all wait for their model at the same time: what they hold. */
import { createOrchestrator, type ModelEvent } from 'troupe';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS } from '../troupe-parts.js';

export type LiveAgentsInput = { readonly agents: number };
/** The resident set of the whole process. */
export type LiveAgentsResult = { readonly rssMb: number };

const { agents } = readInput<LiveAgentsInput>();
let waiting = 0;
let tellAll = (): void => {};
const all = new Promise<void>((resolve) => (tellAll = resolve));

/** A reply that ends at an abort, without an event. */
function silence(signal: AbortSignal): AsyncIterable<ModelEvent> {
  waiting += 1;
  if (waiting === agents) tellAll();
  const end = new Promise<IteratorResult<ModelEvent>>((resolve) =>
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined })),
  );
  return { [Symbol.asyncIterator]: () => ({ next: () => end }) };
}

await withFolder(async (folder) => {
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: { stream: (_, { signal }) => Promise.resolve(silence(signal)) },
    tools: [createEcho(() => {})],
    agents: [MEASURED_AGENT],
    permissions: PERMISSIONS,
  });
  const session = troupe.session({ agent: MEASURED_AGENT.name, staysOpen: true });
  for (let count = 0; count < agents; count += 1)
    await session.spawn({ agent: MEASURED_AGENT.name, prompt: 'Go.', background: true });
  await all;
  const rssMb = process.memoryUsage.rss() / 1_024 / 1_024;
  await troupe.close();
  await sendResult<LiveAgentsResult>({ rssMb });
});
