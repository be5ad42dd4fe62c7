/** Reads an image from the clipboard of the desktop, with the program of the desktop. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../api/errors.js';
import { pictureOf, type Picture } from '../../../api/files/read-image.js';
import type { Environment } from '../../../api/types.js';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Programs that write the image to stdout. */
const READERS = [
  { program: 'wl-paste', args: ['--no-newline', '--type', 'image/png'] },
  { program: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'] },
] as const;

/** @throws UsageError if the clipboard has no image, if no program can read it, or if the image is too large */
export async function readClipboardImage(env: Environment): Promise<Picture> {
  const bytes = await (process.platform === 'darwin' ? readOnMac(env) : readOnDesktop(env));
  if (bytes === undefined) throw new UsageError('The clipboard has no image.');
  return pictureOf(bytes, 'The image of the clipboard');
}

async function readOnDesktop(env: Environment): Promise<Buffer | undefined> {
  let hasProgram = false;
  for (const { program, args } of READERS) {
    const bytes = await run(program, args, env);
    hasProgram ||= bytes !== 'missing';
    if (bytes instanceof Buffer && bytes.length > 0) return bytes;
  }
  if (hasProgram) return undefined;
  throw new UsageError(
    'To paste an image, install wl-paste or xclip; or paste the path of its file.',
  );
}

/** The system writes the image to a file. */
async function readOnMac(env: Environment): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-image-'));
  try {
    const file = join(folder, 'image.png');
    const lines = [
      'set image to the clipboard as «class PNGf»',
      `set written to open for access POSIX file "${file}" with write permission`,
      'write image to written',
      'close access written',
    ];
    const end = await run(
      'osascript',
      lines.flatMap((line) => ['-e', line]),
      env,
    );
    return end instanceof Buffer ? await readFile(file) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the output of a program; undefined if it fails */
function run(
  program: string,
  args: readonly string[],
  env: Environment,
): Promise<Buffer | 'missing' | undefined> {
  const options = {
    env: { ...env },
    encoding: 'buffer',
    timeout: TIMEOUT_MS,
    maxBuffer: MOST_BYTES,
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else resolve(error.code === 'ENOENT' ? 'missing' : undefined);
    });
  });
}
