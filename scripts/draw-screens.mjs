// Writes docs/use/terminal-*.svg: screens of real sessions of the built command in a pty, with replies from a script.
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const docs = new URL('../docs/use/', import.meta.url);

const SPLIT = "export function split(text) {\n  return text.split(', ');\n}\n";
const read = { name: 'Read', input: { file_path: 'split.js' } };
const edit = {
  name: 'Edit',
  input: {
    file_path: 'split.js',
    old_string: "split(', ')",
    new_string: "split(',').map((part) => part.trim())",
  },
};
const todos = [
  { content: 'Read the parser', status: 'completed', activeForm: 'Reading the parser' },
  { content: 'Repair it', status: 'in_progress', activeForm: 'Repairing it' },
  { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
];
const agent = (prompt) => ({
  name: 'Agent',
  input: { description: prompt, prompt, subagent_type: 'general-purpose' },
});
/** Longer than any picture takes. */
const busy = [{ delayMs: 600_000, text: 'Done.' }];
const PARTS = ['Review the parser', 'Review the printer', 'Look for slow tests', 'Update the docs'];
const TEAM = [
  {
    prompt: 'Repair the parser',
    steps: [
      {
        text: 'I share the work:\n\n1. The **review** of both halves\n2. `slow tests`\n3. the documentation',
        tools: [{ name: 'TodoWrite', input: { todos } }, ...PARTS.map(agent)],
      },
    ],
  },
  {
    prompt: 'Look for slow tests',
    steps: [{ tools: [{ name: 'Bash', input: { command: 'npm run bench' } }] }, ...busy],
  },
  { steps: [{ tools: [{ name: 'Glob', input: { pattern: '*.js' } }] }, ...busy] },
];

/** Each picture: the script of the model, the keys, and the texts that the screen shows before the next keys. */
const PICTURES = {
  request: {
    agents: [
      {
        steps: [
          { text: 'I read the file first.', tools: [read] },
          { text: 'A blank **before** the comma stays. I cut each part:', tools: [edit] },
        ],
      },
    ],
    keys: [
      ['Why does `a ,b` fail?\r', '↑ ↓ choose'],
      ['\u001b[B', '❯ 1'],
    ],
  },
  agents: { agents: TEAM, rows: 30, keys: [['Repair the parser\r', '↑ ↓ choose']] },
  tree: {
    agents: TEAM,
    rows: 30,
    keys: [
      ['Repair the parser\r', '↑ ↓ choose'],
      ['no\r', 'denied: Bash'],
      ['\u0014', 'Update the docs · '],
      ['\u001b[B', '▸ general'],
    ],
  },
  question: {
    agents: [
      {
        steps: [
          {
            tools: [
              {
                name: 'AskUserQuestion',
                input: {
                  questions: [
                    {
                      question: 'Which formats shall the parser take?',
                      header: 'Formats',
                      options: [
                        { label: 'CSV', description: 'with quotes' },
                        { label: 'TSV', description: 'tabs, no quotes' },
                        { label: 'JSON lines', description: 'one object a line' },
                      ],
                      multiSelect: true,
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
    rows: 20,
    keys: [
      ['Write a parser\r', 'Space marks'],
      ['\u001b[B', '❯ ☐ 1'],
      [' ', '✔ 1'],
      ['\u001b[B', '❯ ☐ 2'],
      ['\u001b[B', '❯ ☐ 3'],
    ],
  },
};

const CELL = { width: 8.4, height: 18, size: 14 };
const EDGE = 14;
const COLOURS = { text: '#d6deeb', background: '#101722' };
/** The colours that a terminal has by number. */
const PALETTE = [
  '#101722',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#76e3ea',
  '#d6deeb',
  '#8b98a9',
];

for (const [name, picture] of Object.entries(PICTURES))
  writeFileSync(new URL(`terminal-${name}.svg`, docs), await draw(picture));

async function draw({ agents, keys, columns = 80, rows = 24 }) {
  const folder = mkdtempSync(join(tmpdir(), 'screens-'));
  const cwd = join(folder, 'app');
  mkdirSync(cwd);
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(cwd, 'split.js'), SPLIT);
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify({ version: 1, agents }));
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(process.execPath, [command, '--model', `scripted:${script}`], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, 'home'),
      TROUPE_HOME: join(folder, 'troupe'),
    },
    cols: columns,
    rows,
    name: 'xterm-256color',
  });
  try {
    const shows = watch(terminal, child);
    await shows('mode default');
    for (const [typed, wanted] of keys) {
      child.write(typed);
      await shows(wanted);
    }
    await shows(undefined);
    return svgOf(terminal, cwd);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Returns a function that resolves when the screen shows a text; without one, when nothing has changed for a while. */
function watch(terminal, child) {
  let look = () => {};
  child.onData((data) => terminal.write(data, () => look()));
  const text = () =>
    linesOf(terminal)
      .map((line) => line.translateToString(true))
      .join('\n');
  return (wanted) =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`not shown: ${wanted}\n${text()}`)), 20_000);
      const done = () => {
        clearTimeout(limit);
        look = () => {};
        resolve();
      };
      if (wanted === undefined) return setTimeout(done, 1_500);
      look = () => text().includes(wanted) && done();
      look();
    });
}

function linesOf({ buffer: { active }, rows }) {
  const all = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  const last = all.findLastIndex((line) => line.translateToString(true).trim() !== '');
  return all.slice(Math.max(last + 1 - rows, 0), last + 1);
}

function svgOf(terminal, cwd) {
  const lines = linesOf(terminal);
  const width = Math.ceil(terminal.cols * CELL.width + 2 * EDGE);
  const height = Math.ceil(lines.length * CELL.height + 2 * EDGE);
  const rows = lines.map((line, row) =>
    runsOf(line, terminal)
      .map((run) => drawn(run, row, cwd))
      .join(''),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="${COLOURS.background}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${CELL.size}">`,
    ...rows.filter((row) => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Neighbours of one style, with their column. */
function runsOf(line, terminal) {
  const runs = [];
  for (let at = 0; at < terminal.cols; at += 1) {
    const cell = line.getCell(at);
    if (cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.style.key === style.key) last.text += text;
    else runs.push({ at, text, style });
  }
  return runs;
}

function styleOf(cell) {
  const colour = cell.isFgDefault() ? COLOURS.text : (PALETTE[cell.getFgColor()] ?? COLOURS.text);
  const style = {
    fill: cell.isInverse() ? COLOURS.background : colour,
    back: cell.isInverse() ? colour : undefined,
    isDim: Boolean(cell.isDim()),
    isBold: Boolean(cell.isBold()),
    isItalic: Boolean(cell.isItalic()),
  };
  return { ...style, key: JSON.stringify(style) };
}

function drawn({ at, text, style }, row, cwd) {
  const x = EDGE + at * CELL.width;
  const y = EDGE + row * CELL.height;
  const width = (count) => (count * CELL.width).toFixed(1);
  const back =
    style.back === undefined
      ? ''
      : `<rect x="${x.toFixed(1)}" y="${y}" width="${width(text.length)}" height="${CELL.height}" fill="${style.back}"/>`;
  const whole = steady(text, cwd);
  const shown = whole.trim();
  if (shown === '') return back;
  const begin = x + whole.indexOf(shown) * CELL.width;
  const attributes = [
    `x="${begin.toFixed(1)}" y="${y + CELL.height - 5}" fill="${style.fill}"`,
    `textLength="${width(shown.length)}" lengthAdjust="spacingAndGlyphs"`,
    ...(style.isDim ? ['opacity="0.65"'] : []),
    ...(style.isBold ? ['font-weight="bold"'] : []),
    ...(style.isItalic ? ['font-style="italic"'] : []),
  ];
  return `${back}<text ${attributes.join(' ')}>${escaped(shown).replaceAll(' ', '\u00a0')}</text>`;
}

/** Times, the spinner and the folder change from run to run. */
function steady(text, cwd) {
  return text
    .replaceAll(cwd, '/home/ada/app')
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠹')
    .replace(/\d+ s\b/g, '4 s');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
