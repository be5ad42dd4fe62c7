import { z } from 'zod';
import { whyOutsideSandbox } from '../../permissions/shell/excluded-command.js';
import { seemsDestructive } from './destroys.js';
import { isReadOnlyCommand } from '../../permissions/shell/read-only.js';
import { completeTool } from '../complete-tool.js';
import { BashOutput, presentCommand, toBashResultBlock } from './bash-result.js';
import { isAnswer } from './exit-code-answer.js';
import { runShell, shortened, type BashProgress } from './run-shell.js';

/** Time limits of a command. */
export type BashLimits = {
  /** The default of a call. */
  readonly defaultMs: number;
  /** The maximum of a call. */
  readonly longestMs: number;
};

/** The default limits. */
export const LIMITS: BashLimits = { defaultMs: 120_000, longestMs: 600_000 };

export const BashInput = z.object({
  command: z
    .string()
    .refine((text) => text.trim() !== '', 'the command is empty')
    .refine((text) => !text.includes('\0'), 'a command cannot contain a NUL character')
    .describe('The command to run, as bash reads it'),
  timeout: timeoutWithin(LIMITS),
  description: z.string().optional().describe('What it does, in 5 to 10 words'),
  run_in_background: z
    .boolean()
    .default(false)
    .describe('Answer at once; read its output later with BashOutput, end it with KillShell'),
  dangerouslyDisableSandbox: z
    .boolean()
    .default(false)
    .describe('Runs it outside the sandbox, if there is one; always needs approval then'),
});
export type BashInput = z.infer<typeof BashInput>;

/**
 * Runs a command in a new shell, as a task. In the foreground it resolves when the command and all its processes have
 * ended, or when it is moved to the background. Rejects with the abort reason after an aborted command has ended.
 */
export const BashTool = completeTool<typeof BashInput, BashOutput, BashProgress>({
  name: 'Bash',
  searchHint: 'run shell commands, scripts, git, builds',
  inputSchema: BashInput,
  outputSchema: BashOutput,
  maxResultSizeChars: 30_000,
  interruptBehavior: () => 'block',
  isReadOnly: ({ command }) => isReadOnlyCommand(command),
  isDestructive: ({ command }) => seemsDestructive(command),
  isConcurrencySafe: ({ command, run_in_background }) =>
    !run_in_background && isReadOnlyCommand(command),
  permissionTarget: ({ command }) => ({ kind: 'shell', command }),
  toAutoClassifierInput: ({ command }) => command,
  description: ({ command, description }) => description ?? shortened(command),
  prompt: () => promptWith(LIMITS),
  present: (output, { command }) => presentCommand(output, command),
  mapToolResultToToolResultBlockParam: toBashResultBlock,

  call(input, context, _canUseTool, _parentMessage, onProgress) {
    const { command, timeout, description, run_in_background: isBackgrounded } = input;
    return runShell(
      'Bash',
      {
        command,
        description: description ?? shortened(command),
        timeoutMs: timeout,
        isBackgrounded,
        leavesSandbox: whyOutsideSandbox(input, context.session.sandbox) !== undefined,
        runsAs: context.permissions.safeguardedCommand,
      },
      context,
      { isAnswer: (exitCode) => isAnswer(command, exitCode), onProgress },
    );
  },
});

/** Make the tool with other limits. */
export function bashWithin(limits: BashLimits): typeof BashTool {
  const inputSchema = BashInput.extend({ timeout: timeoutWithin(limits) });
  return { ...BashTool, inputSchema, prompt: () => promptWith(limits) };
}

function timeoutWithin({ defaultMs, longestMs }: BashLimits) {
  return z
    .number()
    .positive()
    .max(longestMs)
    .default(defaultMs)
    .describe('Milliseconds after which it is ended');
}

function promptWith({ defaultMs, longestMs }: BashLimits): string {
  return `Runs a command in bash and returns its output and exit code.

- Each command runs in a new shell: variables and functions do not last, the working directory does, within the project.
- When the shell ends, every process that it started is ended too. For a command that is to keep running, set run_in_background: the answer comes at once with an ID for BashOutput and KillShell. A notification follows when it ends.
- It is ended after ${defaultMs} ms, or after \`timeout\` (at most ${longestMs} ms).
- There is no terminal and no input: use options that keep a command from asking.
- Read, search and edit files with the tools made for it.`;
}
