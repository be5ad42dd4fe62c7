/**
 * Open public repositories without trust under strace: `node scripts/try-untrusted.mjs FOLDER…`. A folder is the checkout
 * of a repository. The built command runs one prompt with the scripted model and `--init`. Prints each
 * process except git and Troupe's own, each file written outside of the home folder, and each connection.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const PARTS = [
  '.claude',
  '.mcp.json',
  '.lsp.json',
  'CLAUDE.md',
  'AGENTS.md',
  '.claude-plugin',
  'hooks',
];
const CALLS = 'execve,connect,openat,creat,rename,unlink,mkdir';
const SCRIPT = '{ "version": 1, "agents": [{ "steps": [{ "text": "Done.", "repeat": true }] }] }';

/** @returns lines of strace that an untrusted folder must not cause */
function open(root, prompt) {
  const place = mkdtempSync(join(tmpdir(), 'troupe-untrusted-'));
  const [cwd, home] = [join(place, 'project'), join(place, 'home')];
  try {
    mkdirSync(cwd);
    mkdirSync(home);
    for (const name of readdirSync(root).filter((one) => PARTS.includes(one)))
      cpSync(join(root, name), join(cwd, name), { recursive: true, verbatimSymlinks: true });
    spawnSync('git', ['init', '--quiet'], { cwd });
    writeFileSync(join(home, 'script.json'), SCRIPT);
    const args = ['-p', prompt, '--model', `scripted:${join(home, 'script.json')}`, '--init'];
    const { status, stderr } = spawnSync(
      'strace',
      [
        '-f',
        '-qq',
        '-o',
        join(place, 'trace'),
        '-e',
        `trace=${CALLS}`,
        process.execPath,
        COMMAND,
        ...args,
      ],
      { cwd, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' },
    );
    const trace = readFileSync(join(place, 'trace'), 'utf8').split('\n');
    if (!trace.some((line) => line.includes(`execve("${process.execPath}"`)))
      throw new Error('strace saw no start of the command');
    return { status, stderr, bad: trace.filter((line) => isBad(line, home)) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function isBad(line, home) {
  if (line.includes('connect(')) return !line.includes('AF_UNIX'); // also one that fails, or that is not there yet
  if (/ = -1 | = \? /.test(line)) return false;
  if (line.includes('execve('))
    return !line.includes(`"${process.execPath}"`) && !/execve\("[^"]*\/git"/.test(line);
  const writes = /O_WRONLY|O_RDWR|O_CREAT|creat\(|rename\(|unlink\(|mkdir\(/.test(line);
  return writes && !line.includes(home) && !line.includes('/dev/null') && !line.includes('/proc/');
}

let clean = 0;
const roots = process.argv.slice(2).map((one) => resolve(one));
for (const root of roots) {
  const { status, stderr, bad } = open(root, 'Go.');
  if (bad.length === 0) clean += 1;
  console.log(
    `${basename(root)}: exit code ${status}, ${bad.length} calls ${stderr.split('\n')[0].slice(0, 160)}`,
  );
  for (const line of bad.slice(0, 5)) console.log(`  ${line.slice(0, 200)}`);
}
console.log(`${clean} of ${roots.length} repositories start nothing before they are trusted.`);
