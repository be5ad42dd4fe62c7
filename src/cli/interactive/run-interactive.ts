import type { World } from '../command.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionHandle } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../run/prepare-run.js';
import { openStderr, openStdout, type OutputWriter } from '../output/output-writer.js';
import { resumeCommand } from '../run/resume-command.js';
import { exitCodeOf, onEndingSignals } from '../process/signals.js';
import { openTerminal } from '../terminal/open-terminal.js';
import type { ScreenEvents } from '../terminal/screen/terminal.js';
import { createOwnCommands } from './own-commands.js';
import { createFileCommands } from './file-commands.js';
import { slashCandidates } from './slash-commands.js';
import { counted, filesOf, lazyAsk, lazyTree, recall } from './screen-facts.js';
import { followStatusLine } from './follow-status-line.js';
import { startTalk, type Talk } from './talk.js';

/**
 * `troupe` without `-p`: run a session at a terminal, prompt after prompt.
 *
 * @returns the exit code
 * @throws UsageError if there is no terminal, or before anything is written
 */
export async function runInteractive(given: RunArguments, world: World): Promise<number> {
  const { stdin } = process;
  const out = openStdout();
  if (!stdin.isTTY || !out.isTerminal)
    throw new UsageError(
      'Nothing to run. Try: troupe -p "what to do" (see troupe --help), or troupe demo. Without -p a session needs a terminal for stdin and stdout.',
    );
  const run = await withSession(given, world, out);
  if (run === undefined) return 0;
  const prepared = await prepareTrusted(run, world, out);
  if (prepared === undefined) return 0;
  const err = openStderr();
  for (const line of [...prepared.warnings, ...prepared.notes]) void err.line(`troupe: ${line}`);
  const orchestrator = await openOrchestrator(prepared.options);

  let quit = (_: number): void => {};
  const ended = new Promise<number>((resolve) => void (quit = resolve));
  let talk: Talk | undefined;
  const terminal = await openTerminal({
    input: stdin,
    output: out,
    cwd: world.cwd,
    env: world.env,
    files: () => filesOf(world.cwd),
    onEscape: () => talk?.escape(),
    onMode: () => talk?.nextMode(),
    onTree: () => tree.toggle(),
    ...editingOf(prepared, () => talk),
    onPrompt: (text, images) => {
      if (!tree.takePrompt(text, images?.length)) talk?.submit(text, 'typed', images);
    },
    onInterrupt: (draft) => talk?.interrupt(draft),
    onBackground: () => talk?.background(),
    onEnd: () => quit(0),
  });
  const own = createOwnCommands(terminal, world);
  const tree = lazyTree(terminal, () => talk?.session);
  const stopSignals = onEndingSignals((signal) => {
    quit(exitCodeOf(signal));
    return orchestrator.close(signal);
  });
  process.once('exit', terminal.close); // also after an uncaught error
  const ask = lazyAsk(terminal, {
    tasks: () => talk?.session.tasks() ?? [],
    folderFile: await prepared.folderFile(),
  });
  orchestrator.approvals.onRequest(counted(ask, terminal));
  try {
    talk = startTalk({
      ...prepared,
      orchestrator,
      own,
      terminal,
      verbose: run.verbose,
      files: createFileCommands(run, world),
      statusLine: followStatusLine(prepared, world.cwd, terminal),
      isScripted: prepared.options.model?.script !== undefined,
      now: () => performance.now(),
      quit,
    });
    await out.text(greeting(prepared.options.cwd ?? process.cwd(), terminal.columns));
    terminal.start();
    await recall(prepared.start, talk.session, terminal);
    if (run.prompt !== undefined) talk.submit(run.prompt, 'given');
    const code = await ended;
    terminal.close();
    if (code === 0) await endSession(talk.session);
    await orchestrator.close('the person has quit');
    if (run.persists && talk.session.usage().total.calls > 0)
      void out.write(resumeLines(resumeCommand('troupe', talk.session.sessionId, run.model), out));
    return code;
  } finally {
    terminal.close();
    await own.close();
    await orchestrator.close('the session could not be opened');
    stopSignals();
    process.off('exit', terminal.close);
  }
}

/** Let the person choose the session to resume, if no ID is given. @returns undefined if the person chose none */
async function withSession(
  run: RunArguments,
  world: World,
  output: OutputWriter,
): Promise<RunArguments | undefined> {
  if (!run.picks) return run;
  const { pickFirst } = await import('./pick-session.js');
  const resume = await pickFirst(world, { input: process.stdin, output });
  return resume === undefined ? undefined : { ...run, resume, picks: false };
}

/** Prepare a run, and ask for trust if settings wait for it. @returns undefined if the terminal was closed */
async function prepareTrusted(
  run: RunArguments,
  world: World,
  output: OutputWriter,
): Promise<PreparedRun | undefined> {
  const prepared = await prepareRun(run, world);
  if (prepared.waiting.length === 0) return prepared;
  const { askForTrust } = await import('./ask-for-trust.js');
  const answer = await askForTrust(prepared, { input: process.stdin, output });
  if (answer === undefined) return undefined;
  return answer === 'trusted' ? prepareRun(run, world) : prepared;
}

/** The first words of a session: one line if the terminal is wide enough. */
function greeting(cwd: string, columns: number): string {
  const words = [`Troupe in ${cwd}`, '/help tells more'];
  const line = words.join(' · ');
  return line.length <= columns ? line : words.join('\n');
}

/** How long a session may take to end by itself before it is killed. */
const ENDING_MS = 3_000;

/** Complete the session after the person has quit; its running tasks are stopped first. */
async function endSession(session: SessionHandle): Promise<void> {
  const late = new AbortController();
  const deadline = delay(ENDING_MS, undefined, { signal: late.signal }).catch(() => {});
  session.end({ now: true });
  await Promise.race([session.outcome, deadline]);
  late.abort();
}

/** The lines with the command, which is never broken: it must be easy to copy. */
function resumeLines(command: string, { columns = 80 }: Pick<OutputWriter, 'columns'>): string {
  const head = 'To resume:';
  const isWide = head.length + 1 + command.length <= columns;
  return `${head}${isWide ? ' ' : '\n'}${command}\n`;
}

/** How prompts are edited, and the commands that complete them. */
function editingOf(
  { drawn, followed }: PreparedRun,
  talk: () => Talk | undefined,
): Pick<ScreenEvents, 'commands' | 'isVim' | 'takesImages'> {
  return {
    takesImages: true,
    isVim: () => followed.editorMode === 'vim',
    commands: () => slashCandidates([...drawn, ...(talk()?.session.commands() ?? [])]),
  };
}
