import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { RecentFile } from '../../../context/compaction/attachments.js';
import { createMayRead, type Reader } from '../parts/may-read.js';

const MOST_FILES = 5;

/**
 * The present content of the files that the agent read most recently, newest first, without files that cannot be read.
 */
export async function readRecentFiles(
  caller: Reader,
  maxChars: number,
): Promise<readonly RecentFile[]> {
  const mayRead = createMayRead(caller, []);
  const paths = caller.toolContext.files.readFileState.recent(MOST_FILES).filter(mayRead);
  const longest = Math.floor(maxChars / MOST_FILES);
  const files = await Promise.all(paths.map((path) => readBeginning(path, longest)));
  return files.flatMap((file) => file ?? []);
}

async function readBeginning(path: string, maxBytes: number): Promise<RecentFile | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // the path may be a pipe by now
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return undefined;
      const { size } = stats;
      const buffer = Buffer.alloc(Math.min(size, maxBytes));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytesRead === 0 || bytes.includes(0)) return undefined; // empty, or not a text
      const text = new TextDecoder().decode(bytes, { stream: true });
      return size <= bytesRead
        ? { path, text }
        : { path, text: `${text}\n[… ${size - bytesRead} more bytes: read the file for them]` };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined; // gone or unreadable: the summary holds the content that was known
  }
}
