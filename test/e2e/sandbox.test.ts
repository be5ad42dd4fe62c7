import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { whyNoBwrap } from '../processes/sandbox/sandboxed-supervisor.js';
import { countProcesses, hidden, uniqueSeconds, until } from '../processes/processes.js';
import { answer, bash, textOf } from './support/answers.js';
import { journalLines } from './support/journal-files.js';
import { createPlace } from './support/place.js';

const missing = whyNoBwrap();
/** Says all results that the conversation has had. */
const told = ({ body }: FakeRequest): FakeReply => ({
  text: body.messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
    .map((block) => textOf(block['content']))
    .join('\n'),
});

const ALLOW = ['--allowedTools', 'Bash'];
/** Everything runs, also what cannot be analysed. */
const BYPASS = ['--permission-mode', 'bypassPermissions'];
const env = { IS_SANDBOX: '1' };

describe.concurrent('a sandbox that is unavailable', () => {
  it('is refused before anything runs', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'hi' }] });
    const given = { api, env: { PATH: '/nowhere' } };
    const { code, stdout, stderr } = await place.run(['-p', 'go', '--sandbox', 'bwrap'], given);
    expect({ code, stdout, stderr, requests: api.requests.length }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'troupe: The sandbox "bwrap" does not work here: bwrap is not on the PATH. Install bubblewrap (apt-get install bubblewrap), or run without a sandbox.\n',
      requests: 0,
    });
  });
});

describe.skipIf(missing !== undefined)(
  `a sandboxed session${missing ?? ''}`,
  { concurrent: true },
  () => {
    it('keeps commands in the workspace, and leaves nothing of its own there', async ({
      onTestFinished,
    }) => {
      const place = await createPlace(onTestFinished);
      const outside = join(place.home, 'outside');
      const command = `mkdir sub && cd sub && echo fine >f; for path in ${outside} ../.npmrc ../.git/hooks/x; do (echo x >$path) 2>/dev/null && echo $path; done; echo key=$ANTHROPIC_API_KEY`;
      const api = await place.api({
        handler: answer({ go: [{ tools: [bash(command)] }, { tools: [bash('pwd')] }, told] }),
      });
      await place.write({ 'settings.json': '{"sandbox": {"enabled": true}}' });
      const args = ['-p', 'go', ...BYPASS, '--settings', 'settings.json'];
      const { code, stdout, stderr } = await place.run(args, { api, env });
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^key=\n.*\/work\/sub\n$/) as string,
        stderr: '',
      });
      expect(await readdir(place.cwd)).toEqual(['settings.json', 'sub']);
      expect(await readdir(place.home)).toEqual([]);
    });

    it('is left only if that was allowed', async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const outside = join(place.home, 'outside');
      const api = await place.api({
        handler: answer({
          go: [{ tools: [bash(`echo x >${outside}`, { dangerouslyDisableSandbox: true })] }, told],
        }),
      });
      const { stdout } = await place.run(['-p', 'go', ...ALLOW, '--sandbox', 'bwrap'], { api });
      expect(stdout).toContain('it would run outside the sandbox');
      expect(await readdir(place.home)).toEqual([]);
      const audit = await journalLines(await place.session(), 'audit.jsonl');
      expect(JSON.stringify(audit)).toContain('"dangerouslyDisableSandbox"');
    });

    it('leaves nothing behind when it is killed', async ({ onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const seconds = uniqueSeconds();
      const stubborn = `${hidden(seconds)}; echo x >begun; setsid env -i sleep $m & sleep $m`;
      const api = await place.api({
        handler: answer({
          go: [{ tools: [bash(stubborn)] }],
        }),
      });
      const troupe = place.start(['-p', 'go', ...BYPASS, '--sandbox', 'bwrap'], { api, env });
      await until('the command runs', () => countProcesses(`${seconds}`) === 2);
      expect(await readdir(place.cwd)).toContain('.npmrc');
      process.kill(troupe.pid, 'SIGKILL');
      await until('its processes are gone', () => countProcesses(`${seconds}`) === 0, 3_000);
      await until('the reaper has left', () => countProcesses(place.temporary) === 0, 3_000);
      expect(await readdir(place.cwd)).toEqual(['begun']);
      expect(await readdir(place.temporary)).toEqual([]);
    });
  },
);
