import { describe, expect, it, onTestFinished } from 'vitest';
import { processesWith, until } from '../processes/processes.js';
import { fakeServer } from '../support/lsp/servers.js';
import { answer } from './support/answers.js';
import { createPlace } from './support/place.js';

/** Settings with a server whose processes have a word in their command line, by which the test finds them. */
function settingsOf(behaviour: string) {
  const mark = `mark-${Math.random()}`;
  const server = fakeServer(behaviour);
  const fake = { ...server, args: [...(server.args ?? []), mark] };
  return { mark, settings: JSON.stringify({ lspServers: { fake } }) };
}

const HOVER = { operation: 'hover', filePath: 'one.fake', line: 1, character: 1 };
const ASKS = { 'Look.': [{ tools: [{ name: 'LSP', input: HOVER }] }, { text: 'Done.' }] };

describe('lspServers', { timeout: 30_000 }, () => {
  it('leaves no server behind when the command is killed', async () => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'one.fake': 'a\n' });
    const api = await place.api({ handler: answer(ASKS) });
    const { mark, settings } = settingsOf('silent');
    await place.call(['trust']);
    const args = ['-p', 'Look.', '--settings', settings];
    const troupe = place.start(args, { api });
    const servers = () => processesWith(mark).filter((pid) => pid !== troupe.pid);
    await until('the server runs', () => servers().length === 1);
    troupe.kill('SIGKILL');
    await until('the server is gone', () => servers().length === 0, 3_000);
    expect(await troupe.ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it.each([
    [{ extensionToLanguage: { '.py': 'python' } }, 'must be the program to start'],
    [
      { command: 'x', extensionToLanguage: { py: 'python' } },
      'must be the ending of a file name, such as ".py"',
    ],
    [{ command: 'x', extensionToLanguage: {} }, 'must name an ending, as in { ".py": "python" }'],
  ])('refuses a server that cannot be used: %o', async (server, message) => {
    const place = await createPlace(onTestFinished);
    const settings = JSON.stringify({ lspServers: { x: server } });
    const { code, stderr } = await place.call(['-p', 'Look.', '--settings', settings]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
