import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandResult, ProcessSupervisor } from '../../api/processes/own-commands.js';
import { messageOf } from '../../api/errors.js';
import { oneLine, printable } from '../../api/text.js';
import type { Environment } from '../../api/types.js';
import type { StyledLine } from '../output/output-writer.js';
import type { Terminal, TerminalLines } from '../terminal/screen/terminal.js';

/** Commands that a person runs beside the agents: `!npm test`. Their output goes to the agent with the next prompt. */
export interface OwnCommands {
  /** Run a command and show its output. Never rejects. */
  run(command: string): Promise<void>;
  /** End the commands that run. @returns whether there was one */
  stop(): boolean;
  /** The commands since the last call, with their output, for the agent; empty if there were none. */
  take(): string;
  /** Keep an output for the next call: it could not be sent. */
  giveBack(text: string): void;
  /** Resolve when no process of a command is left. */
  close(): Promise<void>;
}

type Shell = { readonly processes: ProcessSupervisor; readonly folder: string };

/** The longest time that a timer takes. */
const FOREVER_MS = 2 ** 31 - 1;
const MOST_LINES = 30;
/** Most characters of one output for the agent. */
const MOST_CHARS = 30_000;

/** Nothing is loaded or started before the first command. */
export function createOwnCommands(
  terminal: Pick<Terminal, 'begin' | 'run' | 'end' | 'print' | 'keep'>,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): OwnCommands {
  let shell: Promise<Shell> | undefined;
  let count = 0;
  let outputs: string[] = [];
  const running = new Set<AbortController>();
  return {
    async run(command) {
      const id = `own-${(count += 1)}`;
      const abort = new AbortController();
      running.add(abort);
      terminal.begin(id, `!${oneLine(command, 100)}`);
      terminal.run(id);
      try {
        const result = await runIn(await (shell ??= openShell(env)), {
          id,
          command,
          cwd,
          env,
          abort,
        });
        terminal.end(id);
        tell(result, terminal);
        outputs.push(await forAgent(command, result));
      } catch (error) {
        terminal.end(id);
        terminal.print(`  ${messageOf(error)}`);
      } finally {
        running.delete(abort);
      }
    },
    stop() {
      for (const abort of running) abort.abort();
      return running.size > 0;
    },
    take() {
      const text = outputs.join('\n');
      outputs = [];
      return text;
    },
    giveBack(text) {
      if (text !== '') outputs.unshift(text);
    },
    async close() {
      const { processes, folder } = (await shell) ?? {};
      await processes?.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openShell(env: Environment): Promise<Shell> {
  const { createProcessSupervisor } = await import('../../api/processes/own-commands.js');
  return {
    processes: createProcessSupervisor({ env }),
    folder: await mkdtemp(join(tmpdir(), 'troupe-own-')),
  };
}

function runIn(
  { processes, folder }: Shell,
  {
    id,
    abort: { signal },
    ...command
  }: {
    readonly id: string;
    readonly command: string;
    readonly cwd: string;
    readonly env: Environment;
    readonly abort: AbortController;
  },
): Promise<CommandResult> {
  return processes.run({
    ...command,
    taskId: id,
    timeoutMs: FOREVER_MS,
    signal,
    onOutput() {},
    outputFile: join(folder, id),
  });
}

/** Print the newest lines of the output, and how the command ended unless it succeeded. */
function tell(result: CommandResult, terminal: Pick<TerminalLines, 'print' | 'keep'>): void {
  const lines = [...linesOf(result), ...endOf(result)];
  const left = lines.length - MOST_LINES;
  const shown =
    left > 0 ? [`(${left} lines above: Ctrl-O prints all)`, ...lines.slice(left)] : lines;
  terminal.keep(() => lines.map(styled));
  terminal.print(shown.length === 0 ? [styled('(no output)')] : shown.map(styled));
}

const styled = (line: string): StyledLine => ({ text: `    ${printable(line)}` });

function linesOf({ stdout, stderr }: CommandResult): readonly string[] {
  return [stdout, stderr].flatMap((text) =>
    text === '' ? [] : text.replace(/\n$/, '').split('\n'),
  );
}

function endOf({ exitCode, signal, isAborted }: CommandResult): readonly string[] {
  if (isAborted) return ['(stopped)'];
  if (exitCode === 0) return [];
  return [exitCode === null ? `(ended by ${signal ?? 'a signal'})` : `(exit code ${exitCode})`];
}

async function forAgent(command: string, result: CommandResult): Promise<string> {
  const { frame } = await import('../../api/processes/own-commands.js');
  const part = (name: string, text: string): string => frame(name, {}, cut(text));
  return [
    part('bash-input', command),
    part('bash-stdout', [result.stdout.trimEnd(), ...endOf(result)].join('\n')),
    part('bash-stderr', result.stderr.trimEnd()),
  ].join('\n');
}

/** The beginning and the end of a long text. */
function cut(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const half = MOST_CHARS / 2;
  return `${text.slice(0, half)}\n(${text.length - MOST_CHARS} characters are left out)\n${text.slice(-half)}`;
}
