import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { newestResults, playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';
import { pages, serve } from '../../tools/web/hostile-server.js';

const LOCAL = {
  ...ASK_FIRST,
  mode: 'dontAsk',
  alwaysAllowRules: { session: ['WebFetch(domain:127.0.0.1)'] },
} as const;

/** Fetches an address, has the small model answer, and ends with what the tool returned. */
const fetching = (url: string, seen: ModelRequest[] = []) =>
  playParts({
    main: [
      { tools: [{ name: 'WebFetch', input: { url, prompt: 'Which version?' } }] },
      (request) => {
        seen.push(request);
        return { text: 'Version 2.' };
      },
      ({ messages }) => ({ text: String(newestResults(messages)[0]?.content) }),
    ],
  });

describe('an agent that uses WebFetch', () => {
  it('has the small model read the page, without tools and at its own expense', async () => {
    const { url } = await serve(pages({ '/': { body: '<h1>Release 2</h1>' } }));
    const seen: ModelRequest[] = [];
    const { troupe } = await createTroupe(fetching(url('/'), seen), { permissions: LOCAL });
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Version 2.' });
    const asked = seen.map(({ model, tools, messages }) => ({
      model,
      tools,
      text: messages.map(textOf),
    }));
    expect(asked).toEqual([
      {
        model: 'claude-haiku-5-5',
        tools: [],
        text: [
          `<web-page url="${url('/')}">\n# Release 2\n</web-page>\n\n<question>\nWhich version?\n</question>`,
        ],
      },
    ]);
    expect([...session.usage().byModel.keys()]).toEqual(['scripted', 'claude-haiku-5-5']);
  });

  it('keeps what the small model has used in a resumed session', async () => {
    const { url } = await serve(pages({ '/': { body: 'page' } }));
    const { troupe } = await createTroupe(fetching(url('/')), { permissions: LOCAL });
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const used = session.usage().byModel.get('claude-haiku-5-5');
    expect(used?.calls).toBe(1);
    const resumed = troupe.session({ resume: session.sessionId, staysOpen: false });
    await resumed.outcome;
    expect(resumed.usage().byModel.get('claude-haiku-5-5')).toEqual(used);
  });

  it('fetches nothing of this machine without a rule that names it, in any mode', async () => {
    const { url, seen } = await serve(pages({ '/': { body: 'secret' } }));
    const script = playParts({
      main: [
        { tools: [{ name: 'WebFetch', input: { url: url('/'), prompt: 'What?' } }] },
        ({ messages }) => ({ text: String(newestResults(messages)[0]?.content) }),
      ],
    });
    const { troupe } = await createTroupe(script);
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({
      status: 'completed',
      result:
        'Permission to use WebFetch was denied: 127.0.0.1 is a loopback address, which no mode and no wide rule opens. Only a rule that names it does: WebFetch(domain:127.0.0.1).',
    });
    expect(seen).toEqual([]);
  });

  it('stops fetching when it is interrupted', async () => {
    let begun = (): void => {};
    const started = new Promise<void>((resolve) => (begun = resolve));
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('x');
      begun();
    });
    const { troupe } = await createTroupe(fetching(url('/')), { permissions: LOCAL });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const idle = new Promise((resolve) =>
      session.events.once('agent.idle', (_, turnOutcome) => resolve(turnOutcome)),
    );
    await started;
    session.interrupt();
    expect(await idle).toMatchObject({ failure: { code: 'INTERRUPTED' } });
  });
});
