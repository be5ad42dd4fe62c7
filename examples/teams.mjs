// Runs the three teams of teams/ with the command, each in a new folder, and checks that they did what they say.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inExamples = (path) => join(import.meta.dirname, path);
const command = join(import.meta.dirname, '../dist/cli/main.js');
const root = mkdtempSync(join(tmpdir(), 'troupe-teams-'));

/** No key: what asks no model needs none, and the others are scripted. */
const { ANTHROPIC_API_KEY: _key, NODE_TEST_CONTEXT: _context, ...env } = process.env;

/** Runs a team and returns its report. */
function runTeam(name, cwd, flags = []) {
  const report = join(root, `${name}.json`);
  const args = ['team', 'run', inExamples(`teams/${name}.yaml`), '--report', report, ...flags];
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...env, TROUPE_HOME: join(root, 'home') },
  });
  if (status === 2) throw new Error(stderr);
  return { ...JSON.parse(readFileSync(report, 'utf8')), exitCode: status };
}

function git(cwd, ...args) {
  const who = ['-c', 'user.name=Example', '-c', 'user.email=example@example.com'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
}

function makeRepository(name, files) {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'first');
  return folder;
}

function outcomes({ tasks }) {
  return tasks.map(({ name, status }) => `${name} ${status}`).join(', ');
}

function expect(what, found, wanted) {
  console.log(`${what}: ${found}`);
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}`);
}

try {
  const broken = join(root, 'sample-repo');
  cpSync(inExamples('sample-repo'), broken, { recursive: true });
  const script = `scripted:${inExamples('teams/fix-failing-tests.script.yaml')}`;
  const fixed = runTeam('fix-failing-tests', broken, ['--model', script]);
  expect('fix-failing-tests', outcomes(fixed), 'test failed, repair done, test-again done');
  const tests = spawnSync(process.execPath, ['--test'], { cwd: broken, env });
  expect('its tests, run now', tests.status, 0);

  const change = makeRepository('change', { 'half.js': 'export const half = (n) => n / 2;\n' });
  writeFileSync(join(change, 'half.js'), 'export const half = (n) => n / 3;\n');
  const reviewer = `scripted:${inExamples('teams/review-diff.script.yaml')}`;
  const review = runTeam('review-diff', change, ['--model', reviewer]);
  expect('review-diff', outcomes(review), 'diff done, review done, merge done');
  const [first] = review.tasks.find(({ name }) => name === 'merge').output.split('\n');
  expect('its review begins', first, '1. half.js:1 half divides by 3.');

  const release = makeRepository('release', {
    'package.json': '{ "name": "half", "version": "1.2.0", "type": "module" }\n',
    'CHANGELOG.md': '# Changes\n\n## 1.2.0\n\nHalves.\n',
    'half.test.js': "import { test } from 'node:test';\ntest('halves', () => {});\n",
  });
  const good = runTeam('release-check', release);
  expect(
    'release-check',
    `exit ${good.exitCode}, ${good.calls} model requests`,
    'exit 0, 0 model requests',
  );
  git(release, 'tag', 'v1.2.0');
  const taken = runTeam('release-check', release);
  expect('of a version that was released', taken.exitCode, 1);
  expect(
    'what failed',
    taken.tasks
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => name)
      .join(),
    'untagged',
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
