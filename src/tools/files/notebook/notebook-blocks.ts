import type { ImageBlock, TextBlock } from '../../../core/messages.js';
import { frame, quoteForFrame } from '../../../core/text/frame.js';
import type { ReadCell } from '../../calls/read-result.js';
import { imageBlock } from '../content/show-image.js';

/** Cells of a notebook that were read. */
export type ShownNotebook = {
  readonly cells: readonly ReadCell[];
  /** The language of the code cells. */
  readonly language: string;
};

/** The cells as blocks for the model: text, with images in their place. */
export function notebookBlocks({ cells, language }: ShownNotebook): (TextBlock | ImageBlock)[] {
  const blocks: (TextBlock | ImageBlock)[] = [];
  let text = '';
  for (const { id, type, source, executionCount, outputs } of cells) {
    const facts = {
      id,
      type,
      language: type === 'code' ? language : undefined,
      execution_count: executionCount === undefined ? undefined : String(executionCount),
    };
    text += `${frame('cell', facts, source)}\n`;
    for (const output of outputs) {
      if (output.type === 'text') {
        text += `${frame('output', { cell: id }, output.text)}\n`;
        continue;
      }
      const where = `[The image is an output of the cell ${quoteForFrame(id)}.]`;
      blocks.push({ type: 'text', text: `${text}${where}` }, imageBlock(output));
      text = '';
    }
  }
  if (text !== '') blocks.push({ type: 'text', text: text.trimEnd() });
  return blocks;
}
