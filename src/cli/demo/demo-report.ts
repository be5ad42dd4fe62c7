import type { Overlap } from './find-overlap.js';
import type { AgentWork } from './record-work.js';
import type { SampleTests } from './run-sample-tests.js';
import { printableLine } from '../../api/text.js';
import { describeSeconds } from '../output/describe-time.js';

export type DemoOutcome = {
  readonly agents: readonly AgentWork[];
  readonly answer: string;
  readonly decisions: readonly string[];
  readonly overlap: Overlap | undefined;
  readonly tests: SampleTests;
  readonly repository: string;
  readonly journal: string;
  readonly durationMs: number;
};

/** The report at the end of the demo. */
export function demoReport(outcome: DemoOutcome): string {
  const { agents, answer, decisions, overlap, tests, repository, journal, durationMs } = outcome;
  const verdict = tests.isPassed ? 'they pass' : 'THEY DO NOT PASS';
  return [
    '',
    answer,
    '',
    `Who did what (${describeSeconds(durationMs)} in all)`,
    ...agents.map(agentLine),
    '',
    'Decisions',
    ...decisions.map((line) => `  ${printableLine(line)}`),
    '',
    'At the same time',
    ...overlapLines(overlap),
    '',
    `Tests of the copy, run now: ${tests.passed} pass, ${tests.failed} fail: ${verdict}`,
    `The repaired copy: ${repository}`,
    `The journal:       ${journal}`,
    '',
  ].join('\n');
}

function agentLine(agent: AgentWork): string {
  const { label, description, depth, startedAt, endedAt, status, requests, tools } = agent;
  const name = `${'  '.repeat(depth + 1)}${label}`.padEnd(16);
  const time = endedAt === undefined ? '' : describeSeconds(endedAt - startedAt);
  const used = [...tools].map(([tool, count]) => `${tool} ${count}`).join(', ');
  const what = description === '' || description === label ? '' : `${description}: `;
  return `${name} ${status} in ${time}, ${requests.size} requests; ${what}${used}`;
}

function overlapLines(overlap: Overlap | undefined): readonly string[] {
  if (overlap === undefined) return ['  no command ran'];
  const { at, commands } = overlap;
  return [
    `  ${commands.length} agents had a process running at ${new Date(at).toISOString()}:`,
    ...commands.map(({ owner, command }) => `    ${owner}: ${printableLine(command)}`),
  ];
}
