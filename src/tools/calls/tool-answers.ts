import { types } from 'node:util';
import type { RequestDetails, RequestSurroundings } from '../request-details.js';
import type { Tool } from '../tool.js';

type Input = Readonly<Record<string, unknown>>;

/**
 * Whether a predicate of a tool is true for an input. A predicate that throws, or returns anything except `true`,
 * counts as false.
 */
export function says(
  tool: Tool,
  predicate: 'isConcurrencySafe' | 'isDestructive' | 'isReadOnly',
  input: Input,
): boolean {
  try {
    return atOnce(tool[predicate](input)) === true;
  } catch {
    return false;
  }
}

/** The tool's line about one call, for people; the name of the tool if there is no line. */
export function describeUse(tool: Tool, input: Input): string {
  return lineOf(tool, 'description', input);
}

/** The tool's own name for one call, for people; undefined if it is the tool's name. */
export function displayNameOf(tool: Tool, input: Input): string | undefined {
  const name = lineOf(tool, 'userFacingName', input);
  return name === tool.name ? undefined : name;
}

function lineOf(tool: Tool, member: 'description' | 'userFacingName', input: Input): string {
  try {
    const line = atOnce(tool[member](input));
    return typeof line === 'string' && line !== '' ? line : tool.name;
  } catch {
    return tool.name; // the call is decided and run without the line
  }
}

/** The facts of the tool about one call that its input does not show; undefined if there are none. */
export function detailsOf(
  tool: Tool,
  input: Input,
  around: RequestSurroundings,
): RequestDetails | undefined {
  try {
    const details = Object.entries(Object(atOnce(tool.requestDetails?.(input, around))));
    const told = details.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return told.length === 0 ? undefined : Object.fromEntries(told);
  } catch {
    return { Details: 'the tool cannot tell them' };
  }
}

/** The effect of a new prompt on a running call of the tool. */
export function onInterruptOf(tool: Tool | undefined): 'cancel' | 'block' {
  try {
    return atOnce(tool?.interruptBehavior?.()) === 'cancel' ? 'cancel' : 'block';
  } catch {
    return 'block';
  }
}

/** Return the value of a synchronous member. A promise is not a valid value, and its rejection would go unnoticed. */
export function atOnce(returned: unknown): unknown {
  if (types.isPromise(returned)) returned.catch(() => {});
  return returned;
}
