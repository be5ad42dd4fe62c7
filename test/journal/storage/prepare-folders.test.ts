import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeHome } from '../../../src/journal/storage/prepare-folders.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-home-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('makeHome', () => {
  it('makes the folder and those above it, for the user alone', () => {
    const home = join(folder, 'a', 'b');
    makeHome(home);
    makeHome(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a file', 'file', /\/file is a file\. Set TROUPE_HOME/],
    ['a folder in a file', 'file/home', /\/file is a file\. Set TROUPE_HOME/],
    [
      'a link to nothing',
      'link/home',
      /link cannot be made: a file or folder of this name exists already\. Set TROUPE_HOME/,
    ],
  ])('refuses %s', (_, name, message) => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nothing'), join(folder, 'link'));
    expect(() => makeHome(join(folder, name))).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) }),
    );
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });

  it('refuses a folder in a file system that has no room for it, at once', () => {
    expect(() => makeHome('/proc/nope/troupe')).toThrow(/\/proc.*Set TROUPE_HOME/);
  });
});
