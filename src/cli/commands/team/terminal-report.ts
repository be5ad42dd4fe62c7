import { printableLine, shorten } from '../../../api/text.js';
import { describeKept, toText } from '../../../api/extensions/teams.js';
import { describeSeconds } from '../../output/describe-time.js';
import { describeDollars, describeUse } from './costs.js';
import type { TaskReport, TeamReport } from './team-report.js';
import { MARKS } from './team-view.js';

const MOST_OUTPUT_CHARS = 2_000;
const INDENT = '    ';

/** The report for people at a terminal: a block for each task, in lines that the writer of the terminal wraps. */
export function toTerminalReport(report: TeamReport, width: number): readonly string[] {
  const { team, status, tasks, decisions, inputs, sessionId, journal } = report;
  return [
    '',
    `${team}: ${status} after ${describeSeconds(report.durationMs)}, used ${describeUse(report)}`,
    ...summary(report).map((line) => `  ${line}`),
    ...Object.entries(inputs).map(([name, value]) => `  input ${name}: ${printableLine(value)}`),
    '',
    ...tasks.flatMap((task) => blockOf(task, width)),
    'Decisions',
    ...(decisions.length === 0
      ? ['  Nothing was decided.']
      : decisions.map((line) => `  ${printableLine(line)}`)),
    '',
    `Session ${sessionId}`,
    `Journal ${journal}`,
  ];
}

/** Why the team has not completed. The failures of tasks are shown with the tasks. */
function summary({ why, tasks }: TeamReport): readonly string[] {
  if (why === undefined) return [];
  const failed = tasks.filter(({ status }) => status === 'failed').length;
  const count = `${failed} of ${tasks.length} tasks failed.`;
  return why.startsWith(count) ? [count] : why.split('\n');
}

function blockOf(task: TaskReport, width: number): readonly string[] {
  const { name, by, status, why, output, worktrees = [] } = task;
  const text = output === undefined ? '' : toText(output);
  const isCut = text.length > MOST_OUTPUT_CHARS;
  const told = [
    ...(why === undefined || isInState(task) ? [] : indented(why)),
    ...(text === '' ? [] : indented(isCut ? text.slice(0, MOST_OUTPUT_CHARS) : text)),
    ...(isCut ? [`${INDENT}… The whole output: --report FILE.json`] : []),
    ...worktrees.map((kept) => INDENT + printableLine(describeKept(kept))),
  ];
  const head = printableLine(`${MARKS[status]} ${name}: ${stateOf(task)}`);
  return [head, `  ${shorten(by, width - 2)}`, ...told, ''];
}

function stateOf({
  status,
  attempts,
  durationMs,
  tokens,
  costUsd,
  calls,
  why,
}: TaskReport): string {
  if (status === 'skipped') return why === undefined ? status : `skipped: ${why}`;
  if (status === 'done' && attempts === 0) return 'done in an earlier run';
  return [
    durationMs === undefined
      ? status
      : `${status} ${status === 'done' ? 'in' : 'after'} ${describeSeconds(durationMs)}`,
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(calls === 0 ? [] : [`${tokens} tokens`, describeDollars(costUsd)]),
  ].join(', ');
}

/** Whether the state of a task includes the reason. */
function isInState({ status, why }: TaskReport): boolean {
  return status === 'skipped' || why?.startsWith(status) === true;
}

function indented(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (INDENT + line).trimEnd());
}
