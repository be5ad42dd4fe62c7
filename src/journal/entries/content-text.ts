/** The text of a message's content, for people: a tool that was found is its name, and other content only its kind. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly unknown[]).map(blockText).join('\n');
}

function blockText(block: unknown): string {
  if (typeof block !== 'object' || block === null) return '';
  if ('text' in block && typeof block.text === 'string') return block.text;
  if ('tool_name' in block && typeof block.tool_name === 'string') return block.tool_name;
  return 'type' in block ? `[${String(block.type)}]` : '';
}
