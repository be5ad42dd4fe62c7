import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { bash } from '../e2e/support/answers.js';
import { createPlace } from '../e2e/support/place.js';
import { HAS_TERMINAL, startAtTerminal } from '../e2e/support/terminal.js';
import { countProcesses, uniqueSeconds, until } from '../tools/shell/processes.js';
import { createFaultRun, sessionsOf, untilNoneLeft } from './support/fault-run.js';

/** More than lies in any pipe. */
const LONG = 'x'.repeat(2_000_000);

describe.concurrent('a command whose output nobody reads', () => {
  it('ends at SIGTERM, and its session can be gone on with', async ({ onTestFinished }) => {
    const run = await createFaultRun(onTestFinished, ({ body }) =>
      body.messages.length === 1
        ? { text: LONG, tools: [bash('echo > began; sleep 60')] }
        : { text: 'Done.' },
    );
    const troupe = run.start();
    troupe.stopReading();
    await until('the command runs', () => run.place.has('began'));
    troupe.kill('SIGTERM');
    expect(await troupe.ended).toMatchObject({ code: 143, signal: null });
    await untilNoneLeft(run.place);
    expect(await run.resume().ended).toMatchObject({ code: 0 });
    expect(run.api.problems).toEqual([]);
  });
});

describe.skipIf(!HAS_TERMINAL).concurrent('a command whose terminal is closed', () => {
  const allowed = ['--allowedTools', 'Bash(sleep *)'];

  it.for([
    { name: '-p, a shell runs', flags: ['-p', 'Go.', ...allowed], asks: false },
    { name: '-p, a request waits', flags: ['-p', 'Go.'], asks: true },
    { name: 'interactive, a shell runs', flags: ['Go.', ...allowed], asks: false },
    { name: 'interactive, a request waits', flags: ['Go.'], asks: true },
  ])(
    'ends by SIGHUP, and its session can be gone on with: $name',
    async ({ flags, asks }, { onTestFinished }) => {
      const seconds = String(uniqueSeconds());
      const answer = ({ body }: FakeRequest): FakeReply =>
        body.messages.length === 1 ? { tools: [bash(`sleep ${seconds}`)] } : { text: 'Done.' };
      const place = await createPlace(onTestFinished);
      const api = await place.api({ handler: answer });
      const terminal = startAtTerminal(place, flags, { api, onTestFinished });
      if (asks) await terminal.see('4 no (');
      else await until('the command runs', () => countProcesses(seconds) > 0);
      expect(await terminal.hangUp()).toBe(129);
      await untilNoneLeft(place);
      const [session = ''] = sessionsOf(place);
      const words = ['-p', '--resume', basename(session), 'Go on.'];
      expect(await place.run(words, { api })).toMatchObject({ code: 0, stdout: 'Done.\n' });
      expect(api.problems).toEqual([]);
    },
  );
});
