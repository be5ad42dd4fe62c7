// The replies of the model to the reviewer: two agents with different system prompts.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goOffline, newestResults } from './place.mjs';

export async function startReviewer() {
  const offline = await goOffline('reviewer', ({ body }) =>
    JSON.stringify(body.system).includes('You look for bugs') ? findBug(body) : coordinate(body),
  );
  const { folder } = offline;
  cpSync(fileURLToPath(new URL('../sample-repo', import.meta.url)), `${folder}/repo`, {
    recursive: true,
  });
  const cwd = `${folder}/repo`;

  function findBug({ messages }) {
    if (messages.length === 1)
      return { tools: [{ name: 'Read', input: { file_path: `${cwd}/src/split.js` } }] };
    const [file] = newestResults({ messages });
    const line = file.split('\n').find((one) => one.includes('index <= rest'));
    return { text: `src/split.js gives a cent too many: ${line?.trim()}` };
  }

  function coordinate({ messages }) {
    const [first] = messages.length > 1 ? newestResults({ messages }) : [];
    switch (messages.length) {
      case 1: {
        const prompt = 'Read src/split.js and say what is wrong with it.';
        const input = { description: 'Review split.js', prompt, subagent_type: 'bug-finder' };
        return { tools: [{ name: 'Task', input }] };
      }
      case 3: {
        const report = { file_path: `${cwd}/REVIEW.md`, content: `# Review\n\n- ${first}\n` };
        return {
          tools: [
            { name: 'Write', input: report },
            { name: 'Bash', input: { command: 'git push --force', description: 'Publish it' } },
          ],
        };
      }
      default:
        return { text: 'One finding, see REVIEW.md. It is not pushed.' };
    }
  }
  return { ...offline, cwd };
}
