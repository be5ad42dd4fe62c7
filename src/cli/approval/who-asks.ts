import { oneLine, unmistakable } from '../../api/text.js';
import type { RequestingAgent } from '../../api/types.js';

const MOST_CHARACTERS = 60;

/** The type of a tool call without an agent. */
const TOOL_STEP = 'tool';

/**
 * Name the agent that asks on one line: `ada (worker, plan the work › repair split.js)`.
 *
 * @param way descriptions of the tasks above it, the highest first
 */
export function whoAsks(
  { name, type, description }: RequestingAgent,
  way: readonly string[] = [],
): string {
  const label = name ?? type;
  if (label === 'main') return label;
  if (label === TOOL_STEP)
    return withDetails(description, ['a tool step', way.map(brief).join(' › ')]);
  const purposes = [...way, ...(description === way.at(-1) ? [] : [description])];
  return withDetails(label, [
    ...(type === label ? [] : [type]),
    purposes.filter(isFilled).map(brief).join(' › '),
  ]);
}

function withDetails(label: string, details: readonly string[]): string {
  const shown = details.filter(isFilled).join(', ');
  return shown === '' ? brief(label) : `${brief(label)} (${shown})`;
}

function brief(text: string): string {
  return oneLine(unmistakable(text), MOST_CHARACTERS);
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}
