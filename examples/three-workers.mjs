// Agents look at files at the same time: at this one, and at those that you name. Without a key a scripted model answers.
import { createOrchestrator, createScriptedModel } from 'troupe';

const scripted = createScriptedModel(({ messages: [task, , result] }) => {
  const path = task.content[0].text.match(/does (.*) import/)[1];
  const input = { pattern: '^import', path, output_mode: 'content' };
  return result ? { text: result.content[0].content } : { tools: [{ name: 'Grep', input }] };
});
const model = process.env.ANTHROPIC_API_KEY ? {} : { model: scripted };
const troupe = createOrchestrator({ cwd: process.cwd(), ...model });
const session = troupe.session({ hostsOnly: true });
const files = process.argv.slice(1);
const answers = await session.map(files, (file) => ({ prompt: `What does ${file} import?` }));
console.log(answers.join('\n'));
await troupe.close();
