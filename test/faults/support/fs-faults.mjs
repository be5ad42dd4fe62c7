// Faults of the file system, put into the `fs` of one process. `node --import fs-faults.mjs` reads them from the environment
// (`TROUPE_FAULTS`, JSON); a test in the same process calls `injectFaults`. Processes that are started below it have none.
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { readlinkSync, writeSync } = fs;
const { O_RDONLY, O_WRONLY, O_RDWR } = fs.constants;
const ACCESS_MODES = O_WRONLY | O_RDWR;
const MESSAGES = {
  EDQUOT: 'quota exceeded',
  EFBIG: 'file too large',
  EIO: 'i/o error',
  EMFILE: 'too many open files',
  ENOSPC: 'no space left on device',
  EROFS: 'read-only file system',
};

function errorOf(code, syscall) {
  return Object.assign(new Error(`${code}: ${MESSAGES[code]}, ${syscall}`), { code, syscall });
}

function pathOf(descriptor) {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

/** Opening a file to read it counts as reading. */
function opening([flags = 'r']) {
  const isRead = typeof flags === 'number' ? (flags & ACCESS_MODES) === O_RDONLY : flags === 'r';
  return isRead ? 'read' : 'open';
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal comes before the next instruction of this thread, or a little later
}

/**
 * @param {readonly import('./fs-faults.mjs').Fault[]} faults
 * @returns {{ readonly counts: readonly number[], undo: () => void }}
 */
export function injectFaults(faults) {
  const counts = faults.map(() => 0);

  /** The fault that this call meets, if any. */
  const met = (call, path) => {
    let found;
    for (const [index, fault] of faults.entries()) {
      if (fault.call !== call || !new RegExp(fault.path).test(path)) continue;
      const count = (counts[index] += 1);
      const { nth, times = 1 } = fault;
      if (count >= nth && count < nth + times) found ??= fault;
    }
    return found;
  };

  /** @param run makes the call; `part` is the share of a write that is to be written */
  const act = (fault, syscall, run) => {
    switch (fault?.effect) {
      case undefined:
        return run(1);
      case 'short':
        return run(0.5); // the rest is written with the next call
      case 'half':
        run(0.5); // what a full disk leaves: the beginning of what was to be written
        throw errorOf('ENOSPC', syscall);
      case 'kill before':
        return die();
      case 'kill half':
        run(0.5);
        return die();
      case 'kill after':
        run(1);
        return die();
      default:
        throw errorOf(fault.effect, syscall);
    }
  };

  const real = {};
  const replace = (name, make) => {
    real[name] = fs[name];
    fs[name] = make(fs[name]);
  };
  const partOf = (data, share) => data.subarray(0, Math.max(1, Math.floor(data.length * share)));

  replace('writeSync', (original) => (descriptor, data, ...rest) => {
    const fault = typeof data === 'string' ? undefined : met('write', pathOf(descriptor));
    return act(fault, 'write', (share) =>
      share === 1
        ? original(descriptor, data, ...rest)
        : original(descriptor, partOf(data, share), ...rest),
    );
  });
  replace('writeFileSync', (original) => (file, text, ...rest) => {
    const fault = met('write', typeof file === 'number' ? pathOf(file) : String(file));
    return act(fault, 'write', (share) =>
      share === 1 || fault.effect === 'short' // node writes the rest itself
        ? original(file, text, ...rest)
        : original(file, partOf(Buffer.from(text), share), ...rest),
    );
  });
  replace('appendFileSync', (original) => (file, ...rest) => {
    const fault = met('write', String(file));
    return act(fault, 'write', () => original(file, ...rest));
  });
  replace(
    'openSync',
    (original) =>
      (path, ...rest) =>
        act(met(opening(rest), String(path)), 'open', () => original(path, ...rest)),
  );
  replace(
    'readFileSync',
    (original) =>
      (path, ...rest) =>
        act(met('read', String(path)), 'read', () => original(path, ...rest)),
  );
  for (const name of ['renameSync', 'linkSync'])
    replace(
      name,
      (original) => (from, to) =>
        act(met(name.replace('Sync', ''), String(to)), name.replace('Sync', ''), () =>
          original(from, to),
        ),
    );
  for (const name of ['rmSync', 'mkdirSync'])
    replace(
      name,
      (original) =>
        (path, ...rest) =>
          act(met(name.replace('Sync', ''), String(path)), name.replace('Sync', ''), () =>
            original(path, ...rest),
          ),
    );
  // what streams write with
  replace('write', (original) => (descriptor, data, ...rest) => {
    const fault = met('write', pathOf(descriptor));
    const done = rest.at(-1);
    try {
      return act(fault, 'write', (share) => {
        if (share === 1) return original(descriptor, data, ...rest);
        if (fault.effect === 'short') return original(descriptor, partOf(data, share), 0, done);
        return writeSync(descriptor, partOf(data, share));
      });
    } catch (error) {
      return process.nextTick(done, error);
    }
  });
  for (const name of ['fsync', 'fdatasync'])
    replace(name, (original) => (descriptor, done) => {
      try {
        return act(met('sync', pathOf(descriptor)), name, () => original(descriptor, done));
      } catch (error) {
        return process.nextTick(done, error);
      }
    });
  const promises = fs.promises;
  const realOpen = promises.open;
  promises.open = async (path, ...rest) =>
    act(met(opening(rest), String(path)), 'open', () => realOpen(path, ...rest));
  const undoHandles = replaceHandles(met, act);
  syncBuiltinESMExports();

  return {
    counts,
    undo() {
      Object.assign(fs, real);
      promises.open = realOpen;
      undoHandles();
      syncBuiltinESMExports();
    },
  };
}

const probe = await open('/dev/null', 'r');
const handles = Object.getPrototypeOf(probe);
await probe.close();

/** The methods of `FileHandle`: there is one class of it a process. */
function replaceHandles(met, act) {
  const { datasync, sync, writeFile } = handles;
  const flush = (original) =>
    async function flushed() {
      return act(met('sync', pathOf(this.fd)), 'fdatasync', () => original.call(this));
    };
  handles.datasync = flush(datasync);
  handles.sync = flush(sync);
  handles.writeFile = async function written(text, ...rest) {
    return act(met('write', pathOf(this.fd)), 'write', (share) =>
      share === 1
        ? writeFile.call(this, text, ...rest)
        : writeSync(this.fd, Buffer.from(text).subarray(0, text.length * share)),
    );
  };
  return () => Object.assign(handles, { datasync, sync, writeFile });
}

const given = process.env['TROUPE_FAULTS'];
if (given !== undefined) {
  delete process.env['TROUPE_FAULTS'];
  injectFaults(JSON.parse(given));
}
