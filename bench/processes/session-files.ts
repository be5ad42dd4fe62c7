/** The files that a session, and a sub-agent of it, have made when their first tool runs. */
import { readdirSync } from 'node:fs';
import { createOrchestrator, createScriptedModel } from 'troupe';
import { sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { createEcho, MEASURED_AGENT, PERMISSIONS, Wait } from '../troupe-parts.js';

export type SessionFilesResult = {
  readonly ofSession: readonly string[];
  readonly ofSubAgent: readonly string[];
};

await withFolder(async (folder) => {
  const list = (): Set<string> =>
    new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  let made: Set<string> | undefined; // when the first tool ran
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: createScriptedModel({
      version: 1,
      agents: [{ steps: [{ tools: [{ name: 'Echo', input: { text: 'a' } }] }, { text: 'Done.' }] }],
    }),
    tools: [createEcho(() => (made ??= list())), Wait],
    agents: [MEASURED_AGENT],
    permissions: PERMISSIONS,
  });
  const madeBy = async (start: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = list();
    made = undefined;
    await start();
    return [...(made ?? new Set<string>())].filter((path) => !before.has(path)).toSorted();
  };
  const agent = MEASURED_AGENT.name;
  const run = () => troupe.session({ prompt: 'Go.', agent }).result;
  await run(); // makes what belongs to the project
  const ofSession = await madeBy(run);
  const session = troupe.session({ agent, staysOpen: true });
  const spawn = async () => (await session.spawn({ agent, prompt: 'Go.' })).result;
  await spawn(); // makes what belongs to the session
  const ofSubAgent = await madeBy(spawn);
  session.end();
  await session.outcome;
  await troupe.close();
  await sendResult<SessionFilesResult>({ ofSession, ofSubAgent });
});
