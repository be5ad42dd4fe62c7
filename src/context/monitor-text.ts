import { frame } from '../core/text/frame.js';

/** New lines of a monitored command. */
export type MonitoredLines = {
  readonly lines: readonly string[];
  /** Number of lines that are left out because too many came at once. */
  readonly dropped: number;
  /** No further line becomes a notification. */
  readonly isLast: boolean;
};

/** The user block that tells an agent the new lines of a command that it monitors. */
export function monitorText(
  { lines, dropped, isLast }: MonitoredLines,
  {
    id,
    description,
    outputFile,
  }: { readonly id: string; readonly description: string; readonly outputFile: string },
): string {
  const notes = [
    ...(dropped === 0 ? [] : [`${dropped} further lines came too fast and are left out.`]),
    ...(isLast ? ['The limit of lines is reached: no more are sent. The command runs on.'] : []),
  ];
  return frame('task-notification', {}, [
    ['task-id', id],
    ['kind', 'monitor'],
    ['status', 'running'],
    ['description', description],
    ...(lines.length === 0 ? [] : [['lines', lines.join('\n')] as const]),
    ...(notes.length === 0 ? [] : [['note', notes.join(' ')] as const]),
    ['output-file', outputFile],
  ]);
}
