import { messageOf } from './errors.js';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission is denied',
  EPERM: 'the system does not permit it',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EEXIST: 'a file or folder of this name exists already',
  EIO: 'the disk reports an error',
  ECONNREFUSED: 'no program listens there',
  EADDRINUSE: 'the address is in use',
};

/** Describe why the system refused a file, a folder or the start of a program, for people and without a full stop. */
export function describeSystemError(error: unknown): string {
  const { code, syscall, path } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) return `there is no program "${path}"`;
  if (code !== undefined && Object.hasOwn(WORDS, code)) return String(WORDS[code]);
  const [, text] = /^E[A-Z0-9]+: (.+?)(?:, \w+)?(?: '.*)?$/.exec(messageOf(error)) ?? [];
  return text ?? messageOf(error);
}
