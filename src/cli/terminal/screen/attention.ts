import { printableLine } from '../../../api/text.js';
import type { LiveFacts } from './screen-state.js';

type Watched = Pick<LiveFacts, 'requests' | 'workingSince'>;

/** After so long a turn, ms, its end is worth a notification. */
const LONG_MS = 30_000;

const BELL = '\u0007';
const END = '\u0007';

/** Keep the title of the window, and restore it. */
export const WINDOW_TITLE = { keep: '\u001b[22;0t', restore: '\u001b[23;0t' } as const;

/**
 * The codes that call a person: the title of the window, and if something needs the person a bell and a notification of
 * the desktop (OSC 9 and OSC 777). Empty if nothing of it has changed.
 */
export function attentionCodes(
  before: Watched | undefined,
  after: Watched,
  { folder, now }: { readonly folder: string; readonly now: number },
): string {
  const name = printableLine(folder).replaceAll(';', ',');
  const title = titleOf(after, name);
  const isSame = before !== undefined && titleOf(before, name) === title;
  const reason = reasonOf(before, after, now);
  return [
    ...(isSame ? [] : [`\u001b]2;${title}${END}`]),
    ...(reason === undefined
      ? []
      : [
          `${BELL}\u001b]9;Troupe in ${name}: ${reason}${END}`,
          `\u001b]777;notify;Troupe in ${name};${reason}${END}`,
        ]),
  ].join('');
}

function titleOf({ requests, workingSince }: Watched, name: string): string {
  if (requests > 0) return `! ${name} · a decision is needed`;
  return workingSince === undefined ? `${name} · Troupe` : `* ${name} · Troupe works`;
}

function reasonOf(before: Watched | undefined, after: Watched, now: number): string | undefined {
  if (before === undefined) return undefined;
  if (after.requests > before.requests) return 'a decision is needed';
  const isOver = before.workingSince !== undefined && after.workingSince === undefined;
  return isOver && now - before.workingSince >= LONG_MS ? 'the agent has finished' : undefined;
}
