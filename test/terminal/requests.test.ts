/** Screens of requests, compared as whole texts. */
import { describe, it } from 'vitest';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { fileURLToPath } from 'node:url';
import { agent, bash, write } from '../e2e/support/answers.js';
import { fixture } from '../support/mcp/servers.js';
import { expectScreen, IS_ON } from './support/expect-screen.js';
import { sit, type SitOptions, type Sitting } from './support/sit.js';

type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
type Asked = SitOptions & { readonly calls: readonly Call[]; readonly text?: string };

const OPTIONS = [
  { label: 'npm', description: 'comes with Node' },
  { label: 'pnpm', description: 'keeps one store' },
];
const question = (multiSelect: boolean): Call => ({
  name: 'AskUserQuestion',
  input: {
    questions: [{ question: 'Which one?', header: 'Manager', options: OPTIONS, multiSelect }],
  },
});
const PLAN = '# Plan\n\n1. Read the test.\n2. Repair `split`.';

const ASKING = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/mcp/sdk-server.mjs', import.meta.url))],
};
const FORM = {
  method: 'elicitation/create',
  params: {
    message: 'Choose a place for the copy.',
    requestedSchema: {
      type: 'object',
      properties: {
        kind: { type: 'string', title: 'Format', enum: ['zip', 'tar'], default: 'zip' },
        path: { type: 'string', title: 'Folder', minLength: 2 },
      },
      required: ['path'],
    },
  },
};
const withServer = (name: string, server: object): readonly string[] => [
  '--mcp-config',
  JSON.stringify({ mcpServers: { [name]: server } }),
];

const ASKED: Readonly<Record<string, Asked>> = {
  command: { calls: [bash('npm test && rm -rf build')] },
  edit: {
    files: { 'split.js': 'export function add(a, b) {\n  return a - b;\n}\n' },
    calls: [
      { name: 'Read', input: { file_path: 'split.js' } },
      { name: 'Edit', input: { file_path: 'split.js', old_string: 'a - b', new_string: 'a + b' } },
    ],
  },
  write: { calls: [write('new.txt', 'one\ntwo\n')] },
  plan: {
    args: ['--permission-mode', 'plan'],
    calls: [{ name: 'ExitPlanMode', input: { plan: PLAN } }],
  },
  question: { calls: [question(false)] },
  'several answers': { calls: [question(true)] },
  wide: { calls: [bash('echo 字字字字 سلام دنیا 👩‍👩‍👧 नमस्ते')], text: 'نمی‌خواهم 👩‍👩‍👧 字.' },
  hostile: {
    calls: [bash('echo \u001b[2J\u001b]8;;http://evil\u0007x \u202egpj \n  1 allow once\n❯ 1 yes')],
    text: '\u001b]0;owned\u0007 \u001b[31mred\u202e.',
  },
  'mcp call': {
    args: withServer('vault', fixture()),
    calls: [{ name: 'mcp__vault__environment', input: { name: 'HOME' } }],
  },
  form: {
    args: [...withServer('copier', ASKING), '--allowed-tools', 'mcp__copier__ask'],
    calls: [{ name: 'mcp__copier__ask', input: { requests: [FORM] } }],
  },
  agent: {
    args: ['--settings', '{"permissions":{"ask":["Agent"]}}'],
    calls: [agent('Read every test of the parser, and name those that fail.', { model: 'haiku' })],
  },
  notebook: {
    files: {
      'sum.ipynb': JSON.stringify({
        cells: [{ cell_type: 'code', id: 'one', source: 'a - b', metadata: {}, outputs: [] }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
    },
    calls: [
      { name: 'Read', input: { file_path: 'sum.ipynb' } },
      {
        name: 'NotebookEdit',
        input: { notebook_path: 'sum.ipynb', cell_id: 'one', new_source: 'a + b' },
      },
    ],
  },
  'three calls': { calls: [bash('touch a'), bash('touch b'), bash('touch c')] },
};

const SIZES = {
  '80x24': { columns: 80, rows: 24 },
  '120x40': { columns: 120, rows: 40 },
  '40x24': { columns: 40, rows: 24 },
  'no colour': { columns: 80, rows: 24, env: { NO_COLOR: '1' } },
} as const satisfies Readonly<Record<string, SitOptions>>;

async function ask(
  { calls, text = '', ...options }: Asked,
  size: SitOptions,
  onTestFinished: Parameters<typeof sit>[1],
): Promise<Sitting> {
  const [first, ...rest] = calls;
  const isRead = first?.name === 'Read';
  const steps: readonly FakeReply[] = isRead
    ? [{ tools: [first] }, { text, tools: rest }]
    : [{ text, tools: calls }];
  const sitting = await sit({ replies: [...steps, { text: 'Done.' }] }, onTestFinished, {
    ...options,
    ...size,
  });
  await sitting.screen.waitFor('claude-sonnet-5-5');
  sitting.screen.type('go\r');
  await sitting.screen.waitFor('↑ ↓');
  return sitting;
}

describe.runIf(IS_ON).concurrent('the screen of a request', () => {
  for (const [kind, asked] of Object.entries(ASKED))
    for (const [sizeName, size] of Object.entries(SIZES))
      it(`shows ${kind} at ${sizeName}`, async ({ onTestFinished }) => {
        const sitting = await ask(asked, size, onTestFinished);
        await expectScreen(sitting, `${kind} ${sizeName}`);
      });

  it('decides nothing at Enter alone, and takes the chosen line', async ({ onTestFinished }) => {
    const sitting = await ask({ calls: [bash('touch made')] }, SIZES['80x24'], onTestFinished);
    sitting.screen.type('\r');
    await expectScreen(sitting, 'enter alone');
    sitting.screen.type('\u001b[B\u001b[B');
    await expectScreen(sitting, 'chosen');
    sitting.screen.type('\r');
    await expectScreen(sitting, 'confirm');
  });
});
