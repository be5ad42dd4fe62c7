import { z } from 'zod';
import { quoted } from '../../core/text/shell-word.js';
import { suggestCommand } from '../../permissions/judges/suggestions.js';
import { completeTool } from '../complete-tool.js';
import { BashOutput, presentCommand, toBashResultBlock } from './bash-result.js';
import { BashInput, LIMITS } from './bash.js';
import { hasProgram } from './has-program.js';
import { runShell, shortened, type BashProgress } from './run-shell.js';
import type { Environment } from '../../files/folders.js';

export const PowerShellInput = z.strictObject({
  command: BashInput.shape.command.describe('The command to run, as PowerShell reads it'),
  timeout: BashInput.shape.timeout,
  description: BashInput.shape.description,
});
export type PowerShellInput = z.infer<typeof PowerShellInput>;

/** The program of PowerShell on the PATH; Windows has an older one under another name. */
function findPowerShell(env: Environment): string | undefined {
  const names = process.platform === 'win32' ? ['pwsh.exe', 'powershell.exe'] : ['pwsh'];
  return names.find((name) => hasProgram(name, env));
}

/**
 * Runs a command in a new PowerShell, as a task like those of Bash. Nothing is allowed without a rule, because its
 * commands are not analysed.
 */
export const PowerShellTool = completeTool<typeof PowerShellInput, BashOutput, BashProgress>({
  name: 'PowerShell',
  shouldDefer: true,
  searchHint: 'run PowerShell cmdlets and scripts with pwsh',
  inputSchema: PowerShellInput,
  outputSchema: BashOutput,
  maxResultSizeChars: 30_000,
  interruptBehavior: () => 'block',
  isEnabled: ({ env }) => findPowerShell(env) !== undefined,
  permissionTarget: ({ command }) => ({ kind: 'script', command }),
  checkPermissions: ({ command }) =>
    Promise.resolve({
      behavior: 'passthrough',
      message: `No rule allows "${shortened(command)}".`,
      suggestions: suggestCommand('PowerShell', [command], true),
    }),
  toAutoClassifierInput: ({ command }) => command,
  description: ({ command, description }) => description ?? shortened(command),
  prompt: () => PROMPT,
  present: (output, { command }) => presentCommand(output, command),
  mapToolResultToToolResultBlockParam: toBashResultBlock,

  call({ command, timeout, description }, context, _canUseTool, _parentMessage, onProgress) {
    const program = findPowerShell(context.session.env ?? process.env) ?? 'pwsh';
    return runShell(
      'PowerShell',
      {
        command: `${program} -NoProfile -NonInteractive -Command ${quoted(command)}`,
        description: description ?? shortened(command),
        timeoutMs: timeout,
        isBackgrounded: false,
        leavesSandbox: false,
      },
      context,
      { onProgress },
    );
  },
});

const PROMPT = `Runs a command in PowerShell (pwsh) and returns its output and exit code.

- Use it for cmdlets and .ps1 scripts. For everything else use Bash.
- Each command runs in a new PowerShell without a profile: variables, functions and locations do not last.
- When it ends, every process that it started is ended too.
- It is ended after ${LIMITS.defaultMs} ms, or after \`timeout\` (at most ${LIMITS.longestMs} ms).
- There is no terminal and no input: use parameters that keep a cmdlet from asking, such as -Force or -Confirm:$false.
- A failing cmdlet does not stop the command: begin with $ErrorActionPreference = 'Stop' if it must.`;
