import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HOOK_EVENTS } from '../../dist/index.js';
import { createFakeMessagesApi } from '../../dist/testing/index.js';

const COMMAND = resolve(import.meta.dirname, '../../dist/cli/main.js');
const MOST_MS = 180_000;
/** Programs that want a network fail at once. */
export const WITHOUT_NETWORK = { npm_config_offline: 'true' };

const bash = (command) => ({ name: 'Bash', input: { command } });
const write = (file_path, content) => ({ name: 'Write', input: { file_path, content } });
const CALLS = [
  write('src/tried.ts', 'export const a = 1;\n'),
  { name: 'Edit', input: { file_path: 'src/tried.ts', old_string: '1', new_string: '2' } },
  {
    name: 'MultiEdit',
    input: { file_path: 'src/tried.ts', edits: [{ old_string: '2', new_string: '3' }] },
  },
  write('tried.py', 'a = 1\n'),
  write('package.json', '{ "name": "tried" }\n'),
  { name: 'Read', input: { file_path: 'src/tried.ts' } },
  { name: 'Glob', input: { pattern: 'src/*.ts' } },
  { name: 'Grep', input: { pattern: 'const', path: 'src' } },
  bash('echo tried'),
  bash('exit 3'),
  bash('git push --force origin main'),
  write('.env', 'A=1\n'),
  bash('git add src && git commit -m "feat: try"'),
  { name: 'WebSearch', input: { query: 'hooks' } },
  {
    name: 'TodoWrite',
    input: { todos: [{ content: 'Try', status: 'pending', activeForm: 'Trying' }] },
  },
  { name: 'Skill', input: { skill: 'tried' } },
  {
    name: 'Agent',
    input: {
      description: 'Try',
      prompt: 'Try it.',
      subagent_type: 'general-purpose',
      isolation: 'worktree',
    },
  },
  {
    name: 'AskUserQuestion',
    input: {
      questions: [
        {
          question: 'Try it?',
          header: 'Try',
          multiSelect: false,
          options: [
            { label: 'Yes', description: 'Try it.' },
            { label: 'No', description: 'Leave it.' },
          ],
        },
      ],
    },
  },
  { name: 'EnterPlanMode', input: {} },
  { name: 'ExitPlanMode', input: { plan: 'Try it.' } },
];

/** The reply to a request: the main agent makes the calls one after another, all other agents answer at once. */
function replyTo({ body: { messages, tools = [] } }) {
  const names = tools.map(({ name }) => name);
  if (!names.includes('Bash')) return { text: '{"ok": true}' }; // a hook or a compaction asks
  if (JSON.stringify(messages[0].content).includes('Try it.')) return { text: 'Tried.' };
  if (JSON.stringify(messages.at(-1).content).includes('End.')) return { text: 'Tried.' };
  const made = messages.filter(
    ({ role, content }) => role === 'assistant' && JSON.stringify(content).includes('"tool_use"'),
  );
  const call = CALLS[made.length];
  return call === undefined ? { text: 'Tried.' } : { tools: [call] };
}

/**
 * Run a session of the built command that makes calls of many tools, compacts and ends. A person, played here, allows
 * what needs a decision.
 *
 * @param args more arguments of the command
 * @returns the messages, the input of each event, the conversations that the model got, stderr and the exit code
 */
export async function runHookSession({ cwd, home, args }) {
  const inputs = join(home, 'inputs');
  mkdirSync(inputs, { recursive: true });
  const api = await createFakeMessagesApi({ handler: replyTo, isStrict: false });
  writeSettings(home, inputs);
  const child = spawn(
    process.execPath,
    [
      COMMAND,
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-hook-events',
      '--trust',
      '--init',
      '--permission-prompt-tool',
      'stdio',
      ...args,
    ],
    { cwd, env: environmentOf(home, api.url), stdio: 'pipe' },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  let stderr = '';
  child.stderr.on('data', (data) => (stderr += data));
  child.stdin.on('error', () => {}); // the command has ended
  const prompts = ['Begin.', '/tried', '/compact', 'End.'];
  const messages = [];
  const next = () => {
    const text = prompts.shift();
    if (text === undefined) child.stdin.end();
    else send(child, { type: 'user', message: { role: 'user', content: text } });
  };
  const ended = once(child, 'close');
  next();
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    messages.push(message);
    if (message.type === 'result') next();
    if (message.type === 'control_request') allow(child, message);
  }
  const [code] = await ended;
  clearTimeout(timer);
  await api.close();
  const told = api.requests.map(({ body }) => body.messages);
  return { messages, stderr, code, told, inputs: readInputs(inputs) };
}

function environmentOf(home, url) {
  const { PATH } = process.env;
  const model = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url };
  return { HOME: home, PATH, ...WITHOUT_NETWORK, ...model };
}

function send(child, message) {
  child.stdin.write(`${JSON.stringify(message)}\n`);
}

function allow(child, { request_id: requestId, request }) {
  const answers = request.tool_name === 'AskUserQuestion' && { answers: { 'Try it?': 'Yes' } };
  const response = { behavior: 'allow', updatedInput: { ...request.input, ...answers } };
  send(child, {
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response },
  });
}

/** Settings of the user: a hook of each event keeps its input, and a skill can be used. */
function writeSettings(home, inputs) {
  const folder = join(home, '.claude');
  mkdirSync(join(folder, 'skills/tried'), { recursive: true });
  writeFileSync(join(folder, 'skills/tried/SKILL.md'), 'Try.\n');
  const keeping = (event) => {
    const hook = { type: 'command', command: `cat > "$(mktemp ${inputs}/${event}.XXXXXX)"` };
    return [{ hooks: [hook] }];
  };
  const kept = HOOK_EVENTS.filter((event) => !event.startsWith('Worktree'));
  const hooks = Object.fromEntries(kept.map((event) => [event, keeping(event)]));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ hooks }));
}

function readInputs(folder) {
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8'); // empty if the hook was cut off
    return text === '' ? [] : [{ event: name.split('.')[0], input: JSON.parse(text) }];
  });
}
