import { unmistakable } from '../core/text/printable.js';
import { plural } from './words.js';

const MOST_LINES = 12;
const MOST_CHARACTERS = 2_000;

/** A text as it is: a long one is folded to its first lines, and nothing of it is left out. */
export function Folded({ text, head }: { readonly text: string; readonly head?: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  const first = lines.slice(0, MOST_LINES).join('\n').slice(0, MOST_CHARACTERS);
  const isLong = head !== undefined || first.length < text.replace(/\n$/, '').length;
  if (!isLong) return <pre>{unmistakable(text)}</pre>;
  return (
    <details class="folded">
      <summary>
        {head === undefined ? <pre>{unmistakable(first)}</pre> : null}
        <span class="more">
          {head ?? 'All'} {sizeOf(lines, text)}
        </span>
      </summary>
      <pre>{unmistakable(text)}</pre>
    </details>
  );
}

function sizeOf(lines: readonly string[], text: string): string {
  return lines.length === 1 ? plural(text.length, 'character') : plural(lines.length, 'line');
}
