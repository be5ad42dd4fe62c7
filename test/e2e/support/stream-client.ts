import type { Line, TroupeProcess } from './troupe-process.js';

/** A session over stdin and stdout; with {@link ASKS} its asks go out too. */
export const CLIENT = [
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
] as const;
export const ASKS = [...CLIENT, '--permission-prompt-tool', 'stdio'] as const;

/** A prompt. */
export function say(text: string): object {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { type: 'user', message, parent_tool_use_id: null, session_id: '' };
}

export function control(id: string, request: object): object {
  return { type: 'control_request', request_id: id, request };
}

/** An answer to an ask, or to whatever has this `request_id`. */
export function reply(ask: Line, response: object): object {
  const { request_id } = ask as { request_id?: unknown };
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

/** Whether a line is an ask whose input has this in it. */
export function isAskFor(text: string) {
  return (line: Line): boolean =>
    line.type === 'control_request' && JSON.stringify(line['request']).includes(text);
}

/** The response to a control request of the client's own. */
export function answered(troupe: TroupeProcess, id: string): Promise<Line> {
  return troupe.line(
    `the response to ${id}`,
    (line) =>
      line.type === 'control_response' &&
      (line['response'] as { request_id?: string }).request_id === id,
  );
}

export const isResult = (line: Line): boolean => line.type === 'result';
