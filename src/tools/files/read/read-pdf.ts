import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { FileError } from '../../../files/file-error.js';
import type { PageRange, PdfPage } from './pdf-pages.js';
import { onAbort } from '../../../core/on-abort.js';

const MAX_PAGE_CHARS = 100_000;
const MIB = 1024 * 1024;
const WATCH_MS = 50;

export type PdfText = {
  readonly pageCount: number;
  /** The wanted pages that the document has. */
  readonly pages: readonly PdfPage[];
};

export type PdfLimits = {
  readonly timeoutMs: number;
  /** How much the memory of the process may grow. */
  readonly maxMemoryBytes: number;
};

const LIMITS: PdfLimits = { timeoutMs: 30_000, maxMemoryBytes: 1024 * MIB };

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), pageCount: z.int().nonnegative() }),
  z.object({ type: z.literal('page'), number: z.int(), text: z.string() }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('failed'), name: z.string(), message: z.string() }),
]);

/**
 * Turn pages of a PDF into text, in its own thread with limits of time and memory. Rejects with a {@link FileError} if the
 * document is damaged or locked, or takes too much.
 */
export async function readPdf(
  path: string,
  bytes: Buffer,
  { first, last }: PageRange,
  signal: AbortSignal,
  limits: PdfLimits = LIMITS,
): Promise<PdfText> {
  signal.throwIfAborted();
  const copy = new Uint8Array(bytes);
  const worker = new Worker(new URL('./pdf-worker.mjs', import.meta.url), {
    workerData: { bytes: copy, first, last, maxChars: MAX_PAGE_CHARS },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryBytes / MIB },
    execArgv: [],
    stdout: true, // not on the terminal
    stderr: true,
  });
  try {
    return await collectPages(worker, { path, first }, signal, limits);
  } finally {
    await worker.terminate();
  }
}

function collectPages(
  worker: Worker,
  { path, first }: { readonly path: string; readonly first: number },
  signal: AbortSignal,
  { timeoutMs, maxMemoryBytes }: PdfLimits,
): Promise<PdfText> {
  const pages: PdfPage[] = [];
  let pageCount = 0;
  const ended = new AbortController();
  const work = new Promise<PdfText>((resolve, reject) => {
    const tooMuch = (what: string): void =>
      reject(tooMuchError(path, pages.at(-1)?.number ?? first - 1, what));
    const timer = setTimeout(() => tooMuch(`more than ${timeoutMs / 1000} s`), timeoutMs);
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      // limits of a thread do not count the bytes of its buffers
      if (process.memoryUsage.rss() - before > maxMemoryBytes)
        tooMuch(`more than ${Math.round(maxMemoryBytes / MIB)} MiB of memory`);
    }, WATCH_MS);
    const stopListening = onAbort(signal, () => reject(signal.reason as Error)); // as throwIfAborted throws it
    ended.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      clearInterval(watch);
      stopListening();
    });
    worker.on('message', (data) => {
      const message = Message.parse(data);
      if (message.type === 'open') pageCount = message.pageCount;
      else if (message.type === 'page') pages.push({ number: message.number, text: message.text });
      else if (message.type === 'done') resolve({ pageCount, pages });
      else reject(unreadableError(path, message));
    });
    worker.on('error', (error: Error) => reject(unreadableError(path, error)));
    worker.on('exit', () => reject(unreadableError(path, { name: '', message: 'it ended early' })));
  });
  return work.finally(() => ended.abort());
}

function unreadableError(
  path: string,
  { name, message }: { readonly name: string; readonly message: string },
): FileError {
  const isLocked = name === 'PasswordException';
  const why = isLocked
    ? 'is locked with a password, so its text cannot be read. Unlock a copy with Bash (for example qpdf --decrypt) and read that.'
    : `is a PDF that cannot be read (${message.replace(/\.$/, '')}). It may be damaged or incomplete.`;
  return new FileError('unsupported', path, `${path} ${why}`);
}

function tooMuchError(path: string, done: number, what: string): FileError {
  return new FileError(
    'too_large',
    path,
    `Reading page ${done + 1} of ${path} takes ${what}, so it was stopped. Read other pages, or turn it into text with Bash (for example pdftotext).`,
  );
}
