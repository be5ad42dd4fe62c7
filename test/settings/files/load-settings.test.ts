import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { loadSettings } from '../../../src/settings/files/load-settings.js';
import { settingsJsonSchema } from '../../../src/settings/schema/policy-settings.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rm(folder, { recursive: true }));

async function errorOf(text: string): Promise<UsageError> {
  await writeFile(file, text);
  const error: unknown = await loadSettings(file, 'flagSettings').catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw new Error(`no UsageError: ${String(error)}`);
  return error;
}

describe('loadSettings', () => {
  it('counts the depth of values, not of brackets in texts', async () => {
    const language = '['.repeat(300);
    const { settings } = await loadSettings(`{"language": "${language}",}`, 'flagSettings');
    expect(settings).toEqual({ language });
    const deep = `{"language": "${'}'.repeat(20_000)}", "x": ${'['.repeat(20_000)}`;
    expect((await errorOf(deep)).message).toContain('nested too deep');
  });

  it('reads text and files, keeps keys that it does not know, and leaves the file alone', async () => {
    const text =
      '{ "model": "opus",\n "later": { "x": [1] }, "permissions": { "deny": ["Bash(rm *)"], "y": 1 } }\n';
    await writeFile(file, text);
    const before = await stat(file);
    const settings = {
      model: 'opus',
      later: { x: [1] },
      permissions: { deny: ['Bash(rm *)'], y: 1 },
    };
    expect(await loadSettings(file, 'flagSettings')).toEqual({
      settings,
      source: 'flagSettings',
      file,
      text,
    });
    expect(await loadSettings(text, 'flagSettings')).toEqual({
      settings,
      source: 'flagSettings',
      text,
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
  });

  it.each([
    [
      '{\n  "model": "a"\n  "agent": "b"\n}',
      3,
      3,
      'This is not JSON: expected "," before the next value, found "\\"".',
    ],
    ['{\n  "model": \'a\'\n}', 2, 12, 'This is not JSON: expected a value, found "\'".'],
    ['{ "model": "a",,\n}', 1, 16, 'This is not JSON: expected a key in double quotes, found ",".'],
    ['{ "model": "a"', 1, 15, 'This is not JSON: expected "," or "}", found the end of the text.'],
    [
      '{ "model": "a\nb" }',
      1,
      12,
      'This is not JSON: this string does not end, or holds a character that must be escaped.',
    ],
    ['{} x', 1, 4, 'This is not JSON: expected a value, found "x".'],
    ['', 1, 1, 'This is not JSON: expected a value, found the end of the text.'],
    ['{ "model": 5 }', 1, 12, '"model" must be a string, not the number 5'],
    ['[]', 1, 1, 'The settings must be an object, not an array of 0'],
    [
      '{\n "permissions": {\n  "allow": ["Read",\n    "Bash(ls"]\n}}',
      4,
      5,
      '"permissions.allow.1": The permission rule "Bash(ls" has a "(" and does not end with ")".',
    ],
    [
      '{"permissions": {"deny": "Bash"}}',
      1,
      26,
      '"permissions.deny" must be an array, not the string "Bash"',
    ],
  ])('shows where %j is wrong', async (text, line, column, message) => {
    const error = await errorOf(text);
    expect({
      file: error.file,
      line: error.line,
      column: error.column,
      message: error.message,
    }).toEqual({
      file,
      line,
      column,
      message: `${file}:${line}:${column}: ${message}`,
    });
  });

  it('names the modes there are', async () => {
    const problemOf = async (mode: string): Promise<string> =>
      (await errorOf(JSON.stringify({ permissions: { defaultMode: mode } }))).message;
    expect(await problemOf('yolo')).toMatch(
      /:1:31: "permissions.defaultMode" must be one of "default", .*"acceptEdits".*, not the string "yolo"$/,
    );
    expect(await problemOf('plna')).toMatch(/not the string "plna"\. Did you mean "plan"\?$/);
    expect(await problemOf('acceptedits')).toMatch(/Did you mean "acceptEdits"\?$/);
  });

  it.each([
    ['manual', 'default'],
    ['auto', 'auto'],
  ])('takes the mode %s for %s', async (defaultMode, mode) => {
    const { settings } = await loadSettings(
      JSON.stringify({ permissions: { defaultMode } }),
      'userSettings',
    );
    expect(settings).toEqual({ permissions: { defaultMode: mode } });
  });

  it('names a file that cannot be read', async () => {
    await writeFile(join(folder, 'settings.json'), '{}');
    await expect(loadSettings(join(folder, 'setings.json'), 'flagSettings')).rejects.toThrow(
      /setings\.json: Settings cannot be read: there is no such file or folder\. Did you mean \S+\/settings\.json\?$/,
    );
    await expect(loadSettings(join(folder, 'none.json'), 'flagSettings')).rejects.toThrow(
      /none\.json: Settings cannot be read: there is no such file or folder\./,
    );
  });
});

describe('the published schema', () => {
  it('says what the loader accepts', async () => {
    const text = await format(JSON.stringify(settingsJsonSchema(), null, 2), {
      parser: 'json',
      printWidth: 100,
    });
    await expect(text).toMatchFileSnapshot('../../../schemas/settings.schema.json');
  });
});

describe('a settings file with comments', () => {
  it('is read as if they were not there', async () => {
    await writeFile(file, '{\n  // the team\'s\n  "model": "opus", /* for now */\n}');
    expect((await loadSettings(file, 'userSettings')).settings).toEqual({ model: 'opus' });
  });
});
