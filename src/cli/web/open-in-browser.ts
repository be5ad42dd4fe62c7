import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../process/open-browser.js';

/**
 * Open the address of the control room in a browser. All users of the machine see the arguments of processes, so the browser
 * gets a file that only this user can read, and that leads to the address with its token.
 *
 * @returns a function that removes the file
 */
export async function openInBrowser(
  browser: string,
  address: string,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-web-'));
  const file = join(folder, 'open.html');
  const page = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Troupe</title>
<a href="${address}">The control room</a>
`;
  await writeFile(file, page, { mode: 0o600, flag: 'wx' });
  openBrowser(browser, pathToFileURL(file).href);
  return () => rm(folder, { recursive: true, force: true });
}
