import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBoundedText } from './bounded-text.js';
import { completeLength } from './utf8-boundary.js';

/** How much of the beginning and of the end of each stream stays in memory. */
const KEPT_BYTES = 512 * 1024;
/** Bytes that are taken in one turn of the event loop: 1 MB that is not text takes 15 ms to decode. */
const BYTES_OF_TURN = 256 * 1024;

export type CapturedOutput = {
  readonly stdout: string;
  readonly stderr: string;
  /** The middle of stdout or stderr is missing here; the output file has it, up to its own limit. */
  readonly isTruncated: boolean;
  /** Bytes of the whole output, kept or not. */
  readonly outputBytes: number;
};

export interface OutputCapture {
  readonly stdout: (stream: Readable) => void;
  readonly stderr: (stream: Readable) => void;
  /** Resolves when all output is in the file. Rejects if the file could not be written. */
  finish(): Promise<CapturedOutput>;
}

/**
 * Collect the two streams of a command: in a file in the order of arrival, through `onOutput` at once, and in memory up
 * to a limit. Only whole UTF-8 characters are passed on. If the disk is slower than the command, or the rest of this
 * process would have to wait, the command waits. Rejects if the file cannot be opened; `onFileError` is called if the file cannot be written later.
 */
export async function openOutputCapture(options: {
  readonly file: string;
  readonly maxFileBytes: number;
  readonly onOutput: (text: string) => void;
  readonly onStdout?: ((text: string) => void) | undefined;
  readonly onFileError: () => void;
}): Promise<OutputCapture> {
  const file = (await open(options.file, 'a')).createWriteStream();
  const flushes: (() => void)[] = [];
  let outputBytes = 0;
  const inflow = createInflow(() => file.writableNeedDrain);
  let fileError: Error | undefined;
  file.on('error', (error) => {
    fileError ??= error;
    inflow.resume();
    options.onFileError();
  });
  file.on('drain', inflow.resume);

  function append(bytes: Buffer): void {
    const room = options.maxFileBytes - outputBytes;
    outputBytes += bytes.length;
    if (room < 0 || fileError !== undefined) return;
    let hasRoom: boolean;
    if (bytes.length <= room) {
      hasRoom = file.write(bytes);
    } else {
      const fitting = bytes.subarray(0, completeLength(bytes.subarray(0, room)));
      const note = `\n[The rest was not kept: more than ${options.maxFileBytes} bytes of output.]\n`;
      hasRoom = file.write(Buffer.concat([fitting, Buffer.from(note)]));
    }
    if (!hasRoom) inflow.pause();
  }

  function createSink(onText?: (text: string) => void) {
    const kept = createBoundedText(KEPT_BYTES, KEPT_BYTES);
    let begun: Buffer = Buffer.alloc(0); // bytes of an incomplete character
    function pass(bytes: Buffer): void {
      if (bytes.length === 0) return;
      kept.add(bytes);
      append(bytes);
      const text = bytes.toString('utf8');
      options.onOutput(text);
      onText?.(text);
    }
    flushes.push(() => {
      pass(begun);
      begun = Buffer.alloc(0);
    });
    function attach(stream: Readable): void {
      inflow.add(stream);
      stream.on('data', (chunk: Buffer) => {
        const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
        const whole = completeLength(bytes);
        begun = bytes.subarray(whole);
        pass(bytes.subarray(0, whole));
        inflow.count(chunk.length);
      });
    }
    return { attach, kept };
  }

  const stdout = createSink(options.onStdout);
  const stderr = createSink();
  const describeGap = (bytes: number) =>
    `\n[${bytes} bytes left out here; the output is in ${options.file}]\n`;
  return {
    stdout: stdout.attach,
    stderr: stderr.attach,
    async finish() {
      for (const flush of flushes) flush();
      if (fileError !== undefined) throw fileError;
      file.end();
      await finished(file);
      return {
        stdout: stdout.kept.text(describeGap),
        stderr: stderr.kept.text(describeGap),
        isTruncated: stdout.kept.isTruncated() || stderr.kept.isTruncated(),
        outputBytes,
      };
    },
  };
}

/** The streams of a command, which flow and rest together. */
function createInflow(isFileBehind: () => boolean) {
  const streams = new Set<Readable>();
  let bytesOfTurn = 0;
  const isTurnOver = (): boolean => bytesOfTurn >= BYTES_OF_TURN;
  function pause(): void {
    for (const stream of streams) stream.pause();
  }
  function resume(): void {
    if (isFileBehind() || isTurnOver()) return;
    for (const stream of streams) stream.resume();
  }
  function endTurn(): void {
    bytesOfTurn = 0;
    resume();
  }
  return {
    add: (stream: Readable) => void streams.add(stream),
    pause,
    resume,
    count(bytes: number): void {
      const wasOver = isTurnOver();
      bytesOfTurn += bytes;
      if (wasOver || !isTurnOver()) return;
      pause();
      setImmediate(endTurn);
    },
  };
}
