// An agent for each file, three at a time; a race of two; and a signal that ends one. The scripted model stands for a real one.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrchestrator, createScriptedModel, race } from 'troupe';

const scripted = createScriptedModel(({ messages: [task, , result] }) => {
  const [, path] = task.content[0].text.match(/read (\S+)/) ?? [];
  if (path === undefined) return { delayMs: 60_000, text: 'Too late.' };
  const input = { pattern: '^export', path, output_mode: 'count' };
  return result ? { text: result.content[0].content } : { tools: [{ name: 'Grep', input }] };
});

const cwd = join(import.meta.dirname, 'sample-repo');
const home = mkdtempSync(join(tmpdir(), 'troupe-')); // `~/.troupe` if left out
const model = process.env.ANTHROPIC_API_KEY ? undefined : scripted;
const troupe = createOrchestrator({ cwd, home, maxConcurrentAgents: 3, ...(model && { model }) });
try {
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const files = readdirSync(join(cwd, 'src'));
  const toSpawn = (file) => ({
    agent: 'Explore',
    prompt: `Say what is exported: read src/${file}`,
  });
  const answers = await session.map(files, toSpawn, { concurrency: 3 });
  files.forEach((file, index) => console.log(`${file}: ${answers[index]}`));

  const [slow, quick] = [{ prompt: 'Think for long.' }, toSpawn(files[0])];
  const racers = [await session.spawn(slow), await session.spawn(quick)];
  console.log(`The first of two: ${await race(racers)}; the other one is ${racers[0].status}`);

  const late = await session.spawn({ ...slow, signal: AbortSignal.timeout(50) });
  console.log(`The third: ${(await late.outcome).reason}`);
} finally {
  await troupe.close();
}
