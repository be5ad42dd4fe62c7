import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { UserBlock } from '../../api/types.js';
import { invalidParams } from './to-request-error.js';

/**
 * Convert the blocks of a prompt to the content of a user message. A prompt of texts is one text, so that it may be a
 * command. The texts of resources come last, each with its address.
 *
 * @throws RequestError for a block that Troupe does not take
 */
export function toPromptContent(blocks: readonly ContentBlock[]): string | readonly UserBlock[] {
  const parts = blocks.map(toParts);
  const content = [...parts.flatMap(({ here }) => here), ...parts.flatMap(({ behind }) => behind)];
  if (content.length === 0) throw invalidParams('The prompt is empty: send at least one block.');
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === content.length ? texts.join('') : content;
}

/** The parts of a block: at its place in the prompt, and behind the prompt. */
type Parts = { readonly here: readonly UserBlock[]; readonly behind: readonly UserBlock[] };

function toParts(block: ContentBlock): Parts {
  switch (block.type) {
    case 'text':
      return inPlace(block.text);
    case 'image':
      return image(block.mimeType, block.data);
    case 'resource_link':
      return inPlace(link(block.name, block.uri));
    case 'resource': {
      const { resource } = block;
      const name = link(nameOf(resource.uri), resource.uri);
      if ('text' in resource) return { here: [text(name)], behind: [text(framed(resource))] };
      const type = resource.mimeType ?? '';
      if (type.startsWith('image/')) return image(type, resource.blob);
      return inPlace(name);
    }
    case 'audio':
      throw invalidParams('Audio is not supported: send text, images or resources.');
    default:
      return block satisfies never;
  }
}

function inPlace(words: string): Parts {
  return { here: [text(words)], behind: [] };
}

function image(type: string, data: string): Parts {
  return {
    here: [{ type: 'image', source: { type: 'base64', media_type: type, data } }],
    behind: [],
  };
}

function text(words: string): UserBlock {
  return { type: 'text', text: words };
}

function framed({ uri, text: content }: { readonly uri: string; readonly text: string }): string {
  return `\n<context ref=${JSON.stringify(pathOf(uri))}>\n${content}\n</context>`;
}

function link(name: string, uri: string): string {
  return `[@${name}](${pathOf(uri)})`;
}

function nameOf(uri: string): string {
  return uri.split('/').findLast((part) => part !== '') ?? uri;
}

/** The path of a file address; every other address unchanged. */
function pathOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri; // an address of another machine
  }
}
