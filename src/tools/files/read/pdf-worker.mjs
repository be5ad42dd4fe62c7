/**
 * The thread that turns the pages of a PDF into text. It is ended from outside if a file takes too much time or memory: a
 * PDF is a program. It gets `bytes`, `first`, `last` and `maxChars` of a page, and sends `open`, a `page` for each page, and
 * `done`, or `failed`.
 */
import { Duplex } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { createInflate } from 'node:zlib';

/**
 * Ignores bytes behind the end of the compressed data, such as the line end of a PDF. From Node 22 on the built-in class
 * rejects them, and the library then fails if the data is compressed twice.
 */
globalThis.DecompressionStream = function DecompressionStream(format) {
  if (format !== 'deflate') throw new TypeError(`${format} is decompressed by the library.`);
  return Duplex.toWeb(createInflate());
};

const { bytes, first, last, maxChars } = workerData;
const send = (message) => parentPort.postMessage(message, []);

try {
  const { getResolvedPDFJS } = await import('unpdf');
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  const document = await getDocument({
    data: bytes,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
  const { numPages: pageCount } = document;
  send({ type: 'open', pageCount });
  for (let number = first; number <= Math.min(last, pageCount); number += 1) {
    const page = await document.getPage(number);
    send({ type: 'page', number, text: await textOf(page) });
    page.cleanup();
  }
  send({ type: 'done' });
} catch (error) {
  const { name, message } = error;
  send({ type: 'failed', name: String(name), message: String(message) });
}

/** Read a page in pieces, until it has enough text. */
async function textOf(page) {
  const reader = page.streamTextContent().getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const { str = '', hasEOL } of value.items) text += hasEOL ? `${str}\n` : str;
    if (text.length > maxChars) {
      await reader.cancel(new Error('enough text'));
      break;
    }
  }
  return text.slice(0, maxChars).trimEnd();
}
