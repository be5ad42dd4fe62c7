/** The views of the control room on recorded sessions, and on two that run. */
import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRoom } from '../../src/cli/web/open-room.js';
import { createFiles } from '../support/files.js';
import { endSession, writeResult, writeSession, writeTurn } from '../support/past-session.js';
import { createGate } from '../support/gate.js';
import { closeBrowser, HAS_BROWSER, openLiveRoom, openPage, openRoomOn } from '../support/room.js';
import { agentCall, bashCall, playParts } from '../support/scripts.js';
import { ALLOW_ALL, createTroupeOverHttp, defineAgent } from '../support/troupe.js';

afterAll(closeBrowser);

type Session = ReturnType<typeof writeSession>;

/** A room on a recorded session of one agent. */
async function openRecorded(write: (session: Session) => void) {
  const home = await createFiles({});
  const session = writeSession(home, { cwd: '/work/app' });
  write(session);
  await session.journal.close();
  const room = await openRoom({ env: { TROUPE_HOME: home } }, 0);
  onTestFinished(() => room.close());
  return { ...(await openPage(room.address)), room };
}

/** Hide the page, or show it, as the tabs of a browser do. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
  );
}

/** The parts of the page that are wider than their place, beyond what is cut with an ellipsis or scrolls by itself. */
function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('body, header, main > *, .node, .line, .title, article')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.className || one.tagName)`);
}

/** Whether the begin of an element is in the visible part of a window of this height. */
async function isInWindow(element: Locator, height: number): Promise<boolean> {
  const { y } = (await element.boundingBox()) ?? { y: -1 };
  return y >= 0 && y < height;
}

const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });

describe.skipIf(!HAS_BROWSER)('a conversation on the page', () => {
  it('shows each tool call in the way of its tool, and texts as Markdown', async () => {
    const todos = [
      { content: 'Read', status: 'completed', activeForm: 'Reading' },
      { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
    ];
    const edit = { file_path: '/work/app/a.js', old_string: 'one\ntwo', new_string: 'one\n2' };
    const { page, problems } = await openRecorded((session) => {
      writeTurn(session, 1, [
        { type: 'text', text: 'I **know** `it`: [here](http://x.example).' },
        use('t1', 'Edit', edit),
        use('t2', 'Bash', { command: 'npm test' }),
        use('t3', 'TodoWrite', { todos }),
        use('t4', 'Grep', { pattern: 'x', path: '/work/app/src' }),
      ]);
      for (const id of ['t1', 't2', 't3']) writeResult(session, 1, id, `of ${id}`);
      endSession(session);
    });
    const items = page.getByRole('tabpanel', { name: 'Conversation' }).locator('.item');
    await items.nth(5).waitFor();
    expect(await items.nth(0).locator('.markdown').innerHTML()).toBe(
      '<p>I <b>know</b> <code>it</code>: here (http://x.example).</p>',
    );
    expect(await items.locator('.call-head').allInnerTexts()).toEqual([
      'Edit\na.js\ndone',
      'Bash\nnpm test\ndone',
      'TodoWrite\nRead · Write\ndone',
      'Grep\nsrc\nno result',
    ]);
    expect(await items.nth(2).locator('pre').innerText()).toBe('of t2');
    expect(await items.nth(1).locator('.diff').innerText()).toBe('  one\n- two\n+ 2\n');
    await page.getByRole('tab', { name: 'To-do' }).click();
    const list = page.getByRole('region', { name: 'To-do list of main' });
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
      '✔\nRead #1 · completed',
      '▶\nWrite #2 · in progress',
    ]);
    expect(problems).toEqual([]);
  });

  it('folds a long output, and has all of it', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    const { page } = await openRecorded((session) => {
      writeTurn(session, 1, [use('t1', 'Agent', { description: 'a', prompt: lines.join('\n') })]);
      endSession(session);
    });
    const output = page.locator('.folded').first();
    await output.getByText('All 300 lines').waitFor();
    expect(await output.getByText('line 299').isVisible()).toBe(false);
    await output.getByText('All 300 lines').click();
    expect(await output.locator('> pre').innerText()).toBe(lines.join('\n'));
  });
});

describe.skipIf(!HAS_BROWSER)('the page of a session without a process', () => {
  it('says that it crashed, and offers neither a message nor a kill', async () => {
    const { page } = await openRecorded((session) =>
      writeTurn(session, 1, [{ type: 'text', text: 'Hm.' }]),
    );
    const chosen = page.getByRole('region', { name: 'Chosen task' });
    await chosen.getByText('crashed', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Kill|Send/ }).count()).toBe(0);
  });

  it('goes from change to change through its time', async () => {
    const { page } = await openRecorded((session) => {
      writeTurn(session, 1, [{ type: 'text', text: 'First.' }]);
      writeTurn(session, 2, [{ type: 'text', text: 'Second.' }]);
      endSession(session);
    });
    const panel = page.getByRole('tabpanel', { name: 'Conversation' });
    const previous = page.getByRole('button', { name: 'Previous change' });
    const second = panel.getByText('Second.');
    await second.waitFor();
    for (const change of ['the end of the agent', 'the end of its task', 'the second reply']) {
      expect([change, await second.isVisible()]).toEqual([change, true]);
      await previous.click();
      await page.getByText('Nothing can be changed in the past.').waitFor();
    }
    await second.waitFor({ state: 'detached' });
    await panel.getByText('First.').waitFor();
    await page.getByText('Nothing can be changed in the past.').waitFor();
    const next = page.getByRole('button', { name: 'Next change' });
    await next.press('Enter');
    await second.waitFor();
    await page.getByRole('button', { name: 'Return to now' }).click();
    expect(await next.isDisabled()).toBe(true);
  });
});

describe.skipIf(!HAS_BROWSER)('the page of a session that runs', () => {
  it('shows for each agent its open tool calls or what it waits for, and moves with the arrow keys', async () => {
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [{ tools: [agentCall('worker', { name: 'ann' })] }, { text: 'Done.' }],
        worker: [{ tools: [bashCall('sleep 1000')] }, { text: 'Done.' }],
      }),
      { agents: [defineAgent('worker')], permissions: ALLOW_ALL },
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const { page, problems } = await openPage(room.address);
    const tree = page.getByRole('region', { name: 'Agents and tasks' });
    await tree.getByRole('button', { name: /^ann tool calls Bash: sleep 1000 / }).waitFor();
    await tree
      .getByRole('button', { name: /^command sleep 1000 running waits for the end/ })
      .waitFor();
    await tree.getByRole('button', { name: /^main tool calls Agent: ann / }).press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ann' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'sleep 1000', exact: true }).waitFor();
    await page.getByText('This task has no conversation.').waitFor();
    await page.getByRole('tab', { name: 'Statechart' }).click();
    await page.getByRole('img', { name: 'Task: running' }).waitFor();

    await page.reload(); // the task and the view are those that were shown
    await page.getByRole('heading', { name: 'sleep 1000', exact: true }).waitFor();
    await page.getByRole('img', { name: 'Task: running' }).waitFor();
    expect(problems).toEqual([]);
    await troupe.close('the test is over');
    await session.outcome;
  });

  it('fits a narrow window, and goes to the agent that was chosen', async () => {
    const name = 'reviewer-of-the-documentation-and-of-the-parser';
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [{ tools: [agentCall('worker', { name })] }, { text: 'Done.' }],
        worker: [{ tools: [bashCall(`touch ${'made'.repeat(40)}`)] }, { text: 'Done.' }],
      }),
      { agents: [defineAgent('worker')] },
    );
    troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    for (const width of [1400, 1000, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      expect([width, await tooWide(page)]).toEqual([width, []]);
    }
    const chosen = page.getByRole('region', { name: 'Chosen task' });
    expect(await isInWindow(chosen, 800)).toBe(false);
    await page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
    await chosen.getByText(name).waitFor();
    await expect.poll(() => isInWindow(chosen, 800)).toBe(true);
  });

  it('shows a reply while it arrives, and once when it is there', async () => {
    const held = createGate();
    const text = 'The **first** half.';
    const world = await createTroupeOverHttp({
      handler: () => ({
        text,
        gate: (_, { type }) => (type === 'content_block_stop' ? held.opened : undefined),
      }),
    });
    const { room } = await openRoomOn(world);
    const session = world.troupe.session({ prompt: 'Begin.' });
    const { page, problems } = await openPage(room.address);
    const items = page.getByRole('tabpanel', { name: 'Conversation' }).locator('.item');
    await items.getByText('The first half.').waitFor();
    expect(session.textSoFar()).toBe(text);
    expect(await page.locator('.arriving').count()).toBe(1);
    held.open();
    await session.result;
    await page.locator('.arriving').waitFor({ state: 'detached' });
    expect(await items.getByText('The first half.').count()).toBe(1);
    expect({ rest: session.textSoFar(), problems }).toEqual({ rest: '', problems: [] });
  });

  it('counts the requests in the title of its tab, also while it is not visible', async () => {
    const { troupe, room } = await openLiveRoom(
      playParts({ main: [{ tools: [bashCall('touch made')] }, { text: 'Done.' }] }),
    );
    const { page } = await openPage(room.address);
    await page.getByText('1 running').waitFor();
    await setHidden(page, true);
    troupe.session({ prompt: 'Begin.' });
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('(1) Troupe');
    expect(await page.getByRole('article').count()).toBe(1);
    await setHidden(page, false);
    await page.getByRole('tabpanel').getByText('touch made').waitFor();
  });

  it('leads from a request of another session to its agent', async () => {
    const { troupe, room } = await openLiveRoom(
      playParts({ main: [{ tools: [bashCall('touch made')] }, { text: 'Done.' }] }),
    );
    const first = troupe.session({ prompt: 'First.' });
    const { page } = await openPage(room.address);
    await page.getByRole('button', { name: '1 needs you' }).waitFor();
    troupe.session({ prompt: 'Second.' });
    const other = page.getByRole('article').filter({ hasText: 'in another session' });
    await other.waitFor();
    await page.getByRole('button', { name: '2 need you' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('requests');
    await other.getByRole('button', { name: 'Open the agent' }).click();
    await page.getByRole('tabpanel').getByText('Second.').waitFor();
    await page.getByRole('article').filter({ hasText: 'in another session' }).waitFor();
    await troupe.close('the test is over');
    await first.outcome;
  });

  it('takes no decision right after the requests have moved: a click was meant for another one', async () => {
    const { troupe, room, at } = await openLiveRoom(
      playParts({
        main: [{ tools: ['a', 'b'].map((name) => agentCall(name, { name, prompt: name })) }],
        a: [{ tools: [bashCall('touch a')] }, { text: 'Done.' }],
        b: [{ tools: [bashCall('touch b')] }, { text: 'Done.' }],
      }),
      { agents: [defineAgent('a'), defineAgent('b')] },
    );
    troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await page.clock.install();
    await page.reload(); // all of its timers are those of the clock
    await page.getByRole('heading', { name: 'Requests (2)' }).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const [first] = troupe.approvals.list();
    await troupe.approvals.decide(first?.requestId ?? '', { behavior: 'deny' }, 'terminal');
    await page.getByRole('heading', { name: 'Requests (1)' }).waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await page.clock.runFor(499);
    expect(await allow.isDisabled()).toBe(true);
    await page.clock.runFor(1);
    expect(await allow.isEnabled()).toBe(true);
    expect(['a', 'b'].map((name) => existsSync(at(name)))).toEqual([false, false]);
  });

  it('edits each field of an input, and takes only JSON if a field is not a text', async () => {
    const { troupe, room, at } = await openLiveRoom(
      playParts({
        main: [
          { tools: [{ name: 'Bash', input: { command: 'touch a', timeout: 1000 } }] },
          { text: 'Done.' },
        ],
      }),
    );
    const session = troupe.session({ prompt: 'Begin.' });
    const { page } = await openPage(room.address);
    await page.getByRole('button', { name: 'Edit' }).click();
    const allow = page.getByRole('button', { name: 'Allow as edited' });
    await page.getByLabel('timeout (JSON)').fill('1 s');
    expect(await allow.isDisabled()).toBe(true);
    await page.getByLabel('timeout (JSON)').fill('2000');
    await page.getByLabel('command').fill('touch b\ntouch c');
    await allow.click();
    expect(await session.result).toBe('Done.');
    expect(['a', 'b', 'c'].map((name) => existsSync(at(name)))).toEqual([false, true, true]);
  });
});

describe.skipIf(!HAS_BROWSER)('the token of the page', () => {
  it('is not replaced by a wrong one that another site has put into the address', async () => {
    const { room } = await openLiveRoom(playParts({}));
    const { page } = await openPage(room.address);
    await page.getByText('1 running').waitFor();
    await page.goto('about:blank');
    await page.goto(new URL('/#token=wrong', room.address).href);
    await page.getByText('1 running').waitFor();
    expect(page.url()).not.toContain('token');
  });
});
