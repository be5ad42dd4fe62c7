import { createServer } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { seeAll } from '../../../src/cli/control/running.js';
import { thisProcess } from '../../../src/journal/storage/process-owner.js';
import { createFolder } from '../../support/troupe.js';

/** The reasons that are shown for a process of this user that gives this reply to every request; no reply if it is empty. */
async function whyNotSeen(said: string): Promise<readonly string[]> {
  const home = await createFolder();
  await mkdir(join(home, 'run'));
  const socket = join(home, 'run', '1-a.sock');
  const server = createServer((one) => {
    one.on('error', () => {}); // the client hangs up
    one.on('data', () => one.end(said));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const owner = thisProcess();
  const listener = { version: 1, owner, socket, cwd: '/', startedAt: 0 };
  await writeFile(join(home, 'run', '1-a.json'), JSON.stringify(listener));
  const told: string[] = [];
  const seen = await seeAll(home, (_, error) => told.push(String(error)));
  expect(seen).toEqual([]);
  return told;
}

it.each([
  ['', 'it has closed the connection'],
  ['{"id":1,"res', 'its answer is not understood'],
  ['{"id":1,"error":{"code":"NO","message":"not now"}}\n', 'not now'],
])('tells why it does not see who says %j', async (said, why) => {
  expect(await whyNotSeen(said)).toEqual([expect.stringContaining(why)]);
});

it('does not take a folder that cannot be read for one in which nobody is', async () => {
  const home = await createFolder();
  expect(await seeAll(home, () => {})).toEqual([]);
  await writeFile(join(home, 'run'), '');
  await expect(seeAll(home, () => {})).rejects.toThrow(
    /^The running troupes cannot be found: a part of its path is a file, not a folder\.$/,
  );
});
