/**
 * Measures what the orchestrator adds, and prints one table. Both subjects of a row do the same work against the same
 * fake API, each run in a fresh process, interleaved: ratios hold on any machine, times do not.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Line, Row } from './row.js';
import { askLatency } from './rows/ask-latency.js';
import {
  concurrentAgents,
  conversation,
  longConversation,
  longResults,
  subAgents,
} from './rows/conversation.js';
import { endedTasks } from './rows/ended-tasks.js';
import { fanOut } from './rows/fan-out.js';
import { killSubtree } from './rows/kill-subtree.js';
import { liveAgents } from './rows/live-agents.js';
import { manyTasks } from './rows/many-tasks.js';
import { libraryStart, processStart } from './rows/process-start.js';
import { resume } from './rows/resume.js';
import { search } from './rows/search.js';
import { sessionFiles } from './rows/session-files.js';
import { shellDecision } from './rows/shell-decision.js';
import { staggeredTools } from './rows/staggered-tools.js';
import { surfaces } from './rows/surfaces.js';
import { formatTable } from './table.js';
import { verdictOf } from './verdict.js';

const ROWS: readonly Row[] = [
  conversation,
  longConversation,
  longResults,
  concurrentAgents,
  subAgents,
  fanOut,
  manyTasks,
  endedTasks,
  liveAgents,
  killSubtree,
  askLatency,
  processStart,
  libraryStart,
  sessionFiles,
  shellDecision,
  search,
  staggeredTools,
  resume,
  surfaces,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '7' },
    profile: { type: 'string' },
    minutes: { type: 'string', default: '1' },
  },
});
const pairs = Number(values.pairs);
const names = ROWS.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`There is no row "${unknown}". Rows: ${names.join(', ')}.`);
if (!Number.isInteger(pairs) || pairs < 1)
  refuse(`--pairs needs a positive integer, and got "${values.pairs}".`);

const minutes = Number(values.minutes);
if (!(minutes > 0)) refuse(`--minutes needs a number above 0, and got "${values.minutes}".`);

const lines: Line[] = [];
const startedAt = performance.now();
for (const row of ROWS) {
  if (positionals.length > 0 && !positionals.includes(row.name)) continue;
  process.stderr.write(`${row.name} …\n`);
  lines.push(...(await row.measure({ pairs, profileFolder: values.profile, minutes })));
}
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const [cpu] = cpus();
console.log(formatTable(lines));
console.log(
  `\nMedians of ${pairs} pairs, of as many runs if there is no floor; Node ${process.versions.node}, ${cpus().length} × ${cpu?.model.trim()}; took ${seconds} s.`,
);

const missed = lines.filter((line) => verdictOf(line) === 'missed');
for (const { what, goal } of missed) console.log(`Missed: ${what} (${goal})`);
if (missed.length > 0) process.exitCode = 1;

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
