import type { RunCommand } from '../command.js';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireTemporaryFolder, userFolders } from '../../api/files/folders.js';
import { given } from '../../api/given.js';
import type { ChosenModel } from '../../api/options/choose-models.js';
import type { Orchestrator, SessionHandle } from '../../api/types.js';
import { toPermissionContext } from '../../api/permissions/permissions.js';
import { chooseModel } from '../run/choose-model.js';
import { openOrchestrator } from '../run/prepare-run.js';
import { isPlain } from '../output/is-plain.js';
import { openStderr, openStdout } from '../output/output-writer.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../process/signals.js';
import { toAgentRows } from './agent-rows.js';
import { copySample, examplePath } from './copy-sample.js';
import { createDemoPerson } from './demo-person.js';
import { demoReport } from './demo-report.js';
import { findOverlap } from './find-overlap.js';
import { readDecisions } from './read-decisions.js';
import { createWorkRecord, type WorkRecord } from './record-work.js';
import { runSampleTests } from './run-sample-tests.js';
import { openDemoRoom } from './open-demo-room.js';
import { createTreeView, type TreeView } from './tree-view.js';

const AGENT = 'coordinator';
const PROMPT =
  'Some tests of this library fail. Have each module repaired by a separate worker, all at the same time, ' +
  'until the tests pass. Run tests with "node --test FILE". Change only broken code.';
const REDRAW_MS = 80;

/**
 * Run the demo: a coordinator and three workers repair a copy of the sample library, with the script beside it or with a
 * real model.
 *
 * @returns 0 only if the tests of the copy really pass
 */
export const run: RunCommand = async (line) => {
  const wanted = line.value('--model');
  const verbose = line.given.has('--verbose');
  const { stdin, env } = process;
  let isUnread = false;
  let onUnread = (): void => {};
  const out = openStdout(() => {
    isUnread = true;
    onUnread();
  });
  const isScripted = wanted === undefined || wanted.startsWith('scripted:');
  const asksPerson = !isScripted && stdin.isTTY && out.isTerminal;
  const drawsNothing = asksPerson || !out.isTerminal || isPlain(env);
  const copy = await prepareCopy(wanted, env);
  const { folder, repository } = copy;
  const startedAt = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedAt);
  const view = createTreeView(out, { isPlain: drawsNothing, elapsedMs });
  view.tell(`a coordinator and its workers repair ${repository}`);
  const places = { home: env['TROUPE_HOME'] || join(folder, 'home'), repository };
  const room = await openDemoRoom(places.home, {
    env,
    isWanted: line.given.has('--web'),
    out,
    view,
  });

  const orchestrator = await openDemo(env, {
    ...copy,
    ...places,
    seenIn: room === undefined ? userFolders(env).troupe : places.home,
    verbose,
  });
  let signal: EndingSignal | undefined;
  const interrupted = new AbortController();
  let ended = (): void => {};
  const untilEnded = new Promise<void>((resolve) => (ended = resolve));
  const stopSignals = onEndingSignals(async (received) => {
    signal = received;
    interrupted.abort();
    await orchestrator.close(received);
    await untilEnded;
  });
  onUnread = () => {
    interrupted.abort();
    void orchestrator.close('stdout was closed');
  };
  if (isUnread) onUnread();
  if (asksPerson) {
    const { createTerminalPrompt } = await import('../terminal/plain/terminal-place.js');
    orchestrator.approvals.onRequest(createTerminalPrompt(stdin, openStderr()));
  } else {
    orchestrator.approvals.onRequest(createDemoPerson(view.tell), { by: 'demo' });
  }

  const record = createWorkRecord(AGENT, repository, elapsedMs);
  const session = orchestrator.session({ agent: AGENT, prompt: PROMPT });
  const draw = (): void =>
    view.update(toAgentRows(orchestrator.inspect(), AGENT, record.nameOfCall));
  const timer = setInterval(draw, REDRAW_MS);
  const answer = await follow(session, record, view);
  const durationMs = elapsedMs();
  clearInterval(timer);
  view.close();
  await orchestrator.close('the demo has ended');
  const tests = interrupted.signal.aborted
    ? undefined
    : await runSampleTests(repository, interrupted.signal);
  stopSignals();
  if (tests === undefined || interrupted.signal.aborted) {
    if (isScripted) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    else await openStderr().line(`troupe: The demo was interrupted. Its work: ${folder}`);
    await room?.close();
    ended();
    return signal === undefined ? 1 : exitCodeOf(signal);
  }

  const { status } = await session.outcome;
  const report = await reportOf(session, { record, answer, tests, repository, durationMs });
  await out.text(report.trimEnd());
  await room?.untilClosed();
  return tests.isPassed && status === 'completed' ? 0 : 1;
};

/** Copy the sample library, and choose the model. @throws before the copy if a key is missing or a script is invalid */
async function prepareCopy(wanted: string | undefined, env: NodeJS.ProcessEnv) {
  if (wanted !== undefined) await chooseModel(wanted, { cwd: process.cwd(), env });
  requireTemporaryFolder();
  const copy = await copySample();
  const name = wanted ?? `scripted:${examplePath('demo-script.yaml')}`;
  return { ...copy, ...(await chooseModel(name, { cwd: copy.repository, env })) };
}

type DemoFacts = Parameters<typeof demoReport>[0];

async function reportOf(
  { directory }: SessionHandle,
  {
    record,
    ...facts
  }: Pick<DemoFacts, 'answer' | 'tests' | 'repository' | 'durationMs'> & {
    readonly record: WorkRecord;
  },
): Promise<string> {
  return demoReport({
    ...facts,
    agents: record.agents,
    decisions: await readDecisions(join(directory, 'audit.jsonl')),
    overlap: await findOverlap(join(directory, 'tasks.jsonl')),
    journal: directory,
  });
}

/** An orchestrator in the copy: the coordinator may edit it and run its tests. */
function openDemo(
  env: NodeJS.ProcessEnv,
  {
    home,
    seenIn,
    repository,
    verbose,
    model,
    modelName,
  }: ChosenModel & {
    readonly home: string;
    readonly seenIn: string;
    readonly repository: string;
    readonly verbose: boolean;
  },
): Promise<Orchestrator> {
  const options = {
    cwd: repository,
    env: cleanEnvironment(env),
    home,
    verbose,
    ...given({ model, modelName }),
    permissions: toPermissionContext({
      allowedTools: ['Edit', 'Bash(node --test *)'],
      disallowedTools: ['Bash(git push *)'],
      cwd: repository,
      isRoot: false,
      env: {},
    }),
  };
  return openOrchestrator(options, { seenIn });
}

/** Show the events of the session until its answer. @returns the answer */
async function follow(
  session: SessionHandle,
  record: WorkRecord,
  view: Pick<TreeView, 'tell'>,
): Promise<string> {
  for await (const message of session) {
    record.take(message);
    if (message.type === 'result')
      return message.subtype === 'success'
        ? message.result
        : `The session failed: ${message.errors.join('; ')}`;
    if (message.type !== 'system') continue;
    if (message.subtype === 'task_notification')
      view.tell(`${record.labelOf(message.tool_use_id) ?? message.task_id} ${message.status}`);
    if (message.subtype === 'permission_denied')
      view.tell(`denied: ${record.nameOfCall(message.tool_use_id) ?? message.tool_name}`);
  }
  return '';
}

/** Remove the variables of a test runner around the demo: the tests of the copy would report to that runner. */
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = env;
  return rest;
}
