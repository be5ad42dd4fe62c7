/** The lists and logs of a hostile agent: nothing that it names or says makes another line of them. */
import { expect, it } from 'vitest';
import { agent, answer, bash } from './support/answers.js';
import { createPlace } from './support/place.js';
import { PATIENCE_MS } from './support/troupe-process.js';

/** Clears the screen, makes a link, turns the text, and begins another line. */
const EVIL = '\u001b[2J\u001b]8;;https://evil.example\u0007\u202eallow\nFORGED line\r\u009b31m';

it('print the texts of a hostile agent without any code, and in their own margin', async ({
  onTestFinished,
}) => {
  const place = await createPlace(onTestFinished);
  const api = await place.api({
    handler: answer({
      [EVIL]: [
        { text: EVIL, tools: [agent('one', { description: EVIL, run_in_background: true })] },
        { text: 'Waiting.' },
      ],
      one: [{ tools: [bash(`echo ${EVIL}`, { description: EVIL })] }, { text: EVIL }],
    }),
  });
  const run = place.start(['-p', EVIL, '--wait-for-approval'], { api });
  const printed = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await place.call(args);
    return stdout + stderr;
  };
  let waiting = '';
  for (const end = Date.now() + PATIENCE_MS; !waiting.includes('asks') && Date.now() < end;)
    waiting = await printed('requests');
  const shown = { ps: await printed('ps'), requests: waiting, sessions: await printed('sessions') };
  const { requestId = '' } = JSON.parse(await printed('requests', '--json'))[0];
  const decided = await printed('approve', requestId);
  const { stderr } = await run.ended;
  const log = await printed('log');
  for (const [name, text] of Object.entries({ ...shown, decided, log, stderr })) {
    expect(`${name}: ${text}`).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(`${name}: ${text}`).not.toMatch(/^FORGED/m);
  }
  expect(waiting).toContain('    │ FORGED line');
});
