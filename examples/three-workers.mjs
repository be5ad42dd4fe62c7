// Three workers look at three files at the same time. Without a key a scripted model answers in place of a real one.
import { createOrchestrator, createScriptedModel } from 'troupe';

const scripted = createScriptedModel(({ messages: [task, , result] }) => {
  const path = task.content[0].text.match(/\S+\.js/)[0];
  const input = { pattern: '^export', path, output_mode: 'content' };
  return result ? { text: result.content[0].content } : { tools: [{ name: 'Grep', input }] };
});
const troupe = createOrchestrator({
  cwd: new URL('sample-repo', import.meta.url).pathname,
  ...(process.env.ANTHROPIC_API_KEY ? {} : { model: scripted }),
});
const session = troupe.session({ hostsOnly: true });
const files = ['split.js', 'calendar.js', 'report.js'];
const answers = await session.map(files, (file) => ({
  agent: 'worker',
  prompt: `What does src/${file} export?`,
}));
answers.forEach((answer, index) => console.log(`${files[index]}: ${answer}`));
console.log(`The journal: ${session.directory}`);
await troupe.close();
