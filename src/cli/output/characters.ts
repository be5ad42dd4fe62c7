/** Texts as a person sees them, character by character. */

/** Texts whose code units are their characters. */
const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Made for the first text that needs it: the data that it loads takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text with their positions, in code units. An emoji family is one character. */
export function charactersOf(
  text: string,
): Iterable<{ readonly segment: string; readonly index: number }> {
  if (PLAIN.test(text)) return Array.from(text, (segment, index) => ({ segment, index }));
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
