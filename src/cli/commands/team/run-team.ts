import type { World, RunCommand } from '../../command.js';
import { accessSync, constants, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type {
  SessionHandle,
  TaskOutcome,
  TeamDefinition,
  WorkflowHandle,
} from '../../../api/types.js';
import { UsageError, messageOf } from '../../../api/errors.js';
import { describeSystemError, printable, shellWord, whyUnreadable } from '../../../api/text.js';
import { planTeam, readWorkflow } from '../../../api/extensions/teams.js';
import { readTeamRun, type TeamRun } from '../../run/read-team-run.js';
import { waitForApproval } from '../../control/wait-for-approval.js';
import { warnOfSession } from '../../headless/warn-of-session.js';
import { isPlain } from '../../output/is-plain.js';
import { openStderr, openStdout } from '../../output/output-writer.js';
import { openOrchestrator, prepareRun } from '../../run/prepare-run.js';
import { describeWaiting } from '../../run/run-settings.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../../process/signals.js';
import { resumeCommand } from '../../run/resume-command.js';
import { createTerminalPlace } from '../../terminal/plain/terminal-place.js';
import type { AskPlace } from '../../approval/ask-place.js';
import { createAskHandler } from '../../approval/terminal-prompt.js';
import { printJson, printLines, warn } from '../../output/print.js';
import { describeRepeats } from './going-on.js';
import { loadTeamHere } from './load-team-here.js';
import { nameAccounts } from './name-accounts.js';
import { toMarkdown } from './markdown-report.js';
import { createTeamReport, type TeamReport } from './team-report.js';
import { toTerminalReport } from './terminal-report.js';
import { createTeamView, type TeamView } from './team-view.js';

/** Tools that may start agents. */
const STARTS_AGENTS = ['Agent', 'Task', 'Workflow'];

/** `troupe team run`. @returns the exit code: 2 if the file is invalid */
export const run: RunCommand = async (line, world) => {
  const command = readTeamRun(line);
  const { isJson } = command;
  const sources = command.run.settingSources;
  const team = await loadTeamHere(command.file, { sources, isJson }, world);
  return team === undefined ? 2 : runTeam(team, command, world);
};

/**
 * Run a team file: progress goes to stderr, the report to stdout and to the file of `--report`.
 *
 * @returns 0 only if the team has finished (every task is done or skipped by its condition, or `finish` holds) and its
 * report is written
 */
async function runTeam(team: TeamDefinition, command: TeamRun, world: World): Promise<number> {
  const { run: choices, report: reportFile } = command;
  const { stdin } = process;
  const { env } = world;
  const err = openStderr();
  const plan = planTeam(team, choices.resume === undefined ? command.inputs : defaultsFor(team));
  if (reportFile !== undefined) await requireWritable(reportFile, command.file);
  const prepared = await prepareRun(choices, world, {
    needsModel: asksModel(team),
    modeOfFile: team.permissions?.mode,
  });
  warn([...describeWaiting(prepared.waiting), ...prepared.warnings]);

  const orchestrator = await openOrchestrator(prepared.options);
  const view = createTeamView(err, Object.keys(team.tasks), {
    isPlain: !err.isTerminal || isPlain(env) || !fits(err.rows ?? 0, team),
    say: (text) => nameAccounts(text, team.name, workflow?.agentId),
  });
  let signal: EndingSignal | undefined;
  let workflow: WorkflowHandle | undefined;
  const stopSignals = onEndingSignals((received) => {
    signal = received;
    void workflow?.kill(`interrupted (${received})`); // the first reason is the reported one
    return orchestrator.close(received);
  });
  try {
    const session = orchestrator.session({ ...prepared.start, hostsOnly: true, title: team.name });
    const agents = { missingTools: prepared.missingTools, used: agentsOf(team) };
    const warnOfDenied = warnOfSession(session, agents, (told) => warn([told]));
    if (stdin.isTTY && err.isTerminal) {
      const place = whileShown(createTerminalPlace(stdin, err), view);
      const folderFile = await prepared.folderFile();
      orchestrator.approvals.onRequest(createAskHandler(place, { folderFile }));
    }
    if (choices.waitsForApproval) waitForApproval(orchestrator, (told) => warn([told]));
    if (choices.resume !== undefined) warn(describeRepeats(readWorkflow(session.directory), team));
    const { inputs, ...rest } = plan;
    workflow = await session.workflow({
      ...rest,
      permissionMode: prepared.options.permissions.mode, // a resumed session may have had a laxer mode
      ...(choices.resume === undefined ? { inputs } : { resume: true }),
    });
    const outcome = await follow(session, workflow, view);
    view.close();
    session.end();
    const report = await createTeamReport({
      team,
      file: command.file,
      session,
      record: readWorkflow(session.directory, workflow.id),
      agentId: workflow.agentId,
      outcome,
    });
    await orchestrator.close('the team has ended');
    const isWritten = reportFile === undefined || (await writeReport(reportFile, report));
    if (command.isJson) await printJson([report]);
    else await printReport(report);
    warnOfDenied();
    if (outcome.status !== 'completed')
      warn([
        `${outcome.status === 'failed' ? 'To repeat the failed tasks' : 'To resume'}: ${resumeCommand(`troupe team run ${shellWord(command.file)}`, session.sessionId, choices.model)}`,
      ]);
    if (signal !== undefined) return exitCodeOf(signal);
    return outcome.status === 'completed' && isWritten ? 0 : 1;
  } catch (error) {
    if (signal === undefined) throw error;
    warn([messageOf(error)]);
    return exitCodeOf(signal);
  } finally {
    await orchestrator.close('the team has ended');
    stopSignals();
  }
}

/** Print the report: laid out for people at a terminal, as Markdown elsewhere. */
async function printReport(report: TeamReport): Promise<void> {
  const { columns } = openStdout();
  const lines =
    columns === undefined
      ? toMarkdown(report).trimEnd().split('\n')
      : toTerminalReport(report, columns);
  await printLines(lines);
}

/** Show the states of the tasks until all have ended. */
async function follow(
  session: SessionHandle,
  workflow: WorkflowHandle,
  view: TeamView,
): Promise<TaskOutcome> {
  for (const [step, state] of Object.entries(workflow.steps)) view.take(step, state);
  session.events.on('workflow.step', (id, { step, state }) => {
    if (id === workflow.id) view.take(step, state);
  });
  const stop = view.follow(() => workflow.steps);
  const outcome = await workflow.outcome;
  stop();
  return outcome;
}

/** Pause the view while a person decides. */
function whileShown(place: AskPlace, view: TeamView): AskPlace {
  return {
    async open(announcement, signal) {
      view.pause();
      const opened = await place.open(announcement, signal).catch((error: unknown) => {
        view.resume();
        throw error;
      });
      return {
        ...opened,
        close() {
          opened.close();
          view.resume();
        },
      };
    },
  };
}

/** Whether the view fits the screen: a longer one cannot be drawn again. */
function fits(rows: number, { tasks }: TeamDefinition): boolean {
  return Object.keys(tasks).length < rows;
}

function textOf(report: TeamReport, isJson: boolean): string {
  return isJson ? `${JSON.stringify(report, null, 2)}\n` : printable(toMarkdown(report));
}

/** Agents of files that the steps of a team name. */
function agentsOf({ tasks, agents = {} }: TeamDefinition): readonly (string | undefined)[] {
  const names = Object.values(tasks).map(({ agent }) => agent);
  return names.filter((name) => name !== undefined && !Object.hasOwn(agents, name));
}

function asksModel({ tasks }: TeamDefinition): boolean {
  return Object.values(tasks).some(
    ({ agent, tool = '' }) => agent !== undefined || STARTS_AGENTS.includes(tool),
  );
}

/** Blank inputs for a resumed run, which has its own. */
function defaultsFor({ inputs = {} }: TeamDefinition): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, '']));
}

/** @throws UsageError if the report cannot be written, or would replace the team file: before anything runs */
async function requireWritable(file: string, teamFile: string): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  const team = statSync(teamFile);
  if (found?.ino === team.ino && found.dev === team.dev)
    throw new UsageError(
      `--report: ${file} is the team file. Give another one, such as report.md.`,
    );
  if (found?.isDirectory() === true)
    throw new UsageError(
      `--report: ${file} is a folder. Give a file in it: ${join(file, 'report.md')}`,
    );
  const written = found === undefined ? dirname(resolve(file)) : file;
  try {
    accessSync(written, constants.W_OK);
  } catch (error) {
    const why = await whyUnreadable(written, error);
    throw new UsageError(
      `--report: ${file} cannot be written: ${why} Give a file in an existing folder.`,
      {},
      { cause: error },
    );
  }
}

/** @returns whether the report was written */
async function writeReport(file: string, report: TeamReport): Promise<boolean> {
  try {
    await writeFile(file, textOf(report, file.endsWith('.json')));
    return true;
  } catch (error) {
    warn([`--report: ${file} cannot be written: ${describeSystemError(error)}.`]);
    return false;
  }
}
