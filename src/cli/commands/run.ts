import type { CommandLine } from '../arguments/command-line.js';
import { readRun } from '../arguments/read-run.js';
import { runHeadless } from '../headless/run-headless.js';

/** `troupe` and `troupe -p`. @returns the exit code */
export async function run(line: CommandLine): Promise<number> {
  const { isInteractive, ...choices } = readRun(line);
  if (choices.endsAfterSetup) {
    const { runSetup } = await import('../headless/run-setup.js');
    return runSetup(choices);
  }
  if (isInteractive) {
    const { runInteractive } = await import('../interactive/run-interactive.js');
    return runInteractive(choices);
  }
  if (choices.inputFormat === 'stream-json') {
    const { runStream } = await import('../stream-input/run-stream.js');
    return runStream(choices);
  }
  return runHeadless(choices);
}
