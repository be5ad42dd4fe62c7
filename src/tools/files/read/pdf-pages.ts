import type { ReadPdf } from '../../calls/read-result.js';

/** Most pages of one call. */
export const MAX_PDF_PAGES = 20;

/** A page of a PDF as text, counted from 1. */
export type PdfPage = ReadPdf['pages'][number];

/** Pages of a document, both included. */
export type PageRange = { readonly first: number; readonly last: number };

/** Parse pages such as "3" or "1-5". @returns a problem that completes "pages: …" */
export function parsePages(text: string): PageRange | string {
  const [, from = '', to = from] = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(text) ?? [];
  if (from === '') return 'must be a page such as "3", or a range such as "1-5"';
  const [first, last] = [Number(from), Number(to)];
  if (first < 1) return 'are counted from 1';
  if (last < first) return `end before they begin. Write "${last}-${first}"`;
  const count = last - first + 1;
  if (count > MAX_PDF_PAGES)
    return `are ${count}, and one call reads at most ${MAX_PDF_PAGES}. Begin with "${first}-${first + MAX_PDF_PAGES - 1}"`;
  return { first, last };
}
