import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './support/troupe-process.js';

const { engines } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { engines: { node: string } };

/** Runs `troupe --version` in a process that takes its Node for this version. */
function startUnder(version: string): { status: number | null; stdout: string; stderr: string } {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const before = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', before, COMMAND, '--version'],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('the command under an old Node', () => {
  it.each(['18.20.8', '20.18.3'])('says which one it needs: %s', (version) => {
    expect(startUnder(version)).toEqual({
      status: 2,
      stdout: '',
      stderr: `troupe: Troupe needs Node ${engines.node.replace(/^>=(\d+\.\d+)\.0$/, '$1')} or later; this is ${version}.\n`,
    });
  });

  it.each(['20.19.0', '24.1.0'])('starts with %s', (version) => {
    expect(startUnder(version)).toMatchObject({ status: 0, stderr: '' });
  });
});
