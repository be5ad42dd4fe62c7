import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

export type ProcessOptions = Omit<SpawnOptions, 'stdio'> & {
  /** One entry for each descriptor, from 0 on. */
  readonly stdio: readonly ('pipe' | 'ignore' | number)[];
};

/** A process that runs. */
export type StartedProcess = ChildProcess & { readonly pid: number };

/**
 * Start a process that inherits only the descriptors of `stdio`. Rejects with the error of the operating system if it
 * does not start: the program or folder does not exist, too many open files. A later error of the process or its pipes
 * does not end this process; callers that need such errors listen for them.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<StartedProcess> {
  const child = spawnSealed(file, args, options);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => {}); // an error without a listener would end this process
  child.on('error', () => {});
  if (child.pid === undefined) return failed; // without free descriptors there are not even streams
  for (const stream of child.stdio) stream?.on('error', () => {});
  return child as StartedProcess; // its pid was checked above
}

/** Node closes inherited descriptors below 16 and those that follow without a gap: the others get `/dev/null`. */
function spawnSealed(file: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  const closed = inheritedDescriptors().filter((each) => each >= options.stdio.length);
  if (closed.length === 0) return spawn(file, [...args], { ...options, stdio: [...options.stdio] });
  const nothing = openSync('/dev/null', 'r+');
  try {
    const length = Math.max(...closed) + 1;
    const stdio = Array.from({ length }, (_, index) =>
      closed.includes(index) ? nothing : (options.stdio[index] ?? 'ignore'),
    );
    return spawn(file, [...args], { ...options, stdio });
  } finally {
    closeSync(nothing);
  }
}

const CLOSE_ON_EXEC = 0o2000000;

/** Kept: the inherited descriptors of this process do not change, and a look reads a file for each of them. */
let inherited: readonly number[] | undefined;

/**
 * The descriptors above stderr that a started process would inherit. The program that started this process left them
 * open; Node itself opens none like that. Empty without `/proc`.
 */
function inheritedDescriptors(): readonly number[] {
  inherited ??= lookForInherited();
  return inherited;
}

function lookForInherited(): readonly number[] {
  const found = (readIfThere('/proc/self/fdinfo', (path) => readdirSync(path)) ?? [])
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInheritable(descriptor));
  if (found.length === 0) return found;
  const limits = readIfThere('/proc/self/limits', (path) => readFileSync(path, 'latin1')) ?? '';
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  const above = found.filter((descriptor) => descriptor >= limit);
  if (above.length > 0)
    process.emitWarning(
      `Commands would inherit descriptor ${above.join(', ')}: the limit of open files (${limit}) is too low to prevent that. Close it before the start, or raise "ulimit -n".`,
    );
  return found.filter((descriptor) => descriptor < limit);
}

function isInheritable(descriptor: number): boolean {
  const text = readIfThere(`/proc/self/fdinfo/${descriptor}`, (path) =>
    readFileSync(path, 'latin1'),
  );
  const [, flags] = /^flags:\s*([0-7]+)/m.exec(text ?? '') ?? []; // undefined for the descriptor that listed the folder: it is closed again
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

function readIfThere<T>(path: string, read: (path: string) => T): T | undefined {
  try {
    return read(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // system calls throw this type
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
