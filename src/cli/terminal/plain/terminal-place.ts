import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { AskHandler } from '../../../api/types.js';
import { BRACKETED_PASTE, createPasteReader } from '../keys/key-filter.js';
import { QUIET_MS } from '../keys/type-ahead.js';
import type { OutputWriter } from '../../output/output-writer.js';
import type { AskPlace } from '../../approval/ask-place.js';
import { createAskHandler, type AskHandlerOptions } from '../../approval/terminal-prompt.js';

export type TerminalInput = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

/** Ask the person at a terminal that is used for nothing else: `troupe -p`, a team, the demo. */
export function createTerminalPrompt(
  input: TerminalInput,
  output: OutputWriter,
  options: AskHandlerOptions = {},
): AskHandler {
  return createAskHandler(createTerminalPlace(input, output), options);
}

export function createTerminalPlace(input: TerminalInput, output: OutputWriter): AskPlace {
  return {
    async open(_announcement, signal) {
      if (!input.listeners('error').includes(passOver)) input.on('error', passOver);
      if (input.isTTY === true) await forgetKeys(input, signal);
      // The terminal makes the lines, so that an interrupt is still a signal.
      const lines = createInterface({ input, terminal: false });
      const typed = lines[Symbol.asyncIterator]();
      const readLine = createPasteReader();
      void output.control(BRACKETED_PASTE.on);
      return {
        columns: output.columns ?? 80,
        show: (shown) => void output.lines(shown),
        async nextLine() {
          void output.write('> ');
          const typedLine = await typed.next().catch(passOver);
          return typedLine === undefined || typedLine.done === true
            ? undefined
            : readLine(typedLine.value);
        },
        close() {
          void output.control(BRACKETED_PASTE.off);
          lines.close();
        },
      };
    },
  };
}

/** The terminal is gone: it has no next line. */
function passOver(): void {}

const LOOK_MS = 50;
const CTRL_C = 3;

/**
 * Discard all keys that came before a request is shown, and wait while somebody types. Raw mode also delivers a line
 * without its end.
 */
async function forgetKeys(input: TerminalInput, signal: AbortSignal): Promise<void> {
  let keyAt: number | undefined;
  const isTyping = (): boolean => keyAt !== undefined && performance.now() - keyAt < QUIET_MS;
  const onData = (chunk: Uint8Array | string): void => {
    keyAt = performance.now();
    if (Buffer.from(chunk as Uint8Array).includes(CTRL_C)) process.kill(process.pid, 'SIGINT'); // raw mode sends no signal
  };
  input.setRawMode?.(true);
  input.on('data', onData);
  input.resume(); // the request before has paused it
  try {
    do await delay(LOOK_MS, undefined, { signal });
    while (isTyping());
  } finally {
    input.off('data', onData);
    input.pause();
    input.setRawMode?.(false);
  }
}
