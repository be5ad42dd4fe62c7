import { expect, it } from 'vitest';
import { pages, serve } from '../tools/web/hostile-server.js';
import { createPlace } from './support/place.js';

const script = (url: string) => `version: 1
agents:
  - steps:
      - when: { user: '^<web-page' }
        text: The stable version is 2.
        repeat: true
      - when: { user: 'which version' }
        tools: [{ name: WebFetch, input: { url: '${url}', prompt: Which version? } }]
      - when: { tool: WebFetch, toolResult: '(?<said>[^]+)' }
        text: 'The tool said: \${said}'
`;

it('reads a page of this machine only by a rule that names the address', async ({
  onTestFinished,
}) => {
  const { url, seen } = await serve(
    pages({ '/': { body: '<h1>Versions</h1><table><tr><th>a<th>b<tr><td>1<td>2</table>' } }),
  );
  const place = await createPlace(onTestFinished);
  await place.write({ 'web.yaml': script(url('/')) });
  const ask = ['-p', 'which version', '--model', 'scripted:web.yaml'];

  const wide = await place.run([...ask, '--allowedTools', 'WebFetch']);
  expect([wide.code, wide.stderr]).toEqual([
    0,
    `troupe: denied: WebFetch(${url('/')}). Allow it: --allowedTools 'WebFetch(domain:127.0.0.1)'\n`,
  ]);
  expect(wide.stdout).toContain(
    '127.0.0.1 is a loopback address, which no mode and no wide rule opens',
  );
  expect(seen).toEqual([]);

  const named = await place.run([...ask, '--allowedTools', 'WebFetch(domain:127.0.0.1)']);
  expect([named.code, named.stdout, named.stderr]).toEqual([
    0,
    'The tool said: The stable version is 2.\n',
    '',
  ]);
  expect(seen).toEqual(['/']);
});
