import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runKeyHelper } from '../../../src/settings/programs/run-key-helper.js';

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-key-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The key that the helper prints, or why it gives no key. */
async function run(
  command: string,
  { env = {}, timeoutMs = 5_000 }: { env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<string> {
  const cwd = await createFolder();
  const { signal } = new AbortController();
  const outer = { PATH: process.env['PATH'] ?? '', ...env };
  return runKeyHelper({ command, cwd, env: outer, timeoutMs, signal }).catch(
    (error: unknown) => (error as Error).message,
  );
}

const failed = (why: string): string =>
  `The command of the setting apiKeyHelper gave no key: ${why}. It must print only the key: run it yourself to see its output.`;

describe('the command of apiKeyHelper', () => {
  it('prints the key, with the environment that hooks get', async () => {
    const env = { VAULT: 'blue', ANTHROPIC_AUTH_TOKEN: 'outer' };
    const command =
      'echo "$VAULT $(basename "$CLAUDE_PROJECT_DIR" | cut -c1-10)${ANTHROPIC_AUTH_TOKEN}"';
    expect(await run(command, { env })).toBe('blue troupe-key\n');
  });

  it.each([
    ['echo "vault is sealed" >&2; exit 3', 'it exited with 3'],
    ['echo "no login" >&2', 'it printed nothing'],
    ['no-such-helper', 'it exited with 127'],
    ['kill -9 $$', 'a signal ended it'],
    [
      'echo fetching; echo sk-SECRET; echo "key sk-SECRET is revoked" >&2; exit 3',
      'it exited with 3',
    ],
    ['set -x; KEY=sk-SECRET; echo "$KEY"; exit 4', 'it exited with 4'],
  ])('says how %j ended, and repeats nothing that it wrote', async (command, why) => {
    expect(await run(command)).toEqual(failed(why));
  });

  it('ends within its time', async () => {
    expect(await run('echo waiting >&2; sleep 60', { timeoutMs: 200 })).toBe(
      failed('it did not end within 0.2 s'),
    );
  });

  it('leaves its output nowhere', async () => {
    const temporary = await createFolder();
    expect(await run('echo sk-SECRET', { env: { TMPDIR: temporary } })).toBe('sk-SECRET\n');
    expect(readdirSync(temporary)).toEqual([]);
  });
});
