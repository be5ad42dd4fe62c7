import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeSystemError } from '../../src/core/system-error.js';

const ofNode = (code: string, message: string): Error =>
  Object.assign(new Error(`${code}: ${message}`), { code });

it.each([
  [ofNode('ENOENT', "no such file or directory, open 'a'"), 'there is no such file or folder'],
  [ofNode('EISDIR', 'illegal operation on a directory, read'), 'it is a folder, not a file'],
  [ofNode('EACCES', "permission denied, open 'a'"), 'permission is denied'],
  [ofNode('EFBIG', 'file too large, write'), 'file too large'],
  [ofNode('ETXTBSY', "text file is busy, open '/a, b'"), 'text file is busy'],
  [new Error('it is not a file'), 'it is not a file'],
])('%s is said without the words of the system', (error, words) => {
  expect(describeSystemError(error)).toBe(words);
});

it('a folder that is read as a file is called a folder', () => {
  let thrown: unknown;
  try {
    readFileSync('.');
  } catch (error) {
    thrown = error;
  }
  expect(describeSystemError(thrown)).toBe('it is a folder, not a file');
});

it('a program that does not exist is named', async () => {
  const [error] = (await once(spawn('/nowhere/git'), 'error').catch((e: unknown) => [e])) as [
    unknown,
  ];
  expect(describeSystemError(error)).toBe('there is no program "/nowhere/git"');
});
