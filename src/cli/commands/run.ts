import type { RunCommand } from '../command.js';
import { readRun } from '../run/read-run.js';
import { runHeadless } from '../headless/run-headless.js';

/** `troupe` and `troupe -p`. @returns the exit code */
export const run: RunCommand = async (line, world) => {
  const { isInteractive, ...choices } = readRun(line);
  if (choices.endsAfterSetup) {
    const { runSetup } = await import('../headless/run-setup.js');
    return runSetup(choices, world);
  }
  if (isInteractive) {
    const { runInteractive } = await import('../interactive/run-interactive.js');
    return runInteractive(choices, world);
  }
  if (choices.inputFormat === 'stream-json') {
    const { runStream } = await import('../stream-input/run-stream.js');
    return runStream(choices, world);
  }
  return runHeadless(choices, world);
};
