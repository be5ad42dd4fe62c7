/** The images of a prompt: the edited text has the name of each. Pure. */
import type { Picture } from '../../../api/files/read-image.js';
import { printableLine } from '../../../api/text.js';

/** An image that is still being read. It rejects without an image. */
export type ComingPicture = Promise<Picture>;

export type PromptImage = { readonly shown: string; readonly picture: ComingPicture };

/** Most characters of a file's name that are shown. */
const MOST_CHARS = 40;

/** Name an image. @param label the name of its file, or its origin */
export function imageName(label: string, images: readonly PromptImage[]): string {
  const clean = printableLine(label).replaceAll(/[[\]]/g, '');
  return `[image ${images.length + 1}: ${clean.slice(-MOST_CHARS)}]`;
}

/** The images whose names are still in the text, in the order of the text. */
export function imagesIn(text: string, images: readonly PromptImage[]): readonly ComingPicture[] {
  return images
    .filter(({ shown }) => text.includes(shown))
    .toSorted((a, b) => text.indexOf(a.shown) - text.indexOf(b.shown))
    .map(({ picture }) => picture);
}

/** A sent prompt as it was edited: each image has a name in the text. */
export function withNames(
  text: string,
  pictures: readonly Picture[],
): { readonly text: string; readonly images: readonly PromptImage[] } {
  const names = [...text.matchAll(NAME)].map(([name]) => name);
  const images: PromptImage[] = [];
  for (const picture of pictures) {
    const shown = names[images.length] ?? imageName(picture.mediaType, images);
    images.push({ shown, picture: Promise.resolve(picture) });
  }
  const added = images.slice(names.length).map(({ shown }) => shown);
  return { text: [text, ...added].filter((part) => part !== '').join(' '), images };
}

/** The path that a terminal pastes for a file that is dropped on it; undefined for any other text. */
export function imagePathOf(pasted: string): string | undefined {
  const text = pasted.trim();
  const [, double, single = double] = /^(?:"([^"]*)"|'([^']*)')$/.exec(text) ?? [];
  if (text.includes('\n') || !ENDING.test(single ?? text)) return undefined;
  if (single !== undefined) return single;
  if (!text.startsWith('file://')) return text.replaceAll(/\\(.)/g, '$1'); // a shell's way to write a blank
  return URL.canParse(text) ? decodePath(new URL(text).pathname) : undefined;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined; // a lone percent sign
  }
}

const NAME = /\[image \d+: [^[\]]*\]/g;
const ENDING = /\.(?:png|jpe?g|gif|webp)$/i;
