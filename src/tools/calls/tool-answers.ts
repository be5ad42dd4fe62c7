import { types } from 'node:util';
import type { Tool } from '../tool.js';

type Input = Readonly<Record<string, unknown>>;

/** Whether a tool says so of an input. A predicate that throws, or returns anything but `true`, says no. */
export function says(
  tool: Tool,
  predicate: 'isConcurrencySafe' | 'isReadOnly',
  input: Input,
): boolean {
  try {
    return atOnce(tool[predicate](input)) === true;
  } catch {
    return false;
  }
}

/** The line of a tool about one use of it, for people; its name if it has no line to say. */
export function describeUse(tool: Tool, input: Input): string {
  try {
    const line = atOnce(tool.description(input));
    return typeof line === 'string' && line !== '' ? line : tool.name;
  } catch {
    return tool.name; // the use is judged and run without it
  }
}

/** What a new prompt does to a call of the tool that runs. */
export function onInterruptOf(tool: Tool | undefined): 'cancel' | 'block' {
  try {
    return atOnce(tool?.interruptBehavior?.()) === 'cancel' ? 'cancel' : 'block';
  } catch {
    return 'block';
  }
}

/** What a member that answers at once has returned. A promise is no answer, and nobody would hear of its rejection. */
export function atOnce(returned: unknown): unknown {
  if (types.isPromise(returned)) returned.catch(() => {});
  return returned;
}
