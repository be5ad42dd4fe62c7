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
});

describe.skipIf(!HAS_BROWSER)('the page of a hostile agent', () => {
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
