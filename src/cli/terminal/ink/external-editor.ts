/** The person's own editor, in the terminal of a session. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Let the person change a text in an editor. Only the person may read the file, which is removed afterwards.
 *
 * @param command of the editor, with its arguments, such as `code --wait`
 * @param name of the file
 * @returns the text as the editor left it
 * @throws Error if the editor cannot be started or fails
 */
export async function editText(command: string, text: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-edit-'));
  const path = join(folder, name);
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', path], { stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]; // of a process
    if (code !== 0) throw new Error(`${command} ended with ${signal ?? `exit code ${code}`}.`);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
