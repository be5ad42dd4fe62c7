import type { CommandBase } from './command.js';

/** Describe a command for lists: its name for people, its description, and the kind of prompt that it is. */
export function describeCommand({
  name,
  userFacingName,
  description,
  isMcp,
  kind,
}: CommandBase): string {
  const shown = userFacingName?.() ?? name;
  const marks = [...(isMcp === true ? ['MCP'] : []), ...(kind === undefined ? [] : [kind])];
  return [
    ...(shown === name ? [] : [`${shown}:`]),
    description,
    ...marks.map((mark) => `(${mark})`),
  ].join(' ');
}
