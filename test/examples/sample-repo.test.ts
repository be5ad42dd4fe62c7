import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillVariables } from '../../src/model/scripted/script-variables.js';
import { loadScriptFile } from '../../src/model/scripted/load-script.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function copySample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-repo-'));
  folders.push(folder);
  await cp(join(examples, 'sample-repo'), folder, { recursive: true });
  return folder;
}

/** Runs one test file as a shell would: how many tests passed, and the names of those that failed. */
function runTests(cwd: string, file: string): Promise<{ passed: number; failed: string[] }> {
  const { PATH } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--test', '--test-reporter=tap', file],
      { cwd, env: { PATH } },
      (error, stdout) => {
        const passed = /^# pass (\d+)$/m.exec(stdout)?.[1];
        if (passed === undefined) return reject(error ?? new Error(`No summary in: ${stdout}`));
        const failed = [...stdout.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(
          ([, name]) => name ?? '',
        );
        return resolve({ passed: Number(passed), failed });
      },
    );
  });
}

const EditInput = z.object({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
});

/** Makes the edits of one worker of the demo in this copy; each must fit in exactly one place. */
async function applyEdits(cwd: string, worker: string): Promise<readonly string[]> {
  const script = await loadScriptFile(join(examples, 'demo-script.yaml'), { variables: { cwd } });
  const role = script.agents.find(({ name }) => name === worker);
  const edits = (role?.steps ?? [])
    .flatMap(({ tools = [] }) => tools)
    .filter(({ name }) => name === 'Edit')
    .map(({ input }) => EditInput.parse(fillVariables(input, { cwd })));
  for (const { file_path, old_string, new_string } of edits) {
    const parts = (await readFile(file_path, 'utf8')).split(old_string);
    expect(parts).toHaveLength(2);
    await writeFile(file_path, parts.join(new_string));
  }
  return edits.map(({ file_path }) => file_path.slice(cwd.length + 1));
}

describe('the sample repository', () => {
  it.each([
    ['split', 'ada', 2, 'every amount is split into fair shares that add up to it'],
    ['calendar', 'ben', 3, 'every day from 1601 to 2600 is followed by the day after it'],
    ['report', 'cleo', 3, 'every text is wrapped into lines that are as full as they can be'],
  ])('has one bug in %s.js, which the edit of %s repairs', async (module, worker, passed, name) => {
    const cwd = await copySample();
    expect(await runTests(cwd, `test/${module}.test.js`)).toEqual({ passed, failed: [name] });
    expect(await applyEdits(cwd, worker)).toEqual([`src/${module}.js`]);
    expect(await runTests(cwd, `test/${module}.test.js`)).toEqual({
      passed: passed + 1,
      failed: [],
    });
  });
});
