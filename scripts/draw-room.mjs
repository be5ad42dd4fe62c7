// Writes docs/use/control-room*.png: the control room in Chromium, beside a busy team whose replies are made up here.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createFakeMessagesApi } from '../dist/testing/index.js';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const sample = fileURLToPath(new URL('../examples/sample-repo', import.meta.url));
const docs = new URL('../docs/use/', import.meta.url);

const JOBS = {
  ada: 'Repair split.js',
  ben: 'Repair report.js',
  cleo: 'Repair calendar.js',
  dora: 'Review the parser',
  emil: 'Update the README',
  fay: 'Look for slow tests',
  gus: 'Describe the API',
  hana: 'Remove dead code',
};
const TODOS = {
  'Read the modules': 'completed',
  'Repair the library': 'in_progress',
  'Run all tests': 'pending',
};

const agent = ([name, prompt]) => ({
  name: 'Agent',
  input: {
    name,
    description: prompt,
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: true,
  },
});
const bash = (line, description) => ({ name: 'Bash', input: { command: line, description } });
const question = {
  question: 'Which calendar is the default?',
  header: 'Calendar',
  multiSelect: false,
  options: [
    { label: 'Gregorian', description: 'as today' },
    { label: 'ISO weeks', description: 'weeks begin on Monday' },
  ],
};
const todos = Object.entries(TODOS).map(([content, status]) => ({
  content,
  status,
  activeForm: content,
}));
/** A reply that does not come before the pictures are made. */
const never = { text: 'Done.', gate: () => new Promise(() => {}) };

/** The replies to each prompt, in their order. */
const repliesIn = (cwd) => ({
  'Some tests of this library fail. Have it repaired, and look at the rest.': [
    {
      text: 'I share the work:\n\n1. **Repairs** of `split.js`, `report.js` and `calendar.js`\n2. A review of the rest',
      tools: [{ name: 'TodoWrite', input: { todos } }, ...Object.entries(JOBS).map(agent)],
    },
    {
      text: 'One rule for all of them:',
      tools: [
        {
          name: 'SendMessage',
          input: { to: 'ben', summary: 'style', message: 'Keep the style of the module.' },
        },
      ],
    },
    { text: 'I wait for their reports.' },
    never,
  ],
  [JOBS.ada]: [
    {
      text: 'First the module.',
      tools: [{ name: 'Read', input: { file_path: `${cwd}/src/split.js` } }],
    },
    {
      text: 'The rest is the number of people who pay **one cent more**, and people are counted from 0.',
      tools: [
        {
          name: 'Edit',
          input: {
            file_path: `${cwd}/src/split.js`,
            old_string: 'index <= rest',
            new_string: 'index < rest',
          },
        },
      ],
    },
    never,
  ],
  [JOBS.ben]: [
    {
      tools: [bash('node --test test/report.test.js 2>&1 | tail -5', 'Run the tests of report.js')],
    },
    never,
  ],
  [JOBS.cleo]: [{ tools: [{ name: 'AskUserQuestion', input: { questions: [question] } }] }, never],
  [JOBS.dora]: [
    { tools: [{ name: 'Grep', input: { pattern: 'export', path: cwd } }] },
    { text: 'The parser has no fault.' },
  ],
  [JOBS.fay]: [{ tools: [bash('sleep 300', 'Run the slow tests')] }, never],
  [JOBS.gus]: [
    { tools: [{ name: 'Glob', input: { pattern: '**/*.js' } }] },
    { text: 'The library has three modules. '.repeat(40), eventDelayMs: 400 },
  ],
});

const folder = mkdtempSync(join(tmpdir(), 'room-'));
const cwd = join(folder, 'tally');
cpSync(sample, cwd, { recursive: true });
const replies = repliesIn(cwd);
const api = await createFakeMessagesApi({
  handler({ body: { messages } }) {
    const [{ content }] = messages;
    const prompt =
      typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
    const steps = replies[prompt] ?? [
      { tools: [{ name: 'Glob', input: { pattern: '*.js' } }] },
      never,
    ];
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    return steps[Math.min(turn, steps.length - 1)];
  },
});
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TROUPE_HOME: join(folder, 'troupe'),
  ANTHROPIC_BASE_URL: api.url,
  ANTHROPIC_API_KEY: 'test',
};
const start = (...args) =>
  spawn(process.execPath, [command, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
const [prompt] = Object.keys(replies);
const run = start(
  '-p',
  prompt,
  '--wait-for-approval',
  '--allowedTools',
  'Bash(sleep *)',
  '--max-budget-usd',
  '5',
);
const web = start('web');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const address = await addressOf(web.stdout);
  for (const [name, { width = 1400, height = 900, colorScheme = 'light', show }] of Object.entries(
    PICTURES(),
  )) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(address);
    await page.getByRole('article').nth(2).waitFor();
    await page.waitForTimeout(4_000); // the team works
    await show(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: fileURLToPath(new URL(name, docs)) });
    await page.close();
  }
} finally {
  await browser.close();
  run.kill('SIGINT');
  web.kill('SIGINT');
  await api.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Each picture, and what the page shows on it. */
function PICTURES() {
  const openView = (page, view) => page.getByRole('tab', { name: view }).click();
  return {
    'control-room.png': { show: (page) => page.getByRole('button', { name: /^ada / }).click() },
    'control-room-dark.png': { colorScheme: 'dark', show: (page) => openView(page, 'Timeline') },
    'control-room-past.png': {
      async show(page) {
        await page.getByRole('button', { name: /^ada / }).click();
        await openView(page, 'Statechart');
        for (let step = 0; step < 12; step += 1)
          await page.getByRole('button', { name: 'Previous change' }).click();
      },
    },
    'control-room-narrow.png': { width: 420, height: 860, show: () => {} },
  };
}

async function addressOf(output) {
  let text = '';
  for await (const piece of output) {
    text += piece;
    const [, address] = /The control room: (\S+)/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`troupe web printed no address: ${text}`);
}
