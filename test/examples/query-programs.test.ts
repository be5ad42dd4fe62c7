import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../examples/', import.meta.url);

/** Runs a program to its own end, without a key. */
function run(name: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH, TMPDIR } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(new URL(name, folder))],
      { env: { PATH, TMPDIR }, timeout: 30_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}

/** The names that a program imports, by module. */
function importsOf(name: string): Readonly<Record<string, string>> {
  const text = readFileSync(new URL(name, folder), 'utf8');
  const imports = [...text.matchAll(/^import (.*) from '(.*)';/gm)];
  return Object.fromEntries(imports.map(([, what = '', from = '']) => [from, what]));
}

describe('the programs for the Claude Agent SDK', () => {
  it('import of Troupe only what that has', () => {
    expect(importsOf('query-reviewer.mjs')).toMatchObject({ troupe: '{ query }' });
    expect(importsOf('query-chat.mjs')).toMatchObject({
      troupe: '{ createSdkMcpServer, query, tool }',
    });
  });

  it('review a repository with an inline agent, and answer its permission requests', async () => {
    const { code, stdout, stderr } = await run('query-reviewer.mjs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'reviewer uses Task',
        '  bug-finder uses Read',
        'reviewer: One finding, see REVIEW.md. It is not pushed.',
      ]),
    );
  });

  it('chat: partial messages, an interrupt, a tool, a session that is continued', async () => {
    const { code, stdout, stderr } = await run('query-chat.mjs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Once upon a time');
    expect(stdout).toContain('[error_during_execution]');
    expect(stdout).toContain('So it is: ferry: 9:40 [success]');
  });
});
