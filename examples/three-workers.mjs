// Three workers look at three files at the same time. Without a key the scripted model answers in place of the real one.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrchestrator, createScriptedModel } from 'troupe';

const scripted = createScriptedModel(({ messages: [task, , result] }) => {
  const path = task.content[0].text.match(/\S+\.js/)[0];
  const input = { pattern: '^export', path, output_mode: 'content' };
  return result ? { text: result.content[0].content } : { tools: [{ name: 'Grep', input }] };
});

const cwd = join(import.meta.dirname, 'sample-repo');
const home = mkdtempSync(join(tmpdir(), 'troupe-')); // `~/.troupe` where it is left out
const model = process.env.ANTHROPIC_API_KEY ? undefined : scripted;
const troupe = createOrchestrator({ cwd, home, ...(model && { model }) });
try {
  const session = troupe.session();
  const start = (name) =>
    session.spawn({ agent: 'worker', name, prompt: `What does src/${name}.js export?` });
  const workers = await Promise.all(['split', 'calendar', 'report'].map(start));
  for (const worker of workers) console.log(`${worker.id}: ${await worker.result}`);
  console.log(`The journal: ${session.directory}`);
} finally {
  await troupe.close();
}
