/** Going back to before a prompt at a terminal. */
import { describe, expect, it, type TestContext } from 'vitest';
import { write } from '../e2e/support/answers.js';
import { sit, type SitOptions } from './support/sit.js';

/** A session that has written a file, with the list of what can go back. */
async function goBack(onTestFinished: TestContext['onTestFinished'], options: SitOptions = {}) {
  const sitting = await sit(
    { replies: [{ tools: [write('made', 'text\n')] }, { text: 'Done.' }] },
    onTestFinished,
    { ...options, args: ['--permission-mode', 'acceptEdits', ...(options.args ?? [])] },
  );
  const { screen } = sitting;
  await screen.waitFor('claude-sonnet-5-5');
  screen.type('go\r');
  await screen.waitFor((all) => all.includes('Done.') && !all.includes('Esc interrupts'));
  return sitting;
}

const OFF: Readonly<Record<string, SitOptions>> = {
  'the setting': { args: ['--settings', '{"fileCheckpointingEnabled":false}'] },
  'the variable': { env: { CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING: '1' } },
};

describe.concurrent('going back at a terminal', () => {
  it('offers the files, which go back too', async ({ onTestFinished }) => {
    const { screen, has } = await goBack(onTestFinished);
    screen.type('/rewind 1\r');
    await screen.waitFor('Go back with');
    expect(screen.text()).toContain('made · deleted: it is new');
    screen.type('\r');
    await screen.waitFor('This is before "go".');
    expect(has('made')).toBe(false);
  });

  for (const [what, options] of Object.entries(OFF))
    it(`leaves files as they are if ${what} turns their earlier versions off`, async ({
      onTestFinished,
    }) => {
      const { screen, has } = await goBack(onTestFinished, options);
      screen.type('/rewind 1 all\r');
      await screen.waitFor((all) =>
        all
          .replaceAll(/\n */g, ' ')
          .includes('keeps no earlier versions of files: the setting fileCheckpointingEnabled or'),
      );
      screen.type('/rewind 1\r');
      await screen.waitFor('This is before "go".');
      expect(screen.all()).not.toContain('Go back with');
      expect(has('made')).toBe(true);
    });
});
