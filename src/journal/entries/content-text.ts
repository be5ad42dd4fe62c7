/** The text of a message's content, for people; for other content only its kind. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly unknown[]).map(blockText).join('\n');
}

function blockText(block: unknown): string {
  if (typeof block !== 'object' || block === null) return '';
  if ('text' in block && typeof block.text === 'string') return block.text;
  return 'type' in block ? `[${String(block.type)}]` : '';
}
