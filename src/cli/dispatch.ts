import { readFileSync } from 'node:fs';
import { isTroupeError, messageOf, UsageError } from '../core/errors.js';
import { leaveWithTerminal } from './leave-with-terminal.js';
import { openStderr, openStdout } from './output-writer.js';
import { parseArguments } from './parse-arguments.js';

/** What the command line, the settings or the machine have to be changed for. */
const USAGE_CODES = [
  'MODEL_AUTH_MISSING',
  'MODEL_PROVIDER_UNSUPPORTED',
  'JOURNAL_DAMAGED',
  'SANDBOX_UNAVAILABLE',
];

/** Run a command line, without the program's own name. Errors go to stderr. @returns the exit code */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    const message = messageOf(error);
    await openStderr().line(`troupe: ${message}`);
    const isUsage =
      error instanceof UsageError || (isTroupeError(error) && USAGE_CODES.includes(error.code));
    if (!isUsage && process.env['TROUPE_DEBUG'] !== undefined && error instanceof Error)
      await openStderr().write(`${error.stack ?? ''}\n`);
    return isUsage ? 2 : 1;
  } finally {
    leaveWithTerminal();
  }
}

/** Run the command that a command line names. Modules that it does not need are not loaded. */
async function run(args: readonly string[]): Promise<number> {
  const command = parseArguments(args);
  if (command.type !== 'help' && command.type !== 'version') requireWorkingFolder();
  switch (command.type) {
    case 'help': {
      const { commandHelpText, helpText } = await import('./help-text.js');
      const out = openStdout();
      const width = Math.max(out.columns ?? 100, 40);
      await out.write(
        command.of === undefined ? helpText(width) : commandHelpText(command.of, width),
      );
      return 0;
    }
    case 'version': {
      const file = new URL('../../package.json', import.meta.url);
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // our own
      await openStdout().write(`${version} (Troupe)\n`);
      return 0;
    }
    case 'demo': {
      const { runDemo } = await import('./demo/run-demo.js');
      return runDemo(command);
    }
    case 'config': {
      const { showConfig } = await import('./commands/config.js');
      return showConfig(command, { cwd: process.cwd(), env: process.env });
    }
    case 'trust': {
      const { changeTrust } = await import('./commands/trust.js');
      return changeTrust(command, process.env);
    }
    case 'sessions': {
      const { showSessions } = await import('./commands/sessions.js');
      return showSessions(command, { cwd: process.cwd(), env: process.env });
    }
    case 'log': {
      const { showLog } = await import('./commands/log.js');
      return showLog(command, { cwd: process.cwd(), env: process.env });
    }
    case 'ps': {
      const { showRunning } = await import('./commands/ps.js');
      return showRunning(command, { env: process.env });
    }
    case 'logs': {
      const { showOutput } = await import('./commands/logs.js');
      return showOutput(command, { cwd: process.cwd(), env: process.env });
    }
    case 'kill': {
      const { killTarget } = await import('./commands/kill.js');
      return killTarget(command, { env: process.env });
    }
    case 'send': {
      const { sendToTarget } = await import('./commands/send.js');
      return sendToTarget(command, { env: process.env });
    }
    case 'agents': {
      const { showAgents } = await import('./commands/agents.js');
      return showAgents(command, { cwd: process.cwd(), env: process.env });
    }
    case 'doctor': {
      const { showHealth } = await import('./commands/doctor.js');
      return showHealth(command, { cwd: process.cwd(), env: process.env });
    }
    case 'permissions': {
      const { showPermissions } = await import('./commands/permissions/permissions.js');
      return showPermissions(command, {
        cwd: process.cwd(),
        env: process.env,
        isRoot: process.getuid?.() === 0,
      });
    }
    case 'team': {
      const { runTeamCommand } = await import('./commands/team/team.js');
      return runTeamCommand(command);
    }
    case 'completion': {
      const { printCompletion } = await import('./commands/completion.js');
      return printCompletion(command);
    }
    case 'run': {
      if (command.inputFormat === 'stream-json') {
        const { runStream } = await import('./stream-input/run-stream.js');
        return runStream(command);
      }
      const { runHeadless } = await import('./headless/run-headless.js');
      return runHeadless(command);
    }
    case 'interactive': {
      const { runInteractive } = await import('./interactive/run-interactive.js');
      return runInteractive(command);
    }
    default:
      return command satisfies never;
  }
}

/** @throws UsageError if the working folder was deleted or is out of reach */
function requireWorkingFolder(): void {
  try {
    process.cwd();
  } catch (error) {
    throw new UsageError(
      'The working folder does not exist any more. Change to one that does: cd …',
      {},
      { cause: error },
    );
  }
}
