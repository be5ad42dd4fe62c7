import type { ResultMessage } from '../../api/types.js';
import { callLine } from '../summaries/call-line.js';
import { resumeCommand } from '../run/resume-command.js';

const WIDTH = 100;

/** Report the call that a hook deferred, and how the session continues with it. */
export function tellDeferred(
  { name, input }: NonNullable<ResultMessage['deferred_tool_use']>,
  sessionId: string,
  { persists, model }: { readonly persists: boolean; readonly model: string | undefined },
  warn: (line: string) => void,
): void {
  const next = persists
    ? `To continue with it: ${resumeCommand('troupe -p', sessionId, model)}`
    : 'The session is not on disk, so nothing can continue with it: remove --no-session-persistence.';
  warn(`A hook deferred a tool call, ${callLine(name, input, WIDTH)}. ${next}`);
}
