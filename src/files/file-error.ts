import { TroupeError } from '../core/errors.js';

export type FileErrorReason =
  | 'missing'
  | 'not_a_file'
  | 'not_a_folder'
  | 'unsupported'
  | 'too_large'
  | 'not_read'
  | 'changed'
  | 'not_approved'
  | 'refused';

/** A file cannot be used as requested. The message is for the model: the problem and what to do next. */
export class FileError extends TroupeError {
  override readonly name = 'FileError';
  readonly code: string;
  readonly reason: FileErrorReason;
  readonly path: string;

  constructor(reason: FileErrorReason, path: string, message: string, options?: ErrorOptions) {
    super(message, { recoverable: true, details: { path }, ...options });
    this.code = `FILE_${reason.toUpperCase()}`;
    this.reason = reason;
    this.path = path;
  }
}

export function notApprovedError(path: string, access: 'read' | 'write'): FileError {
  return new FileError(
    'not_approved',
    path,
    `No approval to ${access} ${path}: the approved path led elsewhere, and that has changed since. Nothing was done. Try again.`,
  );
}

/** The code of a system error (`ENOENT`), undefined for any other. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'the file system does not permit it to the user of this process',
  EPERM: 'the file system does not permit it to the user of this process',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path before the last is a file, not a folder',
  EEXIST: 'a part of the path before the last is a file, not a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long for the file system',
  EMFILE: 'too many files are open; try again',
  ENXIO: 'it is a socket or a pipe, not a file',
};

/** Turn a system error into a FileError. {@link FileError}s and aborts do not change. */
export function toFileError(error: unknown, path: string, action: 'read' | 'write'): unknown {
  const code = errnoOf(error);
  if (error instanceof TroupeError || code === undefined || code === 'ABORT_ERR') return error;
  if (code === 'EISDIR') return folderError(path);
  const why = WHY[code] ?? code;
  return new FileError('refused', path, `Cannot ${action} ${path}: ${why} (${code}).`, {
    cause: error,
  });
}

export function folderError(path: string): FileError {
  return new FileError(
    'not_a_file',
    path,
    `${path} is a folder, not a file. List it with Glob (pattern "*", path "${path}").`,
  );
}
