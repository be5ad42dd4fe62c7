import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it, vi, type TestContext } from 'vitest';
import { messageOf } from '../../src/core/errors.js';
import { decideRequest } from '../../src/cli/control/decide-request.js';
import type { LiveNews } from '../../src/cli/web/live-troupes.js';
import { openInBrowser } from '../../src/cli/web/open-in-browser.js';
import { createGate } from '../support/gate.js';
import { askBack, form } from '../support/mcp/ask-back.js';
import { closeBrowser, HAS_BROWSER, openLiveRoom, openPage, openRoomOn } from '../support/room.js';
import { agentCall, bashCall, newestResults, playParts, resultText } from '../support/scripts.js';
import { ALLOW_ALL, ASK_FIRST, defineAgent } from '../support/troupe.js';
import { agent, answer, bash, newestText, requestsOf, write } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

afterAll(closeBrowser);

/** Start `troupe web`. */
async function startRoom(place: Place, more: readonly string[] = []) {
  const room = place.start(['web', ...more]);
  const address = await vi.waitFor(() => {
    const [, found] = /The control room: (\S+)/.exec(room.printed) ?? [];
    return found ?? Promise.reject(new Error(`no address in ${room.printed}`));
  }, 10_000);
  return { room, address };
}

describe.skipIf(!HAS_BROWSER)('the control room in a browser', () => {
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
    const { page, problems } = await openPage(address);
    await page.getByRole('heading', { name: 'Requests (2)' }).waitFor();
    const tree = page.getByRole('region', { name: 'Agents and tasks' });
    await tree.getByText('1 below need you').waitFor();

    const change = page.getByRole('article', { name: 'main asks to use Write:' });
    expect(await change.locator('pre').last().textContent()).toBe(
      '@@ -0,0 +1,2 @@\n+ first\n+ second\n',
    );
    await change.getByLabel('Words for the agent').fill('Not now.');
    await change.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied for main: Write: new.txt').waitFor();

    const shell = page.getByRole('article', { name: 'general-purpose (one) asks to use Bash:' });
    expect(await shell.locator('pre').first().textContent()).toBe(
      `${hostile.replace('\u202e', '\\u202e')}\n`,
    );
    await shell.getByRole('button', { name: 'Edit' }).click();
    await shell.getByLabel('command', { exact: true }).fill('echo edited > out');
    await page.reload(); // nothing is decided
    await shell.getByRole('button', { name: 'Edit' }).click();
    await shell.getByLabel('command', { exact: true }).fill('echo edited > out');
    await shell.getByRole('button', { name: 'Allow as edited' }).click();
    expect((await run.ended).code).toBe(0);
    expect(await place.text('out')).toBe('edited\n');
    expect(newestText(requestsOf(api, 'go')[2])).toContain('Not now.');

    await page.getByRole('heading', { name: 'Requests (0)' }).waitFor();
    await tree.getByText('completed').nth(1).waitFor();
    const slider = page.getByLabel('Time of the session');
    await slider.fill(String(Number(await slider.getAttribute('min'))));
    await tree.getByText('completed').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await tree.getByText('completed').nth(1).waitFor();
    expect(problems).toEqual([]);

    room.kill('SIGINT');
    expect((await room.ended).code).toBe(0);
    await page.getByText('connection lost, trying again').waitFor();
    expect(problems.filter(isCut)).toEqual([]);
  });

  it('ends a session with all that it has started', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ tools: [bash('sleep 1000')] }) });
    const run = place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    const { room, address } = await startRoom(place);
    const { page, problems } = await openPage(address);
    await page.getByRole('button', { name: 'Kill main', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Kill main', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, kill main' }).click();
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
    await page.getByRole('tabpanel', { name: 'Conversation' }).getByText('sleep 1000').waitFor();

    room.kill('SIGKILL');
    await room.ended;
    await page.getByText('connection lost, trying again').waitFor();
    expect(problems.filter(isCut)).toEqual([]);
    const again = await startRoom(place, ['--port', new URL(address).port]);
    await page.getByText('not allowed: open the address that troupe web has printed').waitFor();
    await page.goto(again.address);
    await page.getByText('0 running').waitFor();
  });
});

