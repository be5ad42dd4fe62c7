import { dirname, join } from 'node:path';
import { quoted } from '../../core/text/shell-word.js';
import type { CommandResult } from '../../processes/run/command-result.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import type { ToolUseContext } from '../tool.js';
import { ToolInputError } from '../tool-input-error.js';
import { startShell, toCommandResult } from './run-shell.js';

/** Time for one command of tmux. */
const TIMEOUT_MS = 10_000;
/** Looks for the server that starts, with a pause of 20 ms. */
const START_LOOKS = 250;
const NO_FILE = /no server running|error connecting|No such file|Connection refused/;

/** The words of one command of tmux. */
export type TmuxWords = readonly string[];

/** The tmux server of one agent. */
export interface TmuxServer {
  /** Run commands in order; the first that fails ends the list. @throws ToolInputError with the words of tmux */
  run(...commands: readonly TmuxWords[]): Promise<string>;
  /** Names of its sessions; undefined if no server runs. */
  sessions(): Promise<readonly string[] | undefined>;
  /** Start the server with these first commands, of which the first makes a session. It ends with its last session. */
  start(...commands: readonly TmuxWords[]): Promise<string>;
}

/**
 * Reach the agent's own tmux server. The server and each client are shells of the agent: they run in the sandbox, and
 * the server ends with the agent.
 */
export function reachTmux(context: ToolUseContext): TmuxServer {
  const enter = `mkdir -p -m 700 ${quoted(folderOf(context))} && cd ${quoted(folderOf(context))}`;
  const client = async (script: string): Promise<CommandResult> => {
    const run = { command: `${enter} && ${script}`, description: 'tmux', timeoutMs: TIMEOUT_MS };
    const shell = { ...run, isBackgrounded: false, leavesSandbox: false };
    const { tasks, task } = await startShell('Tmux', shell, context);
    const outcome = await waitOrKill(tasks, task.id, context.call.abortController.signal);
    if (outcome.status !== 'backgrounded') return toCommandResult(task.id, outcome);
    throw new ToolInputError('Tmux', 'tmux was moved to the background. Try again.');
  };
  const outputOf = ({ exitCode, stdout, stderr }: CommandResult): string => {
    if (exitCode === 0) return stdout;
    const why = stderr.trim() || 'it did not answer in time';
    throw new ToolInputError('Tmux', NO_FILE.test(why) ? NO_SESSION : `tmux: ${why}.`);
  };
  return {
    run: async (...commands) => outputOf(await client(lineOf(commands))),
    async sessions() {
      const result = await client(lineOf([['list-sessions', '-F', '#{session_name}']]));
      return result.exitCode === 0 ? result.stdout.trim().split('\n') : undefined;
    },
    async start(...commands) {
      await startShell(
        'Tmux',
        {
          command: `${enter} && rm -f socket && exec ${TMUX} -D`,
          description: 'tmux server',
          timeoutMs: TIMEOUT_MS,
          isBackgrounded: true,
          leavesSandbox: false,
        },
        context,
      );
      const ready = lineOf([['show-options', '-s', 'exit-empty']]);
      const wait = `n=0; until ${ready} >/dev/null 2>&1; do n=$((n + 1)); [ $n -lt ${START_LOOKS} ] || break; sleep 0.02; done`;
      const first = lineOf([...commands, ['set-option', '-s', 'exit-empty', 'on']]);
      return outputOf(
        await client(`{ ${wait}; ${first} || { ${lineOf([['kill-server']])}; exit 1; }; }`),
      );
    },
  };
}

const NO_SESSION = 'There is no tmux session. Make one with the operation create.';

/** A socket has a path of at most 107 bytes: it is named from within its folder. A person's own server is never used. */
const TMUX = 'env -u TMUX -u TMUX_PANE tmux -u -f /dev/null -S ./socket';

function lineOf(commands: readonly TmuxWords[]): string {
  const words = commands.flatMap((command, index) => [
    ...(index === 0 ? [] : [';']),
    ...command.map(literal),
  ]);
  return `${TMUX} -N ${words.map(quoted).join(' ')}`;
}

/** A `;` at the end of a word would end the command. */
function literal(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}

/** The session's folder; commands in a sandbox cannot write there, and have a `/tmp` of the session. */
function folderOf({ files: { outputFolder }, session: { agentId, sandbox } }: ToolUseContext) {
  const name = agentId ?? 'main';
  if (sandbox !== undefined && sandbox.kind !== 'none') return `/tmp/troupe-tmux-${name}`;
  if (outputFolder === undefined)
    throw new ToolInputError(
      'Tmux',
      'Tmux keeps its server in the folder of a session, and this call belongs to none. Use Bash.',
    );
  return join(dirname(outputFolder), 'tmux', name);
}
