import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { UsageError } from '../../api/errors.js';

export type PromptInput = AsyncIterable<Uint8Array | string> & {
  readonly isTTY?: boolean;
  readonly fd?: number;
  destroy(): unknown;
};

/** How long a pipe may stay silent if the command line has a prompt. */
const SILENCE_MS = 3_000;

/** More text than any model's context holds. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Read the prompt of a run: the prompt of the command line, then the text of stdin if stdin is a pipe or a file. If the
 * command line has a prompt, a pipe that stays silent for three seconds is ignored.
 *
 * @throws UsageError if both are empty, or stdin is binary or larger than 8 MiB
 */
export async function readPrompt(
  given: string | undefined,
  stdin: PromptInput,
  warn: (line: string) => void,
): Promise<string> {
  const prompt = await promptIn(given, stdin, warn);
  if (prompt === '') throw noPrompt();
  return prompt;
}

export function noPrompt(why = ''): UsageError {
  return new UsageError(
    `There is no prompt.${why} Try: troupe -p "what to do", or pipe it to troupe -p.`,
  );
}

/** The same; empty if both are empty. */
export async function promptIn(
  given: string | undefined,
  stdin: PromptInput,
  warn: (line: string) => void,
): Promise<string> {
  const piped = mayHaveInput(stdin) ? await readAll(stdin, given !== undefined, warn) : '';
  const parts = [given ?? '', piped.replace(/\r?\n$/, '')].filter((part) => part.trim() !== '');
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
      const piece = Buffer.from(chunk as Uint8Array); // Buffer.from also takes a string
      bytes += piece.length;
      if (bytes > MOST_BYTES)
        throw new UsageError(
          'stdin has more than 8 MiB, which no model can read. Put it into a file and name the file in the prompt.',
        );
      chunks.push(piece);
    }
  } catch (error) {
    if (!isGivenUp) throw error;
    warn('nothing came on stdin for 3 s: continuing without it (use < /dev/null if there is none)');
  } finally {
    clearTimeout(timer);
  }
  return decode(Buffer.concat(chunks), warn);
}

function decode(bytes: Buffer, warn: (line: string) => void): string {
  if (bytes.includes(0))
    throw new UsageError(
      'stdin is not text: it has a NUL byte. Put it into a file and name the file in the prompt.',
    );
  if (!isUtf8(bytes)) warn('stdin is not UTF-8: invalid bytes are read as U+FFFD');
  return bytes.toString('utf8');
}