/** Whether an error of a page is another one than a server that is not there. */
const isCut = (problem: string): boolean => !problem.includes('ERR_CONNECTION_REFUSED');

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
      fetch(`${origin}/send`, { method: 'POST', headers: { ...headers, ...more }, body });
    const json = { 'content-type': 'application/json', origin };
    const tried = {
      page: await fetch(`${origin}/`),
      'no token': await fetch(`${origin}/events`),
      'token in the address': await fetch(`${origin}/events?${hash.slice(1)}`),
      'wrong token': await fetch(`${origin}/events`, {
        headers: { authorization: `${headers.authorization}x` },
      }),
      'command without token': await fetch(`${origin}/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: '{}',
      }),
      'unknown page': await fetch(`${origin}/../package.json`, { headers }),
      command: await post(json, '{"task":"none","text":"hi"}'),
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
      command: 409,
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

  it('sends each request once to a connection, and again to the next one', async () => {
    const text = 'x'.repeat(300_000);
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [{ tools: ['a', 'b'].map((name) => agentCall(name, { name, prompt: name })) }],
        a: [{ tools: [bashCall(`touch ${text}`)] }, { text: 'Done.' }],
        b: [{ tools: [bashCall('touch b')] }, { text: 'Done.' }],
      }),
      { agents: [defineAgent('a'), defineAgent('b')] },
    );
    troupe.session({ prompt: 'Begin.' });
    await vi.waitFor(() => expect(troupe.approvals.list()).toHaveLength(2), 10_000);
    const [large, small] = troupe.approvals
      .list()
      .toSorted((a, b) => JSON.stringify(b.input).length - JSON.stringify(a.input).length);
    const first = followLive(room.address);
    const next = async () => {
      const { ids, fresh } = (await first.next()).value.requests;
      return { ids: ids.length, fresh: fresh.map(({ requestId }) => requestId) };
    };
    const both = [large?.requestId, small?.requestId];
    expect(await next()).toEqual({ ids: 2, fresh: expect.arrayContaining(both) as unknown });
    await troupe.approvals.decide(small?.requestId ?? '', { behavior: 'deny' }, 'terminal');
    for (let left = 2; left > 1;) {
      const { ids, fresh } = await next();
      expect(fresh).toEqual([]);
      left = ids;
    }
    expect((await followLive(room.address).next()).value.requests).toMatchObject({
      ids: [large?.requestId],
      fresh: [{ input: { command: `touch ${text}` } }],
    });
  });
});

/** The looks at the running troupes that one connection of a page gets. */
async function* followLive(address: string): AsyncGenerator<LiveNews, never> {
  const { origin, hash } = new URL(address);
  const authorization = `Bearer ${hash.replace('#token=', '')}`;
  const headers = { authorization, origin, 'content-type': 'application/json' };
  const { body } = await fetch(`${origin}/events`, { method: 'POST', headers, body: '{}' });
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events ?? [])
    if (event === 'live') yield JSON.parse(data) as LiveNews;
  throw new Error('the room has closed the connection');
}

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

describe.skipIf(!HAS_BROWSER)('the views of the control room', () => {
  it('show who wrote to whom, the active states, and what is used, reserved and allowed', async () => {
    const held = createGate();
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [
          { tools: [agentCall('worker', { name: 'ann', background: true })] },
          { tools: [{ name: 'SendMessage', input: { to: 'ann', message: 'Use tabs.' } }] },
          { text: 'Waiting.' },
        ],
        worker: [
          async () => {
            await held.opened;
            return { text: 'Done.' };
          },
        ],
      }),
      { agents: [defineAgent('worker')] },
    );
    const session = troupe.session({ prompt: 'Begin.', taskBudget: { turns: 40 } });
    const { page, problems } = await openPage(room.address);
    await page.getByRole('tab', { name: 'Budget' }).click();
    const budget = page.getByRole('tabpanel', { name: 'Budget' });
    await budget.getByText('main: 3 used, 1 reserved of 40 turns').waitFor();
    await page.getByRole('tab', { name: 'Messages' }).click();
    const messages = page.getByRole('tabpanel', { name: 'Messages' });
    await messages.getByText('Use tabs.').waitFor();
    expect((await messages.getByRole('listitem').allInnerTexts()).map(withoutTimes)).toEqual([
      'user → main prompt · seen Begin.',
      'main → ann prompt · seen Do your part.',
      'main → ann message · not seen Use tabs.',
    ]);
    await page.getByRole('button', { name: /^ann / }).click();
    await page.getByRole('tab', { name: 'Messages' }).press('ArrowLeft');
    await page
      .getByRole('tabpanel', { name: 'Timeline' })
      .getByRole('img', { name: /^Time of ann: / })
      .waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).press('ArrowLeft');
    await page.getByRole('tab', { name: 'Conversation' }).press('ArrowLeft');
    await page.getByRole('img', { name: 'Agent: living.sampling' }).waitFor();
    await page.getByRole('img', { name: 'Task: running' }).waitFor();
    held.open();
    await session.result;
    await page.getByRole('img', { name: 'Agent: done' }).waitFor();
    const chart = page.getByRole('region', { name: 'Statechart of Agent' });
    expect((await chart.getByRole('row').allInnerTexts()).map(withoutTimes)).toEqual([
      'living.idle → done',
      'living.sampling → living.idle',
      'living.idle → living.sampling',
      'living.sampling → living.idle',
      'living → living.sampling',
    ]);
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!HAS_BROWSER)('a question on the page of the control room', () => {
  it('is a form of an MCP server with all kinds of fields, and says which value is wrong', async () => {
    const properties = {
      name: { type: 'string', title: 'Your name', minLength: 2 },
      mail: { type: 'string', format: 'email', description: 'For the receipt' },
      count: { type: 'integer', minimum: 1, maximum: 5 },
      share: { type: 'number', default: 0.5 },
      size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
      colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, default: ['a'] },
      urgent: { type: 'boolean' },
      note: { type: 'string' },
    };
    const { address, answers } = askOnPage([form('Who?', properties, ['name', 'count'])]);
    const { page } = await openPage(await address);
    const article = page.getByRole('article');
    const send = article.getByRole('button', { name: 'Send the form' });
    await send.click();
    await article.getByRole('alert').getByText('"name" is required').waitFor();
    await article.getByLabel('Your name (required)').fill('Ada');
    await article.getByLabel('mail').fill('ada@example.com');
    await article.getByLabel('count (required)').fill('7');
    await send.click();
    await article.getByRole('alert').getByText('"count": it must be at most 5').waitFor();
    await article.getByLabel('count (required)').fill('3');
    await article.getByLabel('size').selectOption({ label: 'Medium' });
    await article.getByLabel('colour').selectOption({ label: 'Red' });
    await article.getByRole('group', { name: 'tags' }).getByLabel('c').check();
    await article.getByLabel('urgent').selectOption({ label: 'no' });
    await send.click();
    expect(await answers).toEqual([
      {
        action: 'accept',
        content: {
          name: 'Ada',
          mail: 'ada@example.com',
          count: 3,
          share: 0.5,
          size: 'm',
          colour: 'r',
          tags: ['a', 'c'],
          urgent: false,
        },
      },
    ]);
  });

  it('has one or several options, and own words that count as they are, digits too', async () => {
    const options = [
      { label: 'npm', description: 'comes with Node' },
      { label: 'pnpm', description: 'saves space' },
    ];
    const ask = (question: string, multiSelect: boolean) => ({
      question,
      header: 'Ask',
      options,
      multiSelect,
    });
    const questions = [ask('Which?', false), ask('Which ones?', true), ask('How many?', false)];
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [
          { tools: [{ name: 'AskUserQuestion', input: { questions } }] },
          ({ messages }) => ({ text: newestResults(messages).map(resultText).join() }),
        ],
      }),
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    const group = (name: string) => page.getByRole('group', { name });
    await group('Which?').getByLabel('pnpm').check();
    await group('Which ones?').getByLabel('npm', { exact: false }).first().check();
    await group('Which ones?').getByLabel('pnpm').check();
    await group('Which ones?').getByLabel('Own words').fill('yarn');
    await group('How many?').getByLabel('Own words').fill('2');
    await page.getByRole('button', { name: 'Answer' }).click();
    expect(await session.result).toBe(
      'The user has answered:\nWhich? → pnpm\nWhich ones? → npm, pnpm, yarn\nHow many? → 2',
    );
  });

  it('is a plan, refused with feedback, presented again, and approved', async () => {
    const plan = (text: string) => ({ tools: [{ name: 'ExitPlanMode', input: { plan: text } }] });
    const seen: string[] = [];
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [
          plan('1. Write it.'),
          ({ messages }) => {
            seen.push(...newestResults(messages).map(resultText));
            return plan('1. Test it.');
          },
          { text: 'Done.' },
        ],
      }),
      { permissions: { ...ASK_FIRST, mode: 'plan' } },
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    const article = page.getByRole('article', { name: 'main has a plan:' });
    await article.getByText('1. Write it.').waitFor();
    await article.getByLabel('Feedback on the plan').fill('Test it first.');
    await article.getByRole('button', { name: 'Keep planning' }).click();
    await article.getByText('1. Test it.').waitFor();
    expect(seen.join()).toContain('Test it first.');
    await article.getByRole('button', { name: 'Approve', exact: true }).click();
    expect(await session.result).toBe('Done.');
  });
});

describe.skipIf(!HAS_BROWSER)('the control room of a busy team', () => {
  it('shows 20 agents live, and tells all others who has decided', async () => {
    const withdrawn: string[] = [];
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const { troupe, room, env, has } = await openTeam(
      playParts({
        main: [
          {
            tools: numbers.map((one) =>
              agentCall('worker', { name: `w${one}`, prompt: String(one), background: true }),
            ),
          },
          { text: 'Waiting.' },
        ],
        worker: [{ tools: [bashCall('echo 1 > "$PPID.out"')] }, { text: 'Done.' }],
        w7: [{ tools: [bashCall('touch seventh')] }, { text: 'Seven is done.' }],
      }),
      {
        agents: [defineAgent('worker')],
        canUseTool: (_tool, _input, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              withdrawn.push('canUseTool');
              reject(new Error('withdrawn'));
            });
          }),
      },
    );
    troupe.approvals.onRequest(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            withdrawn.push(messageOf(signal.reason));
            resolve(undefined);
          });
        }),
    );
    troupe.session({ prompt: 'Begin.' });
    const [{ page, problems }, second] = await Promise.all([
      openPage(room.address),
      openPage(room.address),
    ]);
    await page.getByRole('heading', { name: 'Requests (20)' }).waitFor();
    await second.page.getByRole('heading', { name: 'Requests (20)' }).waitFor();
    const tree = page.getByRole('region', { name: 'Agents and tasks' });
    await tree.getByText('20 below need you').waitFor();
    expect(await tree.getByText('needs you', { exact: true }).count()).toBe(20);
    const seventh = page.getByRole('article', { name: /^w7 / });
    await seventh.getByRole('button', { name: 'Allow once' }).click();
    await page
      .getByRole('status')
      .getByText(/^Allowed for w7 .*: Bash: touch seventh$/)
      .waitFor();
    await second.page.getByRole('heading', { name: 'Requests (19)' }).waitFor();
    await vi.waitFor(() => expect(has('seventh')).toBe(true));
    expect(withdrawn).toEqual(
      expect.arrayContaining([
        'canUseTool',
        'control room has answered the permission request: no other decision is needed.',
      ]),
    );
    expect(withdrawn).toHaveLength(2);
    const [first] = troupe.approvals.list();
    await troupe.approvals.decide(first?.requestId ?? '', { behavior: 'deny' }, 'terminal');
    await page.getByRole('heading', { name: 'Requests (18)' }).waitFor();
    await expect(
      decideRequest(first?.requestId ?? '', () => ({ behavior: 'allow' }), {
        by: 'me',
        world: { env },
      }),
    ).rejects.toThrow(/waits/);
    await troupe.close('the test is over');
    await page.getByRole('heading', { name: 'Requests (0)' }).waitFor();
    expect([...problems, ...second.problems]).toEqual([]);
  });
});

describe.skipIf(!HAS_BROWSER)('the page of the control room', () => {
  it('loses nothing by a reload, a lost connection and a second browser', async () => {
    const steps = [createGate(), createGate()];
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [
          { tools: [bashCall('echo one')] },
          async () => {
            await steps[0]?.opened;
            return { tools: [bashCall('echo two')] };
          },
          async () => {
            await steps[1]?.opened;
            return { text: 'The end.' };
          },
        ],
      }),
      { permissions: ALLOW_ALL },
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    const items = page.getByRole('tabpanel', { name: 'Conversation' }).locator('.item .subject');
    await items.getByText('echo one').waitFor();
    await page.context().setOffline(true);
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    steps[0]?.open();
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await page.getByText('connection lost, trying again').waitFor();
    await page.context().setOffline(false);
    await items.getByText('echo two').waitFor();
    expect(await items.filter({ hasText: 'echo' }).allInnerTexts()).toEqual([
      'echo one',
      'echo two',
    ]);
    steps[1]?.open();
    expect(await session.result).toBe('The end.');
    await page.reload();
    const second = await openPage(room.address);
    const shown = [page, second.page].map(async (one) => {
      const panel = one.getByRole('tabpanel', { name: 'Conversation' });
      await panel.getByText('The end.').waitFor();
      return (await panel.locator('.item').allInnerTexts()).map(withoutTimes);
    });
    const [a, b] = await Promise.all(shown);
    expect(a).toEqual(b);
    expect(a).toHaveLength(4);
  });

  it('tells the second of two browsers that decide at once that the first has decided', async () => {
    const { troupe, room, has } = await openTeam(
      playParts({ main: [{ tools: [bashCall('touch made')] }, { text: 'Done.' }] }),
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const [first, second] = await Promise.all([openPage(room.address), openPage(room.address)]);
    const deny = second.page.getByRole('button', { name: 'Deny', disabled: false });
    await deny.waitFor();
    const arrived = createGate();
    await second.page.route('**/decide', async (route) => {
      arrived.open();
      await session.result;
      await route.continue();
    });
    await deny.click();
    await arrived.opened;
    await first.page.getByRole('button', { name: 'Allow once', disabled: false }).click();
    expect(await session.result).toBe('Done.');
    await second.page
      .getByRole('status')
      .getByText(/^No request with the ID .* waits/)
      .waitFor();
    expect(has('made')).toBe(true);
  });

  it('has a name for each control, and works with the keyboard alone', async () => {
    const { troupe, room, has } = await openTeam(
      playParts({ main: [{ tools: [bashCall('touch made')] }, { text: 'Done.' }] }),
    );
    const session = troupe.session({ prompt: 'Begin.', taskBudget: { turns: 5 } });
    const { page } = await openPage(room.address);
    await page.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    for (const view of ['Timeline', 'Messages', 'To-do', 'Budget', 'Statechart', 'Conversation']) {
      await page.getByRole('tab', { name: view }).click();
      await page.getByRole('tabpanel', { name: view }).waitFor();
      expect(await controlsWithoutName(page)).toEqual([]);
    }
    const reached: string[] = [];
    await page.getByRole('button', { name: 'Go to the agents' }).press('Enter');
    expect(await page.evaluate('document.activeElement.className')).toBe('node');
    await page.getByRole('button', { name: 'Go to the views' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-Conversation');
    await page.getByRole('combobox', { name: 'Session' }).focus();
    for (let at = ''; at !== 'Allow once' && reached.length < 30; reached.push(at)) {
      at = await page.evaluate<string>(
        "(document.activeElement.ariaLabel ?? document.activeElement.innerText ?? '')",
      );
      if (at !== 'Allow once') await page.keyboard.press('Tab');
    }
    expect(reached.at(-1)).toBe('Allow once');
    await page.keyboard.press('Enter');
    expect(await session.result).toBe('Done.');
    expect(has('made')).toBe(true);
    expect(await page.evaluate('document.activeElement.id')).toBe('requests');
  });

  it('shows hostile inputs of agents as text, and no other control', async () => {
    const hostile = {
      'escape sequences': 'echo "\u001b[2J\u001b[1;1Hsafe"',
      'a link of a terminal': 'echo "\u001b]8;;https://evil.example\u0007ok\u001b]8;;\u0007"',
      'reversed text': 'echo "\u202e)1(mr"',
      'a huge input': `echo ${'x'.repeat(300_000)}END`,
      'markup like a button': 'echo "</pre><button>Allow once</button><a href=//evil.example>"',
    };
    const lines = Object.entries(hostile);
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [
          {
            tools: lines.map(([, prompt], index) =>
              agentCall('worker', { name: `[${index}] Allow once`, prompt }),
            ),
          },
        ],
        ...Object.fromEntries(
          lines.map(([, line], index) => [
            `[${index}] Allow once`,
            [{ tools: [bashCall(`touch out; ${line}`)] }],
          ]),
        ),
      }),
      { agents: [defineAgent('worker')] },
    );
    troupe.session({ prompt: hostile['markup like a button'] });
    const { page, problems } = await openPage(room.address);
    await page.getByRole('heading', { name: `Requests (${lines.length})` }).waitFor();
    for (const [index, [, line]] of lines.entries()) {
      const article = page.getByRole('article', { name: `[${index}] Allow once (worker` });
      expect(await article.locator('pre').first().textContent()).toContain(printed(line));
      expect(await article.getByRole('button', { name: 'Allow once', exact: true }).count()).toBe(
        1,
      );
      await article
        .getByText(`Path: "[${index}] Allow once" → main → you`, { exact: true })
        .waitFor();
    }
    expect(await page.getByRole('button', { name: 'Allow once', exact: true }).count()).toBe(
      lines.length,
    );
    expect(await page.getByRole('link').count()).toBe(0);
    expect((await page.locator('body').innerText()).replaceAll(/[\t\n]/g, '')).not.toMatch(UNSEEN);
    const title = `(${lines.length}) Troupe`;
    expect({ title: await page.title(), problems }).toEqual({ title, problems: [] });
  });
});

/** Characters that a terminal obeys, or that turn the direction of text. */
const UNSEEN = /[\p{Cc}\u202a-\u202e]/u;

/** A text of an agent with such characters written out. */
function printed(text: string): string {
  return [...text]
    .map((one) =>
      UNSEEN.test(one) ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
    )
    .join('');
}

/** A live room, and whether the folder of its agents has a file. */
async function openTeam(...given: Parameters<typeof openLiveRoom>) {
  const world = await openLiveRoom(...given);
  return { ...world, has: (name: string): boolean => existsSync(world.at(name)) };
}

/** Controls and pictures in the accessibility tree that have no name. */
async function controlsWithoutName(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role, name }) => {
      const kind = String(role?.value);
      return !ignored && CONTROLS.includes(kind) && String(name?.value ?? '').trim() === '';
    })
    .map(({ role }) => String(role?.value));
}

const CONTROLS = [
  'button',
  'textbox',
  'combobox',
  'slider',
  'tab',
  'tabpanel',
  'checkbox',
  'radio',
  'link',
  'image',
  'meter',
  'region',
  'article',
];

describe.skipIf(!HAS_BROWSER)('troupe web --open', () => {
  it('gives the browser a file that only this user can read, and that leads to the room', async ({
    onTestFinished,
  }) => {
    const { room } = await openLiveRoom(playParts({}));
    const place = await createPlace(onTestFinished);
    await place.write({
      browser: '#!/bin/sh\nprintf %s "$*" > "$0.new" && mv "$0.new" "$0.arguments"\n',
    });
    await chmod(place.at('browser'), 0o700);
    const remove = await openInBrowser(place.at('browser'), room.address);
    const given = await vi.waitFor(() => place.text('browser.arguments'));
    expect(given).toMatch(/^file:\/\/\S+\/open\.html$/);
    const file = fileURLToPath(given);
    const modes = [file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(['600', '700']);
    const { page } = await openPage(given);
    await page.getByText('1 running').waitFor();
    expect(page.url()).not.toContain('token');
    await remove();
    expect(existsSync(dirname(file))).toBe(false);
  });
});

/** A control room with an agent whose tool asks the person on behalf of a server, and the answers that the server gets. */
function askOnPage(requests: readonly object[]) {
  const address = createGate<string>();
  const onReady = (world: Parameters<typeof openRoomOn>[0]): void =>
    void openRoomOn(world).then(({ room }) => address.open(room.address));
  const answers = askBack(requests, {}, { onReady }).then((asked) => asked.answers);
  return { address: address.opened, answers };
}

/** A shown text on one line, without its times. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d+:\d\d:\d\d\s[AP]M/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
