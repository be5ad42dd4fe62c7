import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/troupe.js';

/** Run a program that imports the built package. */
async function run(program: string) {
  const home = await createFolder();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createOrchestrator, createScriptedModel } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const troupe = createOrchestrator({ model: createScriptedModel(() => ({ text: 'Done.' })), home: ${JSON.stringify(home)} });
      ${program}`,
    ],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const SEND_ONE =
  'Give session({ prompt }), call session.prompt(text), or end it with session.end().';

describe('a program that awaits a session without a prompt', () => {
  it('gets a warning before it ends with nothing left to do', async () => {
    const { stderr } = await run(`
      const session = troupe.session({ sessionId: '0f0e1f6e-6f4e-4d63-9a55-2b7ad9f1b6a1' });
      await session.outcome;
    `);
    expect(stderr).toContain(
      `[SESSION_WITHOUT_PROMPT] TroupeWarning: The session 0f0e1f6e-6f4e-4d63-9a55-2b7ad9f1b6a1 has no prompt, and nothing in this program is left that could send one. ${SEND_ONE}`,
    );
  });

  it.each([
    ['gets one later', "await session.prompt('Go.');"],
    ['is ended', 'session.end();'],
    ['is closed', 'await troupe.close();'],
  ])('gets no warning if the session %s', async (_, then) => {
    const ended = await run(`
      const session = troupe.session();
      ${then}
      session.end();
      await session.outcome;
      console.log('ended');
    `);
    expect(ended).toEqual({ status: 0, stdout: 'ended\n', stderr: '' });
  });
});
