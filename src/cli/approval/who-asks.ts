import { oneLine, unmistakable } from '../../api/text.js';
import type { RequestingAgent } from '../../api/types.js';

const MOST_CHARACTERS = 60;

/**
 * Who asks, on one line: `ada (worker, plan the work › repair split.js)`.
 *
 * @param way what the agents above it were started for, the highest first
 */
export function whoAsks(
  { name, type, description }: RequestingAgent,
  way: readonly string[] = [],
): string {
  const label = name ?? type;
  if (label === 'main') return label;
  const purposes = [...way, ...(description === way.at(-1) ? [] : [description])];
  const shown = [
    ...(type === label ? [] : [type]),
    purposes.filter(isFilled).map(brief).join(' › '),
  ];
  const details = shown.filter(isFilled).join(', ');
  return details === '' ? brief(label) : `${brief(label)} (${details})`;
}

function brief(text: string): string {
  return oneLine(unmistakable(text), MOST_CHARACTERS);
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}
