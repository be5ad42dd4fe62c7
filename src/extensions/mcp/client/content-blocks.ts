import type { ImageBlock, TextBlock } from '../../../core/messages.js';
import type { McpCallResult } from './sdk-answers.js';

type Content = McpCallResult['content'][number];
type Block = TextBlock | ImageBlock;

/** Image types that the Messages API accepts. */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];
const MAX_IMAGE_CHARS = 5 * 1024 * 1024;

/**
 * Convert the result of a call for a model: text and images unchanged, other content described. A result with
 * structured content only is its JSON.
 */
export function toResultBlocks({
  content,
  structuredContent,
}: Pick<McpCallResult, 'content' | 'structuredContent'>): readonly Block[] {
  const blocks = content.map(toBlock).filter((block) => block.type !== 'text' || block.text !== '');
  if (blocks.length > 0) return blocks;
  const text =
    structuredContent === undefined
      ? 'The tool has run and returned nothing.'
      : JSON.stringify(structuredContent);
  return [{ type: 'text', text }];
}

/** Join all text of a result. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '[an image]')).join('\n');
}

function toBlock(content: Content): Block {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'image': {
      const { data, mimeType } = content;
      if (!IMAGE_TYPES.includes(mimeType) || data.length > MAX_IMAGE_CHARS)
        return describe('image', mimeType, data);
      return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
    }
    case 'audio':
      return describe('audio', content.mimeType, content.data);
    case 'resource_link':
      return { type: 'text', text: `[resource ${content.name}: ${content.uri}]` };
    case 'resource': {
      const { resource } = content;
      if ('text' in resource)
        return { type: 'text', text: `[resource ${resource.uri}]\n${resource.text}` };
      const { uri, mimeType = 'unknown type', blob } = resource;
      return describe(`resource ${uri}`, mimeType, blob);
    }
  }
  return content satisfies never;
}

function describe(what: string, mimeType: string, base64: string): TextBlock {
  const bytes = Math.floor((base64.length * 3) / 4);
  return { type: 'text', text: `[${what}, ${mimeType}, ${bytes} bytes: cannot be shown]` };
}
