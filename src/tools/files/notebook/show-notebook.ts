import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { shellWord } from '../../../core/text/shell-word.js';
import { firstChars } from '../../../core/text/first-chars.js';
import type { ReadCell, ReadPicture } from '../../calls/read-result.js';
import {
  cellIdsOf,
  joinText,
  languageOf,
  MultilineText,
  type Notebook,
  type NotebookCell,
} from './notebook.js';
import type { ShownNotebook } from './notebook-blocks.js';
import { toShownImage } from '../content/show-image.js';

/** Longest text of one output. */
const MAX_OUTPUT_CHARS = 10_000;
/** Most images of one result, and their size together. */
const MAX_IMAGES = 20;
const MAX_IMAGE_CHARS = 15_000_000;

type ShownText = Exclude<ReadCell['outputs'][number], ReadPicture>;

/**
 * Take cells out of a notebook, with their outputs: at most `maxChars` of text, but always one cell.
 *
 * @param first the first cell, counted from 1
 */
export function showNotebook(
  notebook: Notebook,
  path: string,
  { first, limit, maxChars }: { first: number; limit: number; maxChars: number },
): ShownNotebook {
  const ids = cellIdsOf(notebook);
  const images = { count: 0, chars: 0 };
  const cells: ReadCell[] = [];
  let chars = 0;
  for (const [offset, cell] of notebook.cells.slice(first - 1, first - 1 + limit).entries()) {
    const index = first - 1 + offset;
    const shown = showCell(cell, { id: ids[index] ?? '', index, path, maxChars, images });
    chars += charsOf(shown);
    if (cells.length > 0 && chars > maxChars) break;
    cells.push(shown);
  }
  return { cells, language: languageOf(notebook) };
}

type Place = {
  readonly id: string;
  readonly index: number;
  readonly path: string;
  readonly maxChars: number;
  /** The images so far; grows. */
  readonly images: { count: number; chars: number };
};

function showCell(cell: NotebookCell, place: Place): ReadCell {
  const { execution_count, outputs = [] } = cell;
  const { id, index, path, maxChars } = place;
  const source = joinText(cell.source);
  const seeAll = `jq -r '.cells[${index}].source | if type == "array" then add else . end' ${shellWord(path)}`;
  return {
    id,
    type: cell.cell_type,
    source: cutText(source, maxChars, 'source', seeAll),
    ...(typeof execution_count === 'number' && { executionCount: execution_count }),
    outputs: outputs.flatMap((output, number) => showOutput(output, number, place)),
  };
}

const Bundle = z.record(z.string(), z.unknown());
const Stream = z.lazy(() => z.looseObject({ text: MultilineText }));
const Display = z.lazy(() => z.looseObject({ data: Bundle }));
const Failure = z.lazy(() =>
  z.looseObject({
    ename: z.string().default('Error'),
    evalue: z.string().default(''),
    traceback: z.array(z.string()).default([]),
  }),
);

function showOutput(
  output: NonNullable<NotebookCell['outputs']>[number],
  number: number,
  place: Place,
): readonly (ShownText | ReadPicture)[] {
  const { index, path } = place;
  const seeAll = `jq '.cells[${index}].outputs[${number}]' ${shellWord(path)}`;
  const asText = (text: string): ShownText => ({
    type: 'text',
    text: cutText(stripVTControlCharacters(text).trimEnd(), MAX_OUTPUT_CHARS, 'output', seeAll),
  });
  const stream = Stream.safeParse(output);
  if (stream.success) return [asText(joinText(stream.data.text))];
  const display = Display.safeParse(output);
  if (display.success) return [showBundle(display.data.data, place, asText)];
  const { ename, evalue, traceback } = Failure.parse(output);
  return [asText(traceback.length > 0 ? traceback.join('\n') : `${ename}: ${evalue}`)];
}

/** Forms of one output that are text, the most useful first. */
const TEXT_TYPES = ['text/markdown', 'text/plain', 'text/latex', 'text/html', 'application/json'];

/** An output comes in several forms: show the image, or else the best text. */
function showBundle(
  bundle: z.infer<typeof Bundle>,
  { images }: Place,
  asText: (text: string) => ShownText,
): ShownText | ReadPicture {
  const types = Object.keys(bundle);
  const imageType = types.find((type) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
  const notes: string[] = [];
  if (imageType !== undefined) {
    const image = toShownImage(textIn(bundle[imageType]));
    const chars = images.chars + (image?.data.length ?? 0);
    if (image !== undefined && images.count < MAX_IMAGES && chars <= MAX_IMAGE_CHARS) {
      images.count += 1;
      images.chars = chars;
      return image;
    }
    const why = image === undefined ? 'it is damaged or too large' : 'there are too many images';
    notes.push(`[an ${imageType} that is not shown: ${why}]`);
  }
  const textType = TEXT_TYPES.find((type) => types.includes(type));
  if (textType !== undefined) notes.push(textIn(bundle[textType]));
  if (notes.length === 0) notes.push(`[an output of the type ${types.join(', ') || 'unknown'}]`);
  return asText(notes.join('\n'));
}

function textIn(value: unknown): string {
  const text = MultilineText.safeParse(value);
  return text.success ? joinText(text.data) : JSON.stringify(value);
}

function cutText(text: string, most: number, what: string, seeAll: string): string {
  if (text.length <= most) return text;
  const kept = firstChars(text, most);
  return `${kept}\n[${what} cut, it has ${text.length} characters. See all of it with Bash: ${seeAll}]`;
}

function charsOf({ source, outputs }: ReadCell): number {
  const texts = outputs.flatMap((output) => (output.type === 'text' ? [output.text] : []));
  return texts.reduce((sum, text) => sum + text.length, source.length);
}
