// Uses of three tools: two that a callback is asked about, and one that a rule denies without asking anybody.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrchestrator, createScriptedModel, getEmptyToolPermissionContext } from 'troupe';

const folder = mkdtempSync(join(tmpdir(), 'troupe-approvals-'));
const notes = join(folder, 'notes.md');

/** The first request: three uses in one reply. The second: what became of them. */
const model = createScriptedModel(({ messages: [, , results] }) => {
  if (results !== undefined) {
    const verdicts = results.content.map((result) => (result.is_error ? 'refused' : 'done'));
    return { text: verdicts.join(', ') };
  }
  const push = { name: 'Bash', input: { command: 'git push origin main' } };
  return {
    tools: [
      { name: 'Read', input: { file_path: import.meta.filename } },
      { name: 'Write', input: { file_path: notes, content: 'Approved.\n' } },
      push,
    ],
  };
});

const troupe = createOrchestrator({
  cwd: folder,
  home: join(folder, 'home'),
  model,
  permissions: {
    ...getEmptyToolPermissionContext(),
    alwaysDenyRules: { session: ['Bash(git push *)'] },
  },
  canUseTool: (toolName, input) => {
    const isAllowed = toolName === 'Write';
    console.log(`asked: ${toolName} ${input.file_path}: ${isAllowed ? 'yes' : 'no'}`);
    return Promise.resolve(
      isAllowed ? { behavior: 'allow' } : { behavior: 'deny', message: 'Stay in the folder.' },
    );
  },
});

try {
  const session = troupe.session({ prompt: 'Look, write, push.' });
  session.events.on('permission.denied', (_origin, { toolName, reason }) => {
    console.log(`denied: ${toolName}, reason: ${reason.type}`);
  });
  const result = await session.result;
  console.log(`result: ${result}`);
  console.log(`notes.md: ${readFileSync(notes, 'utf8').trim()}`);
  if (result !== 'refused, done, refused') throw new Error('A decision is not what it should be.');
} finally {
  await troupe.close();
  rmSync(folder, { recursive: true });
}
