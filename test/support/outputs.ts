import { PassThrough } from 'node:stream';
import { createOutputWriter, type OutputWriter } from '../../src/cli/output/output-writer.js';

/** A writer to a terminal, or with `isTTY: false` to a pipe; `text()` is what has reached it so far. */
export function fakeOutput({
  isTTY = true,
  columns = 80,
  rows = 24,
}: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number } = {}): {
  readonly writer: OutputWriter;
  text(): string;
} {
  const stream = Object.assign(new PassThrough(), { isTTY, columns, rows });
  let written = '';
  stream.on('data', (chunk) => (written += String(chunk)));
  const writer = createOutputWriter(stream);
  return { writer, text: () => written + String(stream.read() ?? '') };
}
