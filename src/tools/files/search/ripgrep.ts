import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { startProcess } from '../../../processes/start/start-process.js';
import { onAbort } from '../../../core/on-abort.js';

export type RipgrepEnd = {
  /** Some files could not be read. */
  readonly isIncomplete: boolean;
  /** Ripgrep's error about its arguments (an invalid pattern, for example); undefined if it ran. */
  readonly complaint: string | undefined;
};

const MAX_COMPLAINT_CHARS = 4_000;
/** An ignore file that is a pipe would hold a search for ever. */
const MAX_SECONDS = 60;
const TOO_LONG = `it did not end within ${MAX_SECONDS} s. Search a smaller folder. An ignore file such as .gitignore must be a regular file`;

/**
 * Run ripgrep, without any configuration file, and pass its output on record by record. Ends it as soon as `onRecord`
 * returns false, or after a minute. Rejects with the signal's reason, when the process has ended.
 */
export async function runRipgrep({
  args,
  cwd,
  separator,
  input = '',
  signal,
  onRecord,
}: {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The end of a record. */
  readonly separator: '\n' | '\0';
  /** The input of a search of `-`: a text, or an open file from its present position. */
  readonly input?: string | FileHandle;
  readonly signal: AbortSignal;
  readonly onRecord: (record: string) => boolean;
}): Promise<RipgrepEnd> {
  const { rgPath } = await import('@vscode/ripgrep');
  signal.throwIfAborted();
  const child = await startProcess(
    rgPath,
    ['--no-config', '--no-messages', '--color=never', ...args],
    {
      cwd,
      stdio: [typeof input === 'string' ? 'pipe' : input.fd, 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  if (typeof input === 'string') child.stdin?.end(input);
  const kill = () => void child.kill('SIGKILL');
  const stopListening = onAbort(signal, kill);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    kill();
  }, MAX_SECONDS * 1_000);
  const decoder = new StringDecoder('utf8');
  let rest: string[] = []; // pieces of an incomplete record
  let isStopped = false;
  let complaint = '';
  const take = (text: string) => {
    let start = 0;
    for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
      const record =
        rest.length === 0 ? text.slice(start, end) : rest.join('') + text.slice(0, end);
      rest = [];
      start = end + 1;
      if (onRecord(record)) continue;
      isStopped = true;
      return kill();
    }
    if (start < text.length) rest.push(text.slice(start));
  };
  const { stdout } = child;
  stdout?.on('data', (chunk: Buffer) => {
    if (isStopped) return;
    take(decoder.write(chunk));
    stdout.pause(); // many searches at once would hold up the event loop
    setImmediate(() => stdout.resume());
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint += chunk.toString('utf8');
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null]; // the arguments of the event
    signal.throwIfAborted();
    const text = isLate ? TOO_LONG : complaint.trim().slice(0, MAX_COMPLAINT_CHARS);
    const isFailed = !isStopped && code !== 0 && code !== 1;
    return {
      isIncomplete: isFailed && text === '' && code !== null,
      complaint: isFailed && (text !== '' || code === null) ? text || 'it was killed' : undefined,
    };
  } finally {
    clearTimeout(limit);
    stopListening();
  }
}
