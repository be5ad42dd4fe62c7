/** The terminal of a session in which many agents work: it runs in a pty, and writes the processor time that it has used to a file. */
import { writeFileSync } from 'node:fs';
import { createTranscript } from '../../src/cli/interactive/transcript.js';
import { openStdout } from '../../src/cli/output/output-writer.js';
import { createAgentRows } from '../../src/cli/terminal/views/agent-rows.js';
import { createAgentTree } from '../../src/cli/terminal/views/agent-tree.js';
import { openTerminal } from '../../src/cli/terminal/open-terminal.js';
import type { SessionMessage } from '../../src/api/types.js';
import { readInput } from '../processes.js';

export type BusyTerminalInput = {
  /** The journal of the same agents, for the tree. */
  readonly directory: string;
  readonly agents: number;
  readonly messagesPerSecond: number;
  readonly seconds: number;
  /** The time before the measurement, seconds. */
  readonly warmSeconds: number;
  readonly report: string;
};

export type BusyTerminalReport = {
  /** Processor time, as a part of one core. */
  readonly cores: number;
  readonly messages: number;
};

const EVERY_MS = 50;
const input = readInput<BusyTerminalInput>();
const session = { directory: input.directory, task: () => undefined };
const terminal = await openTerminal({
  input: process.stdin,
  output: openStdout(),
  cwd: process.cwd(),
  env: process.env,
  commands: () => [],
  files: () => Promise.resolve([]),
  onEscape() {},
  onMode() {},
  onTree: () => tree.toggle(),
  onPrompt() {},
  onInterrupt() {},
  onBackground() {},
  onEnd: () => process.exit(0),
});
const tree = createAgentTree(terminal, () => session);
const tell = createTranscript(terminal, { tellsCost: false });
const isOfAgent = createAgentRows(terminal);
terminal.start();

let messages = 0;
const show = (message: object): void => {
  messages += 1;
  const shown = message as SessionMessage; // the fields that the terminal reads
  if (!isOfAgent(shown)) tell(shown);
};
for (let agent = 0; agent < input.agents; agent += 1)
  show({
    type: 'system',
    subtype: 'task_started',
    task_id: `a${agent}`,
    tool_use_id: `toolu_${agent}`,
    description: `part ${agent}`,
    subagent_type: 'worker',
    spawn_depth: 1,
  });

let from = { at: performance.now(), usage: process.cpuUsage(), messages };
setTimeout(() => {
  from = { at: performance.now(), usage: process.cpuUsage(), messages };
}, input.warmSeconds * 1_000);

let due = 0;
const startedAt = performance.now();
const timer = setInterval(() => {
  const seconds = (performance.now() - startedAt) / 1_000;
  for (; due < seconds * input.messagesPerSecond * input.agents; due += 1)
    show(messageOf(due % input.agents, Math.floor(due / input.agents)));
  if (seconds < input.seconds) return;
  clearInterval(timer);
  const { user, system } = process.cpuUsage(from.usage);
  const cores = (user + system) / 1_000 / (performance.now() - from.at);
  const report: BusyTerminalReport = { cores, messages: messages - from.messages };
  writeFileSync(input.report, JSON.stringify(report));
  terminal.close();
  process.exit(0);
}, EVERY_MS);

/** The messages of a turn, again and again: a reply with a tool call, its progress, its result, a reply with a text. */
function messageOf(agent: number, index: number): object {
  const turn = Math.floor(index / 4);
  const parent = { parent_tool_use_id: `toolu_${agent}` };
  const id = `toolu_${agent}_${turn}`;
  const reply = (block: object): object => ({
    type: 'assistant',
    message: { content: [block] },
    ...parent,
  });
  switch (index % 4) {
    case 0:
      return reply({ type: 'tool_use', id, name: 'Bash', input: { command: `npm test ${turn}` } });
    case 1:
      return {
        type: 'tool_progress',
        tool_use_id: id,
        tool_name: 'Bash',
        elapsed_time_seconds: 2,
        progress: '3 lines',
        ...parent,
      };
    case 2: {
      const result = { type: 'tool_result', tool_use_id: id, content: 'ok '.repeat(150) };
      return { type: 'user', message: { role: 'user', content: [result] }, ...parent };
    }
    default:
      return reply({ type: 'text', text: `Part ${turn} is done. ${'Well. '.repeat(20)}` });
  }
}
