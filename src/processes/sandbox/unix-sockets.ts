import { readFileSync, statSync } from 'node:fs';

/** Columns of `/proc/net/unix`: address, references, protocol, flags, type, state, inode, and a path for some. */
const PATH = /^(?:\S+\s+){7}(\/.*)$/;

/**
 * Paths of the sockets on which servers of this machine listen. A command can connect to such a socket on a read-only
 * file system and without network. Some of them give access to keys, containers and desktops.
 */
export function socketsOfTheMachine(): readonly string[] {
  return readSockets()
    .flatMap((line) => PATH.exec(line)?.[1] ?? [])
    .filter(isSocket);
}

/** In the file system of a container, another file may have the path of a socket. */
function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false; // it has vanished, or belongs to somebody else
  }
}

function readSockets(): readonly string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').split('\n');
  } catch {
    return []; // a kernel without Unix sockets
  }
}
