import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, describe, expect, it, vi, type TestContext } from 'vitest';
import { agent, answer, bash, newestText, requestsOf, write } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (CHROMIUM === undefined)
  process.stderr.write('no Chromium: the tests of the control room in a browser are skipped\n');

let started: Promise<Browser> | undefined;
const browser = (): Promise<Browser> =>
  (started ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] }));
afterAll(async () => (await started)?.close());

/** Start `troupe web`. */
async function startRoom(place: Place, more: readonly string[] = []) {
  const room = place.start(['web', ...more]);
  const address = await vi.waitFor(() => {
    const [, found] = /The control room: (\S+)/.exec(room.printed) ?? [];
    return found ?? Promise.reject(new Error(`no address in ${room.printed}`));
  }, 10_000);
  return { room, address };
}

async function openPage(address: string, onTestFinished: TestContext['onTestFinished']) {
  const context = await (await browser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  await page.goto(address);
  return { page, problems };
}

describe.skipIf(CHROMIUM === undefined)('the control room in a browser', () => {
  it('shows the agents, and decides their requests as they are shown', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const hostile = 'echo "<img src=x onerror=alert(1)>\u202e" > out';
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('one', { run_in_background: true })] },
          { tools: [write('new.txt', 'first\nsecond\n')] },
          { text: 'Done.' },
        ],
        one: [{ tools: [bash(hostile)] }, { text: 'One is done.' }],
      }),
    });
    const run = place.start(['-p', 'go', '--wait-for-approval'], { api });
    const { room, address } = await startRoom(place);
    const { page, problems } = await openPage(address, onTestFinished);
    await page.getByRole('heading', { name: 'Requests (2)' }).waitFor();
    const tree = page.getByRole('region', { name: 'Agents and tasks' });
    await tree.getByText('1 below need you').waitFor();

    const change = page.getByRole('article', { name: 'main asks to use Write:' });
    expect(await change.locator('pre').last().textContent()).toBe(
      '@@ -1,0 +1,2 @@\n+ first\n+ second\n',
    );
    await change.getByLabel('Words for the agent').fill('Not now.');
    await change.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied for main: Write: new.txt').waitFor();

    const shell = page.getByRole('article', { name: 'general-purpose (one) asks to use Bash:' });
    expect(await shell.locator('pre').first().textContent()).toBe(
      `${hostile.replace('\u202e', '\\u202e')}\n`,
    );
    await shell.getByRole('button', { name: 'Edit' }).click();
    await shell
      .getByLabel('Input that runs instead, as JSON')
      .fill('{"command": "echo edited > out"}');
    await page.reload(); // nothing is decided
    await shell.getByRole('button', { name: 'Edit' }).click();
    await shell
      .getByLabel('Input that runs instead, as JSON')
      .fill('{"command": "echo edited > out"}');
    await shell.getByRole('button', { name: 'Allow as edited' }).click();
    expect((await run.ended).code).toBe(0);
    expect(await place.text('out')).toBe('edited\n');
    expect(newestText(requestsOf(api, 'go')[2])).toContain('Not now.');

    await page.getByRole('heading', { name: 'Requests (0)' }).waitFor();
    await tree.getByText('completed').nth(1).waitFor();
    const slider = page.getByLabel('Time of the session');
    await slider.fill(String(Number(await slider.getAttribute('min'))));
    await tree.getByText('completed').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Now' }).click();
    await tree.getByText('completed').nth(1).waitFor();
    expect(problems).toEqual([]);

    room.kill('SIGINT');
    expect((await room.ended).code).toBe(0);
    await page.getByText('connection lost, trying again').waitFor();
  });

  it('ends a session with all that it has started', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ tools: [bash('sleep 1000')] }) });
    const run = place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    const { room, address } = await startRoom(place);
    const { page } = await openPage(address, onTestFinished);
    await page.getByRole('button', { name: 'Kill main: main' }).click();
    expect((await run.ended).code).toBe(1);
    await page
      .getByRole('region', { name: 'Agents and tasks' })
      .getByText('killed')
      .first()
      .waitFor();

    expect(await cookiesAtAnotherPort(page, onTestFinished)).toBe(undefined);
    await page.goto(new URL('/', address).href); // the token is kept, and not in the address
    await page.getByText('0 running').waitFor();
    for (let more = 0; more < 6; more += 1) await openHidden(page);
    await page.reload();
    await page.getByRole('region', { name: 'Conversation' }).getByText('sleep 1000').waitFor();

    room.kill('SIGINT');
    await room.ended;
    await page.getByText('connection lost, trying again').waitFor();
    const again = await startRoom(place, ['--port', new URL(address).port]);
    await page.getByText('not allowed: open the address that troupe web has printed').waitFor();
    await page.goto(again.address);
    await page.getByText('0 running').waitFor();
  });
});

/** The cookies that the browser sends to a server on another port of this machine. */
async function cookiesAtAnotherPort(
  page: Page,
  onTestFinished: TestContext['onTestFinished'],
): Promise<string | undefined> {
  const other = createServer((_, response) => response.end());
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo; // it listens
  const asked = once(other, 'request') as Promise<[IncomingMessage]>;
  await page.goto(`http://127.0.0.1:${port}/`);
  const [{ headers }] = await asked;
  return headers.cookie;
}

/** Open the room in a tab that is not visible, as a browser with many tabs has it. */
async function openHidden(page: Page): Promise<void> {
  const tab = await page.context().newPage();
  await tab.addInitScript("Object.defineProperty(document, 'hidden', { value: true })");
  await tab.goto(page.url());
}

describe('the server of the control room', () => {
  it('answers only the page that it has served', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { address } = await startRoom(place);
    const { origin, hash } = new URL(address);
    const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
    const post = (more: Readonly<Record<string, string>>, body = '{}') =>
      fetch(`${origin}/sessions`, { method: 'POST', headers: { ...headers, ...more }, body });
    const json = { 'content-type': 'application/json', origin };
    const tried = {
      page: await fetch(`${origin}/`),
      'no token': await fetch(`${origin}/live`),
      'token in the address': await fetch(`${origin}/live?${hash.slice(1)}`),
      'wrong token': await fetch(`${origin}/live`, {
        headers: { authorization: `${headers.authorization}x` },
      }),
      'command without token': await fetch(`${origin}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: '{}',
      }),
      'unknown page': await fetch(`${origin}/../package.json`, { headers }),
      command: await post(json),
      'of another site': await post({ ...json, origin: 'https://example.com' }),
      'of another port': await post({ ...json, origin: 'http://127.0.0.1:1' }),
      'without origin': await post({ 'content-type': 'application/json' }),
      'as a form': await post({ ...json, 'content-type': 'text/plain' }),
      'no JSON': await post(json, '{'),
      'no decision': await fetch(`${origin}/decide`, {
        method: 'POST',
        headers: { ...headers, ...json },
        body: '{"behavior":"allow"}',
      }),
    };
    const statuses = Object.entries(tried).map(([name, { status }]) => [name, status] as const);
    expect(Object.fromEntries(statuses)).toEqual({
      page: 200,
      'no token': 401,
      'token in the address': 401,
      'wrong token': 401,
      'command without token': 401,
      'unknown page': 404,
      command: 200,
      'of another site': 403,
      'of another port': 403,
      'without origin': 403,
      'as a form': 415,
      'no JSON': 400,
      'no decision': 409,
    });
    expect(tried.page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await statusWithHost(`${origin}/`, 'evil.example', headers)).toBe(403);
  });
});

function statusWithHost(
  url: string,
  host: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { ...headers, host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
