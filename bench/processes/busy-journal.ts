/** Writes the journal of a session in which many agents work, as a running troupe would: each agent some lines a second. */
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockSession } from '../../src/journal/sessions/session-lock.js';
import { readInput, sendResult } from '../processes.js';

export type BusyJournalInput = {
  /** The folder of the session. */
  readonly directory: string;
  readonly sessionId: string;
  readonly agents: number;
  readonly linesPerSecond: number;
  readonly seconds: number;
};

const EVERY_MS = 100;
const SESSION_TASK = 's00000000';
const input = readInput<BusyJournalInput>();
const { directory, sessionId, agents, linesPerSecond, seconds } = input;
const folder = join(directory, 'agents');
const tasksFile = join(directory, 'tasks.jsonl');
let written = 0;

const names = Array.from({ length: agents }, (_, index) => `aworker${index}-0123456789abcdef`);
await mkdir(folder, { recursive: true });
const lock = lockSession(directory); // its session runs
await writeFile(tasksFile, '');
await append(tasksFile, startOf(SESSION_TASK, 'session', 'main', names[0] ?? ''));
for (const [index, agentId] of names.entries()) {
  const taskId = index === 0 ? SESSION_TASK : `a${String(index).padStart(8, '0')}`;
  if (index > 0) await append(tasksFile, startOf(taskId, 'local_agent', `part ${index}`, agentId));
  const started = {
    type: 'agent.started',
    agentId,
    taskId,
    agentType: 'worker',
    name: `w${index}`,
  };
  await append(join(folder, `${agentId}.jsonl`), [
    { ...started, model: 'claude-sonnet-5-5', permissionMode: 'default', cwd: '/', prompt: 'x' },
  ]);
}

const linesEach = Math.max(1, Math.round((linesPerSecond * EVERY_MS) / 1_000));
const startedAt = performance.now();
for (let tick = 0; tick * EVERY_MS < seconds * 1_000; tick += 1) {
  await Promise.all(
    names.map((agentId, index) =>
      append(
        join(folder, `${agentId}.jsonl`),
        Array.from({ length: linesEach }, (_, line) => nextLine(index, tick * linesEach + line)),
      ),
    ),
  );
  const ahead = startedAt + (tick + 1) * EVERY_MS - performance.now();
  if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
}
lock.release();
await sendResult({ written, seconds: (performance.now() - startedAt) / 1_000 });

/** The lines of a turn, again and again: messages, a reply with a tool call, its result, a reply with a text. */
function nextLine(agent: number, line: number): object {
  const turn = Math.floor(line / 4);
  const id = `toolu_${agent}_${turn}`;
  const usage = {
    input_tokens: 1_000,
    output_tokens: 50,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const reply = (content: readonly object[]): object => ({
    type: 'step.done',
    key: `turn:${2 * turn + (line % 4 === 1 ? 0 : 1)}/model`,
    result: {
      message: { role: 'assistant', content },
      calls: [{ model: 'claude-sonnet-5-5', usage }],
    },
  });
  switch (line % 4) {
    case 0: {
      const content = [{ type: 'text', text: `Part ${turn}: ${'some words '.repeat(11)}` }];
      const envelope = {
        id: `user/${turn}`,
        seq: turn,
        kind: 'prompt',
        from: 'user',
        content,
        at: 0,
      };
      return { type: 'step.done', key: `turn:${2 * turn}/inbox`, result: [envelope] };
    }
    case 1:
      return reply([
        { type: 'tool_use', id, name: 'Bash', input: { command: `npm test -- part-${turn}` } },
      ]);
    case 2: {
      const result = { type: 'tool_result', tool_use_id: id, content: 'ok '.repeat(150) };
      return { type: 'step.done', key: `turn:${2 * turn}/tool:${id}`, result };
    }
    default:
      return reply([{ type: 'text', text: `Part ${turn} is done. ${'Well. '.repeat(20)}` }]);
  }
}

function startOf(id: string, kind: string, description: string, agentId: string): object[] {
  const parent = id === SESSION_TASK ? {} : { parentId: SESSION_TASK };
  const first = { type: 'task.status', id, kind, description, agentId, ...parent };
  return [
    { ...first, status: 'pending', isBackgrounded: true },
    { type: 'task.status', id, status: 'running' },
  ];
}

async function append(file: string, lines: readonly object[]): Promise<void> {
  written += lines.length;
  const head = { version: 1, uuid: '0', parentUuid: null, sessionId, timestamp: Date.now() };
  await appendFile(file, lines.map((line) => `${JSON.stringify({ ...head, ...line })}\n`).join(''));
}
