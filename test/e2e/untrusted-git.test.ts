import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, makeRepository, put } from '../support/repository.js';
import { createPlace } from './support/place.js';

const SCRIPT = `version: 1
agents:
  - steps:
      - tools: [{ name: Bash, input: { command: git status --short } }]
      - tools: [{ name: Bash, input: { command: git diff } }]
      - text: Done.
`;

it('a repository runs its programs only if somebody trusts it', async ({ onTestFinished }) => {
  const place = await createPlace(onTestFinished);
  makeRepository(place.cwd, { 'a.txt': 'old\n' });
  put(place.cwd, {
    'a.txt': 'new\n',
    'script.yaml': SCRIPT,
    '.gitattributes': '* filter=x\n',
    '.git/monitor': `#!/bin/sh\ntouch '${place.at('MONITOR')}'\nexit 1\n`,
    '.git/filter': `#!/bin/sh\ntouch '${place.at('FILTER')}'\ncat\n`,
  });
  for (const name of ['monitor', 'filter']) chmodSync(join(place.cwd, '.git', name), 0o755);
  git(place.cwd, 'config', 'core.fsmonitor', place.at('.git/monitor'));
  const run = async (...flags: readonly string[]) => {
    const args = ['-p', 'go', '--model', 'scripted:script.yaml', ...flags];
    const { code } = await place.call(args);
    return [code, existsSync(place.at('MONITOR')), existsSync(place.at('FILTER'))];
  };
  expect(await run()).toEqual([0, false, false]);
  git(place.cwd, 'config', 'filter.x.clean', place.at('.git/filter'));
  expect(await run()).toEqual([0, false, false]);
  expect(await run('--trust')).toEqual([0, true, true]);
});
