import { describeKept, toText } from '../../../api/extensions/teams.js';
import type { TaskReport, TeamReport } from './team-report.js';
import { describeSeconds } from '../../output/describe-time.js';
import { describeDollars, describeUse } from './costs.js';

const MOST_OUTPUT_CHARS = 2_000;
const MOST_CELL_CHARS = 60;

/** The report as a file, and for programs that read text. The outputs of tasks are literal text; a long one is cut. */
export function toMarkdown(report: TeamReport): string {
  const { team, status, why, tasks, decisions, inputs } = report;
  const given = Object.entries(inputs);
  const told = tasks.filter(
    ({ why: reason, output, worktrees }) =>
      reason !== undefined || toText(output) !== '' || worktrees !== undefined,
  );
  return [
    `# ${plain(team)}: ${status}`,
    '',
    ...(why === undefined ? [] : [plain(why), '']),
    `- file: ${plain(report.file)}`,
    `- session: ${report.sessionId}`,
    `- started: ${report.startedAt}, took ${describeSeconds(report.durationMs)}`,
    `- used: ${describeUse(report)}`,
    ...given.map(([name, value]) => `- input ${name}: ${cell(value)}`),
    '',
    '| task | by | status | tries | time | tokens | cost |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...tasks.map(rowOf),
    '',
    ...told.flatMap(sectionOf),
    '## Decisions',
    '',
    ...(decisions.length === 0
      ? ['Nothing was decided.']
      : decisions.map((line) => `${line.startsWith(' ') ? '  ' : ''}- ${plain(line.trim())}`)),
    '',
    `The journal: ${plain(report.journal)}`,
    '',
  ].join('\n');
}

function rowOf(task: TaskReport): string {
  const { name, by, status, attempts, durationMs, tokens, costUsd, calls } = task;
  const isEarlier = status === 'done' && attempts === 0;
  const cells = [
    name,
    cell(by),
    isEarlier ? 'done before' : status,
    String(attempts),
    durationMs === undefined ? '' : describeSeconds(durationMs),
    calls === 0 ? '' : String(tokens),
    calls === 0 ? '' : describeDollars(costUsd),
  ];
  return `| ${cells.join(' | ')} |`;
}

function sectionOf({ name, why, output, worktrees = [] }: TaskReport): readonly string[] {
  const text = output === undefined ? '' : toText(output);
  const isCut = text.length > MOST_OUTPUT_CHARS;
  const shown = isCut ? `${text.slice(0, MOST_OUTPUT_CHARS)}…` : text;
  return [
    `## ${name}`,
    '',
    ...(why === undefined ? [] : fenced(why)),
    ...(output === undefined ? [] : fenced(shown)),
    ...worktrees.flatMap((kept) => [plain(describeKept(kept)), '']),
  ];
}

/** Literal text: the fence is longer than any in the text. */
function fenced(text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, text, fence, ''];
}

function cell(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const cut =
    characters.length <= MOST_CELL_CHARS
      ? characters.join('')
      : `${characters.slice(0, MOST_CELL_CHARS - 1).join('')}…`;
  return plain(cut);
}

/** Text without the effect of Markdown and HTML. */
function plain(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`);
}
