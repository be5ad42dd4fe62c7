import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Settings } from '../../src/settings/schema/settings-schema.js';
import { callCommand } from '../e2e/support/command-host.js';
import { blocks, firstBlock, readText, root } from './pages.js';

const execute = promisify(execFile);
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A folder for one test, and the environment of a program in it: no key, and a home below it. */
async function newFolder(parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, 'docs-'));
  folders.push(folder);
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...env } = process.env;
  const seen: NodeJS.ProcessEnv = { ...env, TROUPE_HOME: join(folder, 'home'), TMPDIR: folder };
  return {
    folder,
    env: seen,
    /** Runs the built command there. */
    troupe: (...args: readonly string[]) =>
      callCommand(
        { args, cwd: folder, env: seen as Record<string, string> }, // a copy has no undefined values
        new AbortController().signal,
      ),
  };
}

/** Every code that an error or a failure can have. */
async function errorCodes(): Promise<readonly string[]> {
  const files = await readdir(join(root, 'src'), { recursive: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFile(join(root, 'src', file), 'utf8')),
  );
  const found = texts.flatMap((text) => [
    ...text.matchAll(/\bcode(?: =|:) '([A-Z][A-Z_]+)'|'(MODEL_[A-Z_]+)'/g),
  ]);
  return [...new Set(found.map(([, code, modelCode]) => code ?? modelCode ?? ''))];
}

describe('the README', () => {
  it('shows the example as it is', () => {
    expect(firstBlock('README.md', 'js')).toBe(readText('examples/three-workers.mjs'));
  });
});

describe('what the README and the first pages show', () => {
  it('fits a page', () => {
    expect(readText('README.md').split('\n').length).toBeLessThanOrEqual(151);
  });

  it('shows settings without a mistake', () => {
    const shown = blocks('README.md', 'json').map((text) => Settings.parse(JSON.parse(text)));
    expect(shown.map((settings) => Object.keys(settings))).toEqual([['permissions'], ['hooks']]);
  });

  it.each(['README.md', 'docs/start/first-agent.md'])('%s has an agent', async (page) => {
    const { folder, troupe } = await newFolder();
    await mkdir(join(folder, '.claude/agents'), { recursive: true });
    await writeFile(join(folder, '.claude/agents/reviewer.md'), firstBlock(page, 'markdown'));
    const { stdout, stderr } = await troupe('agents', '--json');
    expect(stderr).toBe('');
    const { agents } = JSON.parse(stdout) as { agents: readonly { name: string }[] };
    expect(agents.find(({ name }) => name === 'reviewer')).toMatchObject({
      source: 'project',
      tools: ['Read', 'Grep', 'Glob', 'Bash'],
    });
  });

  it.each([
    ['README.md', 'review', 3],
    ['docs/start/first-team.md', 'review', 4],
  ])('%s has a team that can be run', async (page, name, count) => {
    const { folder, troupe } = await newFolder();
    await mkdir(join(folder, '.claude/agents'), { recursive: true });
    const agent = firstBlock('README.md', 'markdown');
    await writeFile(join(folder, '.claude/agents/reviewer.md'), agent);
    await writeFile(join(folder, 'review.yaml'), firstBlock(page, 'yaml'));
    const told = await troupe('team', 'validate', 'review.yaml');
    const stdout = `review.yaml: ${name}, ${count} tasks: the file is valid.\n`;
    expect(told).toEqual({ code: 0, stdout, stderr: '' }); // nothing needs approval
  });

  it('docs/start/without-a-key.md has a script that plays', async () => {
    const { folder, troupe } = await newFolder();
    await writeFile(join(folder, 'hello.yaml'), firstBlock('docs/start/without-a-key.md', 'yaml'));
    const { stdout } = await troupe('-p', 'What is here?', '--model', 'scripted:hello.yaml');
    expect(stdout).toMatch(/^The folder has: hello\.yaml\n/);
  });

  it('the README has a hook that denies a push', async () => {
    const { folder } = await newFolder();
    const [script = ''] = blocks('README.md', 'sh').filter((text) => text.startsWith('#!'));
    const file = join(folder, 'check.sh');
    await writeFile(file, script);
    const decide = (command: string) =>
      spawnSync('sh', [file], { input: JSON.stringify({ command }), encoding: 'utf8' });
    expect(decide('git push origin')).toMatchObject({
      status: 2,
      stderr: 'Ask me before you push.\n',
    });
    expect(decide('git status')).toMatchObject({ status: 0, stderr: '' });
  });

  it('the README has a program that runs in any project', async () => {
    const { folder, env } = await newFolder(join(root, 'test/docs')); // there `troupe` is found
    await writeFile(join(folder, 'workers.mjs'), firstBlock('README.md', 'js'));
    await writeFile(join(folder, 'a.js'), "import 'node:fs';\n");
    const words = ['workers.mjs', 'a.js'];
    const { stdout } = await execute(process.execPath, words, { cwd: folder, env });
    expect(stdout).toContain("/a.js:1:import 'node:fs';\n");
  });

  it('docs/start/first-program.md has a program that runs', async () => {
    const { folder, env } = await newFolder(join(root, 'test/docs')); // there `troupe` is found
    await writeFile(join(folder, 'first.mjs'), firstBlock('docs/start/first-program.md', 'js'));
    const { stdout } = await execute(process.execPath, ['first.mjs'], { cwd: folder, env });
    expect(stdout).toContain("'You asked: What is in package.json?'");
  });
});

describe('docs/reference/errors.md', () => {
  it('has every code', async () => {
    const text = readText('docs/reference/errors.md');
    const missing = (await errorCodes()).filter((code) => !text.includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });
});

describe('what the guides show', () => {
  it('docs/build/testing.md has a test that passes', async () => {
    const { folder, env } = await newFolder(join(root, 'test/docs')); // there `troupe` is found
    await writeFile(join(folder, 'test.mjs'), firstBlock('docs/build/testing.md', 'js'));
    const { stdout, stderr } = await execute(process.execPath, [join(folder, 'test.mjs')], { env });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  it('docs/build/query.md has a query that runs without a key', async () => {
    const { folder, env } = await newFolder(join(root, 'test/docs')); // there `troupe` is found
    const [program = ''] = blocks('docs/build/query.md', 'js').filter((text) =>
      text.includes('createFakeMessagesApi'),
    );
    await writeFile(join(folder, 'query.mjs'), program);
    const { stdout, stderr } = await execute(process.execPath, ['query.mjs'], { cwd: folder, env });
    expect({ stdout, stderr }).toEqual({ stdout: 'A library for dates.\n', stderr: '' });
  });

  it('docs/use/team-files.md has a team that can be run', async () => {
    const { folder, troupe } = await newFolder();
    await writeFile(join(folder, 'team.yaml'), firstBlock('docs/use/team-files.md', 'yaml'));
    const { stdout } = await troupe('team', 'validate', 'team.yaml');
    expect(stdout).toBe('team.yaml: review, 3 tasks: the file is valid.\n');
  });

  it('docs/reference/scripted-model.md has a script that plays', async () => {
    const { folder, troupe } = await newFolder();
    await writeFile(
      join(folder, 'count.yaml'),
      firstBlock('docs/reference/scripted-model.md', 'yaml'),
    );
    const flags = ['--model', 'scripted:count.yaml', '--allowedTools'];
    const allowed = 'Bash(printf *),Edit(/list.txt)';
    const { stdout } = await troupe('-p', 'How many lines?', ...flags, allowed);
    expect(stdout).toBe('The file has 2 lines.\n');
  });
});
