/** The page of the control room with long and hostile conversations. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRoom } from '../../src/cli/web/open-room.js';
import { createFiles } from '../support/files.js';
import { endSession, writeSession, writeTurn } from '../support/past-session.js';
import { closeBrowser, HAS_BROWSER, openLiveRoom, openPage } from '../support/room.js';
import { playParts } from '../support/scripts.js';
import { ASK_FIRST } from '../support/troupe.js';

afterAll(closeBrowser);

/** Clears a terminal, turns the text, hides a character, and looks like a control. */
const EVIL = '\u001b[2J\u202eevil\u2063</p><button>Allow once</button><a href=//evil.example>x</a>';
/** How long a loaded machine may take to describe a long request. */
const LOADED_MS = 40_000;
/** Characters that a terminal obeys, or that turn the direction of text. */
const UNSEEN = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2063]/u;

describe.skipIf(!HAS_BROWSER)('the page of a long session', () => {
  it('shows the newest entries, and earlier ones after the time was stopped', async () => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd: home });
    const texts = Array.from({ length: 450 }, (_, index) => ({ type: 'text', text: `t${index}.` }));
    writeTurn(session, 1, texts);
    endSession(session);
    await session.journal.close();
    const room = await openRoom({ env: { TROUPE_HOME: home } }, 0);
    onTestFinished(() => room.close());
    const { page, problems } = await openPage(room.address);
    const items = page.getByRole('tabpanel', { name: 'Conversation' }).locator('.item p');
    await items.getByText('t449.').waitFor();
    expect(await items.count()).toBe(200);
    await page
      .getByRole('button', { name: 'Stop here and show 250 entries that came before' })
      .click();
    await page.getByRole('button', { name: 'Show 200 earlier entries of 250' }).click();
    await page.getByRole('button', { name: 'Show 50 earlier entries of 50' }).click();
    expect(await items.allInnerTexts()).toEqual(texts.map(({ text }) => text));
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('button', { name: /^Stop here/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows a text that nests without end, and those behind it', async () => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd: home });
    const texts = [`${'>'.repeat(3_000)} deep`, '*a **b '.repeat(2_000), 'Behind it.'];
    writeTurn(
      session,
      1,
      texts.map((text) => ({ type: 'text', text })),
    );
    endSession(session);
    await session.journal.close();
    const room = await openRoom({ env: { TROUPE_HOME: home } }, 0);
    onTestFinished(() => room.close());
    const { page, problems } = await openPage(room.address);
    await page.getByText('Behind it.').waitFor();
    expect(await page.locator('.item.text').count()).toBe(3);
    expect(problems).toEqual([]);
  });

  it('shows a call whose input is missing, and those behind it', async () => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd: home });
    writeTurn(session, 1, [
      { type: 'tool_use', id: 'one', name: 'Odd' },
      { type: 'text', text: 'Behind it.' },
    ]);
    endSession(session);
    await session.journal.close();
    const room = await openRoom({ env: { TROUPE_HOME: home } }, 0);
    onTestFinished(() => room.close());
    const { page, problems } = await openPage(room.address);
    const items = page.getByRole('tabpanel', { name: 'Conversation' }).locator('.item.call');
    await page.getByText('Behind it.').waitFor();
    expect(await items.locator('.call-head').allInnerTexts()).toEqual(['Odd\nno result']);
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!HAS_BROWSER)('the page of a hostile agent', () => {
  it('takes keys beside a request of 20,000 lines, all of which are there on demand', async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
    const write = { name: 'Write', input: { file_path: 'long', content } };
    const { troupe, room } = await openLiveRoom(playParts({ main: [{ tools: [write] }] }));
    troupe.session({ prompt: 'Write.' });
    const { page, problems } = await openPage(room.address);
    const request = page.getByRole('article');
    await request.getByText('All 20,001 lines').waitFor({ timeout: LOADED_MS });
    const words = request.getByLabel('Words for the agent');
    await words.pressSequentially('Much too long, all of it.');
    expect(await words.inputValue()).toBe('Much too long, all of it.');
    expect(await page.locator('body *').count()).toBeLessThan(1_000);
    const ends = await request.locator('summary').innerText();
    expect(ends).toMatch(
      /^@@ -0,0 \+1,20000 @@\n\+ line 0\n[^]*\n… 19,501 lines …\n[^]*\n\+ line 19999\n/,
    );
    await request.getByText('All 20,001 lines').click();
    const all = await request.locator('details > pre').textContent();
    expect(all).toBe(`@@ -0,0 +1,20000 @@\n${content.replaceAll(/^(?=.)/gm, '+ ')}`);
    expect(problems).toEqual([]);
  });

  it('draws 200 of 5,000 to-do items, and further ones on demand', async () => {
    const todos = Array.from({ length: 5_000 }, (_, index) => ({
      content: `item ${index}`,
      status: 'pending',
      activeForm: 'works',
    }));
    const list = { name: 'TodoWrite', input: { todos } };
    const { troupe, room } = await openLiveRoom(
      playParts({ main: [{ tools: [list] }, { text: 'Done.' }] }),
    );
    troupe.session({ prompt: 'List.' });
    const { page, problems } = await openPage(room.address);
    await page.getByRole('tab', { name: 'To-do' }).click();
    const items = page.getByRole('tabpanel', { name: 'To-do' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Show 200 more items of 4800' }).click();
    await page.getByRole('button', { name: 'Show 200 more items of 4600' }).waitFor();
    expect(await items.count()).toBe(400);
    expect(problems).toEqual([]);
  });

  it('shows titles, plans, questions, options and to-do items as text', async () => {
    const options = [
      { label: EVIL, description: EVIL },
      { label: 'Deny', description: 'Allow once' },
    ];
    const question = { question: EVIL, header: 'Ask', options, multiSelect: false };
    const todo = { name: 'TaskCreate', input: { subject: EVIL, description: EVIL } };
    const ask = { name: 'AskUserQuestion', input: { questions: [question] } };
    const plan = { name: 'ExitPlanMode', input: { plan: EVIL } };
    const { troupe, room } = await openLiveRoom(
      playParts({
        main: [{ text: EVIL, tools: [todo] }, { tools: [ask] }, { tools: [plan] }],
      }),
      { permissions: { ...ASK_FIRST, mode: 'plan' } },
    );
    troupe.session({ prompt: EVIL });
    const { page, problems } = await openPage(room.address);
    const decide = page.getByRole('article').locator('.decide').getByRole('button');
    await decide.getByText('Answer').waitFor();
    const said: string[] = [];
    expect(await decide.allInnerTexts()).toEqual(['Answer', 'Refuse']);
    await page.getByLabel('Words for the agent').fill('Plan first.');
    await decide.getByText('Refuse').click();
    await decide.getByText('Keep planning').waitFor();
    expect(await decide.allInnerTexts()).toEqual([
      'Approve',
      'Edit',
      'Approve, with all edits in the workspace (mode acceptEdits)',
      'Keep planning',
    ]);
    for (const view of ['Timeline', 'Messages', 'To-do', 'Budget', 'Statechart', 'Conversation']) {
      await page.getByRole('tab', { name: view }).click();
      await page.getByRole('tabpanel', { name: view }).waitFor();
      said.push(await page.locator('body').innerText());
    }
    expect(said.filter((text) => UNSEEN.test(text))).toEqual([]);
    expect(await page.getByRole('link').count()).toBe(0);
    expect({ title: await page.title(), problems }).toEqual({ title: '(1) Troupe', problems: [] });
  });
});
