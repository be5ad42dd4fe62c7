import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import { count } from './words.js';

/** A line with the class of its style. */
export type StyledText = { readonly text: string; readonly style: string };

/** Lines of code. Of many only the first and the last are drawn until a person wants all: a page with 100,000 lines takes no keys. */
export function FoldedLines({
  lines,
  first,
  last = 0,
}: {
  readonly lines: readonly StyledText[];
  readonly first: number;
  readonly last?: number;
}) {
  const [isOpen, setOpen] = useState(false);
  const left = lines.length - first - last;
  if (left <= 0) return <Lines lines={lines} />;
  const between = last === 0 ? [] : [{ text: `… ${count(left)} lines …`, style: 'dim' }];
  const ends = [...lines.slice(0, first), ...between, ...lines.slice(lines.length - last)];
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Lines lines={ends} />
        <span class="more">All {count(lines.length)} lines</span>
      </summary>
      {isOpen ? <Lines lines={lines} /> : null}
    </details>
  );
}

/** Lines of one style behind each other are one element. */
function Lines({ lines }: { readonly lines: readonly StyledText[] }) {
  const runs: { readonly style: string; readonly texts: string[] }[] = [];
  for (const { text, style } of lines) {
    const shown = `${unmistakable(text)}\n`;
    const newest = runs.at(-1);
    if (newest?.style === style) newest.texts.push(shown);
    else runs.push({ style, texts: [shown] });
  }
  return (
    <pre class="diff">
      {runs.map(({ style, texts }, index) => (
        <span key={index} class={style}>
          {texts.join('')}
        </span>
      ))}
    </pre>
  );
}
