import { readFileSync, statSync } from 'node:fs';

/** Columns of `/proc/net/unix`: address, references, protocol, flags, type, state, inode, and a path for some. */
const PATH = /^(?:\S+\s+){7}(\/.*)$/;

/**
 * Where the servers of this machine listen in the file system. Such a socket can be connected to on a read-only file
 * system as well, without any network: keys, containers and desktops are behind some.
 */
export function socketsOfTheMachine(): readonly string[] {
  return readSockets()
    .flatMap((line) => PATH.exec(line)?.[1] ?? [])
    .filter(isSocket);
}

/** Something else may have the name that a socket has in the file system of a container. */
function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false; // it is gone, or not ours to see
  }
}

function readSockets(): readonly string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').split('\n');
  } catch {
    return []; // a kernel without them
  }
}
