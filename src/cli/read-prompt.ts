import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { UsageError } from '../api/errors.js';

export type PromptInput = AsyncIterable<Uint8Array | string> & {
  readonly isTTY?: boolean;
  readonly fd?: number;
  destroy(): unknown;
};

/** How long a pipe may stay silent beside a prompt that is already there. */
const SILENCE_MS = 3_000;

/** More text than any model's context holds. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The prompt of a run: what stands on the command line, then what comes on stdin where that is a pipe or a file. Beside a
 * prompt from the command line a pipe that stays silent for three seconds is left alone.
 *
 * @throws UsageError if neither has a word, or stdin is binary or larger than 8 MiB
 */
export async function readPrompt(
  given: string | undefined,
  stdin: PromptInput,
  warn: (line: string) => void,
): Promise<string> {
  const piped = mayHaveInput(stdin) ? await readAll(stdin, given !== undefined, warn) : '';
  const parts = [given ?? '', piped.replace(/\r?\n$/, '')].filter((part) => part.trim() !== '');
  if (parts.length === 0)
    throw new UsageError(
      'There is no prompt. Try: troupe -p "what to do", or pipe it to troupe -p.',
    );
  return parts.join('\n\n');
}

/** Pipes, files and sockets; not a terminal, and not /dev/null. */
function mayHaveInput({ isTTY, fd }: PromptInput): boolean {
  if (isTTY === true) return false;
  if (fd === undefined) return true;
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false; // closed: there is no stdin at all
  }
}

async function readAll(
  stdin: PromptInput,
  isOptional: boolean,
  warn: (line: string) => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isGivenUp = false;
  const giveUp = (): void => {
    isGivenUp = true;
    stdin.destroy();
  };
  const timer = isOptional ? setTimeout(giveUp, SILENCE_MS) : undefined;
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      const piece = Buffer.from(chunk as Uint8Array); // a string too: Buffer.from takes both
      bytes += piece.length;
      if (bytes > MOST_BYTES)
        throw new UsageError(
          'stdin has more than 8 MiB, which no model can read. Put it into a file and name the file in the prompt.',
        );
      chunks.push(piece);
    }
  } catch (error) {
    if (!isGivenUp) throw error;
    warn(
      'nothing came on stdin for 3 s: going on without it (use < /dev/null to say that there is none)',
    );
  } finally {
    clearTimeout(timer);
  }
  return decode(Buffer.concat(chunks), warn);
}

function decode(bytes: Buffer, warn: (line: string) => void): string {
  if (bytes.includes(0))
    throw new UsageError(
      'stdin is no text: it has a NUL byte. Put it into a file and name the file in the prompt.',
    );
  if (!isUtf8(bytes)) warn('stdin is not UTF-8: bytes that are no text are read as U+FFFD');
  return bytes.toString('utf8');
}
