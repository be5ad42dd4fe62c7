#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { isTroupeError, UsageError } from '../core/errors.js';
import { parseArguments } from './parse-arguments.js';

/** The `troupe` command. What a run does not need is not loaded. */
async function main(args: readonly string[]): Promise<number> {
  const command = parseArguments(args);
  switch (command.type) {
    case 'help': {
      const { helpText } = await import('./help-text.js');
      process.stdout.write(helpText());
      return 0;
    }
    case 'version': {
      const file = new URL('../../package.json', import.meta.url);
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // our own
      process.stdout.write(`${version} (Troupe)\n`);
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
    case 'run': {
      const { runHeadless } = await import('./headless/run-headless.js');
      return runHeadless(command);
    }
    default:
      return command satisfies never;
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`troupe: ${message.replace(/\s*\n\s*/g, ' ')}\n`);
  const isUsage =
    error instanceof UsageError ||
    (isTroupeError(error) && ['MODEL_AUTH_MISSING', 'JOURNAL_DAMAGED'].includes(error.code));
  if (!isUsage && process.env['TROUPE_DEBUG'] !== undefined && error instanceof Error)
    process.stderr.write(`${error.stack ?? ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
