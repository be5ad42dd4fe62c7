import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../core/messages.js';
import { amount } from '../../../core/text/amount.js';
import { frame } from '../../../core/text/frame.js';
import { shellWord } from '../../../core/text/shell-word.js';
import type { FactsOf } from '../../calls/facts-of.js';
import type { ReadToolResult } from '../../calls/read-result.js';
import { numberLines } from '../content/line-window.js';
import { notebookBlocks } from '../notebook/notebook-blocks.js';
import { MAX_PDF_PAGES, type PdfPage } from './pdf-pages.js';
import { imageBlock } from '../content/show-image.js';

/** The data of a result of Read, by the kind of the file. */
export type ReadOutput = FactsOf<ReadToolResult>;

/** The result as the model reads it. */
export function contentOf(output: ReadOutput): ToolResultBlock['content'] {
  switch (output.type) {
    case 'text':
      return [numberedLines(output), output.note].filter(Boolean).join('\n');
    case 'image':
      return [imageBlock(output)];
    case 'notebook': {
      const blocks = notebookBlocks(output);
      const note = noteForCells(output);
      return asText(note === '' ? blocks : [...blocks, { type: 'text', text: note }]);
    }
    case 'pdf': {
      const pages = output.pages.map((page) => describePage(page, output.filePath));
      return [...pages, noteForPages(output)].filter(Boolean).join('\n');
    }
    default:
      return output satisfies never;
  }
}

/** The result in one line for people. */
export function summaryOf(output: ReadOutput): string {
  switch (output.type) {
    case 'text':
      return amount(output.limit, 'line');
    case 'image':
      return `an image (${output.mediaType})`;
    case 'notebook':
      return amount(output.cells.length, 'cell');
    case 'pdf':
      return amount(output.pages.length, 'page');
    default:
      return output satisfies never;
  }
}

function numberedLines({ content, offset, limit }: OutputOf<'text'>): string {
  return limit === 0 ? '' : numberLines(content.split('\n'), offset);
}

/** Blocks as one text, unless there is an image. */
function asText(blocks: readonly (TextBlock | ImageBlock)[]): ToolResultBlock['content'] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === blocks.length ? texts.join('\n') : blocks;
}

type OutputOf<Type extends ReadOutput['type']> = Extract<ReadOutput, { readonly type: Type }>;

function noteForCells({ filePath, cells, cellCount, offset }: OutputOf<'notebook'>): string {
  if (cellCount === 0) return `[${filePath} is a notebook without cells.]`;
  if (cells.length === 0)
    return `[${filePath} has ${cellCount} cells; cell ${offset} is past its end.]`;
  const last = offset - 1 + cells.length;
  if (last >= cellCount) return '';
  return `[Cells ${offset}-${last} of ${cellCount}. Read on with offset ${last + 1}.]`;
}

function noteForPages({ filePath, pages, pageCount, offset }: OutputOf<'pdf'>): string {
  if (pages.length === 0)
    return `[${filePath} has ${pageCount} pages; page ${offset} is past its end.]`;
  const last = offset - 1 + pages.length;
  if (last >= pageCount) return '';
  const next = `${last + 1}-${Math.min(pageCount, last + MAX_PDF_PAGES)}`;
  return `[Pages ${offset}-${last} of ${pageCount}. Read on with pages "${next}".]`;
}

function describePage({ number, text }: PdfPage, path: string): string {
  if (text !== '') return frame('page', { number: String(number) }, text);
  return `[Page ${number} has no text: it may be a picture. Show it with Bash and Read: pdftoppm -png -r 100 -f ${number} -l ${number} ${shellWord(path)} /tmp/page]`;
}
