/**
 * Frames: text in a prompt with a tag around it, so that the model can tell who wrote it. The content of a frame comes
 * from agents, files, programs and outsiders. It must not be able to end its frame, or to begin another one.
 */

/** Tags that speak for Troupe or the user. No text in any frame has one of them. */
const SPEAKERS: readonly string[] = [
  'message',
  'outside-data',
  'plan-approval-request',
  'plan-approval-response',
  'remote-trigger',
  'scheduled-prompt',
  'shutdown-request',
  'shutdown-response',
  'system-reminder',
  'task-notification',
  'team',
  'teammate-idle',
  'teammate-message', // models know it from Claude Code as a message of another agent
  'undelivered',
];

export type FrameAttributes = Readonly<Record<string, string | undefined>>;

/** A part of a frame with a separate tag. */
export type FrameField = readonly [tag: string, text: string];

/** @param body the text, or fields on separate lines */
export function frame(
  name: string,
  attributes: FrameAttributes,
  body: string | readonly FrameField[],
): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${quoteForFrame(value)}`],
  );
  const inner =
    typeof body === 'string' ? neutralise(body, [name]) : fieldsText(body, [name, ...tagsOf(body)]);
  return `<${name}${list.join('')}>\n${inner}\n</${name}>`;
}

/**
 * Put a backslash into every tag of a frame, opening or closing, in any spelling: `<\/message>`. A second call changes
 * nothing.
 *
 * @param tags of the frame around the text, beside those that no frame may contain
 */
export function neutralise(text: string, tags: readonly string[] = []): string {
  return escapeTags(text, [...SPEAKERS, ...tags]);
}

/** Escape only these tags. */
export function escapeTags(text: string, tags: readonly string[]): string {
  const names = tags.join('|');
  return text.replace(new RegExp(`<(?=${BLANKS}/?${BLANKS}(?:${names})(?![\\w-]))`, 'giu'), '<\\');
}

/** A value as JSON on one line, in which no tag can begin or end. */
export function quoteForFrame(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

/** Includes invisible characters. */
const BLANKS = '[\\s\\p{Cc}\\p{Cf}]*';

function tagsOf(fields: readonly FrameField[]): readonly string[] {
  return fields.map(([tag]) => tag);
}

function fieldsText(fields: readonly FrameField[], tags: readonly string[]): string {
  return fields.map(([tag, text]) => `<${tag}>${neutralise(text, tags)}</${tag}>`).join('\n');
}
