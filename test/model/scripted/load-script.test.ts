import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { loadScriptFile } from '../../../src/model/scripted/load-script.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-script-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The error that loading a file of this text throws. */
async function problemOf(text: string, name = 'script.yaml'): Promise<UsageError> {
  const file = join(folder, name);
  await writeFile(file, text);
  const error: unknown = await loadScriptFile(file, { variables: { cwd: '/repo' } }).then(
    () => 'nothing was thrown',
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw new Error(`not a UsageError: ${String(error)}`);
  expect(error.file).toBe(file);
  expect(error.message).toContain(`${file}:${error.line}:${error.column}: `);
  return error;
}

describe('loadScriptFile', () => {
  it('reads YAML', async () => {
    const file = join(folder, 'good.yaml');
    await writeFile(
      file,
      [
        'version: 1',
        'agents:',
        '  - agent: worker',
        '    steps:',
        '      - when: { user: "fix (?<file>\\\\S+)" }',
        '        tools:',
        '          - { name: Read, input: { file_path: "${cwd}/${file}" } }',
        '      - text: Done.',
        '        repeat: true',
      ].join('\n'),
    );
    expect(await loadScriptFile(file, { variables: { cwd: '/repo' } })).toEqual({
      version: 1,
      agents: [
        {
          agent: 'worker',
          steps: [
            {
              when: { user: 'fix (?<file>\\S+)' },
              tools: [{ name: 'Read', input: { file_path: '${cwd}/${file}' } }],
            },
            { text: 'Done.', repeat: true },
          ],
        },
      ],
    });
  });

  it('reads JSON', async () => {
    const script = { version: 1, agents: [{ steps: [{ text: 'a\n"b" é' }] }] };
    const file = join(folder, 'good.json');
    await writeFile(file, JSON.stringify(script, null, '\t'));
    expect(await loadScriptFile(file)).toEqual(script);
  });

  const steps = (...lines: readonly string[]): string =>
    ['version: 1', 'agents:', '  - agent: worker', '    steps:', ...lines].join('\n');

  it.each([
    ['a syntax error', 'version: 1\nagents: [', 2, /flow/i],
    ['a tab for indentation', 'version: 1\nagents:\n\t- x: 1', 3, /tab/i],
    ['a key twice', 'version: 1\nversion: 1\nagents: []', 2, /is here twice/],
    ['a colon in a text', 'version: 1\nagents: a: b', 2, /quotes around it/],
    ['a team', 'tasks:\n  a: { command: ls }', 1, /This is a team file, not a script/],
    ['an unknown tag', 'version: !new 1\nagents: []', 1, /tag/i],
    ['two documents', 'version: 1\n---\nversion: 1', 2, /document/i],
    ['a script that is no object', '- a', 1, /The script must be an object, not an array of 1$/],
    ['an empty file', '', 1, /The script is empty\. It needs turns/],
    ['comments only', '# later', 1, /The script is empty\. It needs turns/],
    ['another version', 'version: 2\nagents: []', 1, /version must be 1, not the number 2$/],
    ['a missing key', 'version: 1', 1, /agents is required \(an array\)$/],
    ['no agents', 'version: 1\nagents: []', 2, /agents must have at least 1 item/],
    [
      'an unknown key',
      steps('      - text: hi', '        txet: ho'),
      6,
      /steps\[0\]: there is no field "txet"\. Did you mean text\?$/,
    ],
    ['an unknown key at the top', 'version: 1\nagents: [{ steps: [] }]\nextra: 1', 3, /extra/],
    [
      'a wrong type',
      steps('      - text: 5'),
      5,
      /steps\[0\]\.text must be a string, not the number 5$/,
    ],
    ['an empty step', steps('      - text: hi', '      - repeat: true'), 6, /needs text, thinking/],
    ['a bad regular expression', steps('      - when: { user: "(" }', '        text: x'), 5, /\(/],
    [
      'an unknown variable',
      steps('      - text: hi', '      - tools: [{ name: Read, input: { p: "${cwd}/${nope}" } }]'),
      6,
      /\$\{nope\} is neither a variable.*cwd/,
    ],
  ])('shows the place of %s', async (_name, text, line, message) => {
    const error = await problemOf(text);
    expect(error.line).toBe(line);
    expect(error.message).toMatch(message);
  });

  it('shows the column', async () => {
    const text = '{"version": 1,\n "agents": [{"steps": [{"text": "hi", "later": 1}]}]}';
    const error = await problemOf(text, 'script.json');
    expect([error.line, error.column]).toEqual([2, 39]);
  });

  it('names a file that cannot be read', async () => {
    const file = join(folder, 'missing.yaml');
    await expect(loadScriptFile(file)).rejects.toThrow(
      expect.objectContaining({
        code: 'USAGE',
        file,
        message: expect.stringMatching(
          /missing\.yaml: The script cannot be read: there is no such file or folder\.$/,
        ),
      }),
    );
  });
});
