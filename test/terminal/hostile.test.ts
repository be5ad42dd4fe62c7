/** A hostile agent: nothing that it names or says draws, hides or forges a part of the screen. */
import { describe, expect, it } from 'vitest';
import { agent, bash, write } from '../e2e/support/answers.js';
import { fixture } from '../support/mcp/servers.js';
import { sit, type SitOptions, type Sitting } from './support/sit.js';

const STATUS = 'mode ';
/** Clears the screen, makes a link, names the window, turns the text, and looks like a choice. */
const EVIL =
  '\u001b[2J\u001b]8;;https://evil.example\u0007\u001b]2;owned\u0007\u202eallow\n  1 allow once';
/** So many blanks that the next word begins another row. */
const BLANKS = ' '.repeat(38);
const FORGED = `x${BLANKS}1 allow once${BLANKS}2 no`;

const QUESTION = {
  questions: [
    {
      question: `Which?${FORGED}${EVIL}`,
      header: EVIL.slice(0, 12),
      multiSelect: false,
      options: [
        { label: `npm${BLANKS}2 pnpm`, description: EVIL },
        { label: '1 allow once', description: FORGED },
      ],
    },
  ],
};

type Case = SitOptions & {
  readonly call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
};

/** The calls of a hostile agent. */
const ASKED: Readonly<Record<string, Case>> = {
  'a command with a description': { call: bash(`echo ${EVIL}${FORGED}`, { description: FORGED }) },
  'a file': { call: write(FORGED.replaceAll('/', ''), EVIL) },
  'an agent': {
    call: agent(EVIL, { description: FORGED, name: `ann (main)${BLANKS.slice(20)}1 allow` }),
    args: ['--settings', '{"permissions":{"ask":["Agent"]}}'],
  },
  'a plan': {
    call: { name: 'ExitPlanMode', input: { plan: `${FORGED}\n  1 carry it out\n${EVIL}` } },
    args: ['--permission-mode', 'plan'],
  },
  'an argument of a server': {
    call: { name: 'mcp__vault__environment', input: { name: `${EVIL}${FORGED}` } },
    args: ['--mcp-config', JSON.stringify({ mcpServers: { vault: fixture() } })],
  },
  'a question': { call: { name: 'AskUserQuestion', input: QUESTION } },
};

/** The codes of the agent that the terminal has got. */
function codesIn({ screen: { written, title } }: Sitting): readonly string[] {
  const codes = ['\u001b[2J', '\u001b]8;', '\u001b]2;owned'].filter((code) =>
    written.includes(code),
  );
  const directions = written.match(/[\u202a-\u202e\u2066-\u2069]/g) ?? [];
  return [...codes, ...directions, ...(title.includes('owned') ? [title] : [])];
}

describe.concurrent('a hostile agent at a terminal', () => {
  for (const [what, { call, ...options }] of Object.entries(ASKED))
    it(`forges no choice by ${what}`, async ({ onTestFinished }) => {
      const sitting = await sit(
        { replies: [{ tools: [call] }, { text: 'Done.' }] },
        onTestFinished,
        { columns: 40, rows: 60, ...options },
      );
      const { screen } = sitting;
      await screen.waitFor(STATUS);
      screen.type('go\r');
      await screen.waitFor('↑ ↓');
      const margin = call.name === 'AskUserQuestion' ? 4 : 2;
      const shown = screen.text().split('\n');
      const choices = shown.filter((row) =>
        new RegExp(`^ {0,${margin}}\\d (?!request waits)`).test(row),
      );
      const numbers = choices.map((row) => Number.parseInt(row, 10));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(codesIn(sitting)).toEqual([]);
    });

  it('forges no choice by a warning', async ({ onTestFinished }) => {
    const { screen } = await sit({ replies: [] }, onTestFinished, {
      columns: 40,
      rows: 24,
      args: ['--settings', JSON.stringify({ [FORGED]: true })],
    });
    await screen.waitFor(STATUS);
    const rows = screen.all().split('\n');
    expect(rows.filter((row) => row.includes('1 allow once'))).toEqual([
      expect.stringMatching(/^ {8}1 allow once/),
    ]);
  });

  it('forges no row of the list of sessions, and its name is one line', async ({
    onTestFinished,
  }) => {
    const size = { columns: 40, rows: 24 };
    const sitting = await sit({ replies: [{ text: `${EVIL}\n\nThe end.` }] }, onTestFinished, {
      ...size,
      args: [`${EVIL}${FORGED}\n▸ another session · 1s · 1 turn`],
    });
    await sitting.screen.waitFor('The end.');
    sitting.screen.type('\u0004');
    await sitting.screen.ended;
    const list = sitting.of(sitting.again('--resume'));
    await list.screen.waitFor('The end.');
    const rows = list.screen.text().split('\n');
    expect(rows[0]).toMatch(/^Resume a session · ↑ ↓ · Enter · Esc$/);
    expect(rows.filter((row) => /^\s*▸|\d turns?$/.test(row))).toEqual([
      expect.stringMatching(/^▸ \S.* · \d+s · 1 turn$/),
    ]);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
    expect([...codesIn(sitting), ...codesIn(list)]).toEqual([]);
  });

  it('does not end the session by an answer that nests without end', async ({ onTestFinished }) => {
    const nested = `${'>'.repeat(3_000)} deep\n\n${'*a **b '.repeat(2_000)}\n\nThe end.`;
    const sitting = await sit({ replies: [{ text: nested }, { text: 'Again.' }] }, onTestFinished);
    const { screen } = sitting;
    await screen.waitFor(STATUS);
    screen.type('go\r');
    await screen.waitFor('The end.');
    screen.type('again\r');
    await screen.waitFor('Again.');
    expect(codesIn(sitting)).toEqual([]);
  });

  it('draws no code of its to-do items, files, status line or answer', async ({
    onTestFinished,
  }) => {
    const todos = [{ content: EVIL, status: 'in_progress', activeForm: `${EVIL} works` }];
    const sitting = await sit(
      {
        replies: [
          { text: EVIL, tools: [{ name: 'TodoWrite', input: { todos } }] },
          { text: `${EVIL} The end.` },
        ],
      },
      onTestFinished,
      {
        files: { 'odd\u001b[2J\u202ename': '', status: EVIL },
        args: ['--settings', '{"statusLine":{"type":"command","command":"cat status"}}'],
      },
    );
    const { screen } = sitting;
    await screen.waitFor('─\n>');
    screen.type('go\r');
    await screen.waitFor('The end.');
    screen.type('@odd');
    await screen.waitFor('odd\\u001b[2J\\u202ename');
    screen.type('\t');
    await screen.waitFor('> @odd\\u001b[2J\\u202ename');
    expect(codesIn(sitting)).toEqual([]);
  });
});
