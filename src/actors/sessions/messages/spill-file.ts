import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAt } from '../../../journal/storage/read-at.js';

/** The place of a text in the file. */
export type Piece = { readonly position: number; readonly length: number };

/** Holds texts outside memory. Only this process reads them. */
export interface SpillFile {
  /** @throws if the disk is full */
  write(text: string): Piece;
  read(piece: Piece): string;
  close(): void;
}

/** Closes the file of a collected owner. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/** Create an unnamed file: nothing of it is left, however the process ends. */
export function createSpillFile(): SpillFile {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-messages-'));
  const descriptor = openSync(join(folder, 'messages'), 'w+', 0o600);
  rmSync(folder, { recursive: true });
  let size = 0;
  let isClosed = false;
  const file: SpillFile = {
    write(text) {
      const bytes = Buffer.from(text);
      const piece = { position: size, length: bytes.length };
      for (let written = 0; written < bytes.length;)
        written += writeSync(descriptor, bytes, written, bytes.length - written, size + written);
      size += bytes.length;
      return piece;
    },
    read: ({ position, length }) => readAt(descriptor, position, length).toString(),
    close() {
      if (isClosed) return;
      isClosed = true;
      forgotten.unregister(file);
      closeSync(descriptor);
    },
  };
  forgotten.register(file, descriptor, file);
  return file;
}
