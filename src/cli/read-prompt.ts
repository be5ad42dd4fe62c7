import { fstatSync } from 'node:fs';
import { UsageError } from '../core/errors.js';

export type PromptInput = AsyncIterable<Uint8Array | string> & {
  readonly isTTY?: boolean;
  readonly fd?: number;
  destroy(): unknown;
};

/** How long a pipe may stay silent beside a prompt that is already there. */
const SILENCE_MS = 3_000;

/**
 * The prompt of a run: what stands on the command line, then what comes on stdin where that is a pipe or a file. Beside a
 * prompt from the command line a pipe that stays silent for three seconds is left alone.
 *
 * @throws UsageError where neither has a word
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
  let isGivenUp = false;
  const giveUp = (): void => {
    isGivenUp = true;
    stdin.destroy();
  };
  const timer = isOptional ? setTimeout(giveUp, SILENCE_MS) : undefined;
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk as Uint8Array)); // a string too: Buffer.from takes both
    }
  } catch (error) {
    if (!isGivenUp) throw error;
    warn(
      'nothing came on stdin for 3 s: going on without it (use < /dev/null to say that there is none)',
    );
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
