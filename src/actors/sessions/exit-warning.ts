import type { SessionHandle } from '../contract/handles.js';

/**
 * Warn when the process ends while a session waits for its first prompt, because no code is left that could send one.
 */
export interface ExitWarning {
  watch(session: SessionHandle): void;
}

export function createExitWarning(): ExitWarning {
  const open = new Set<SessionHandle>();
  const warn = (): void => {
    for (const session of open)
      if (hasNothingToDo(session))
        process.emitWarning(
          `The session ${session.sessionId} has no prompt, and nothing in this program is left that could send one. Give session({ prompt }), call session.prompt(text), or end it with session.end().`,
          { type: 'TroupeWarning', code: 'SESSION_WITHOUT_PROMPT' },
        );
  };
  const forget = (session: SessionHandle): void => {
    open.delete(session);
    if (open.size === 0) process.off('beforeExit', warn);
  };
  return {
    watch(session) {
      if (open.size === 0) process.once('beforeExit', warn);
      open.add(session);
      void session.outcome.then(() => forget(session));
    },
  };
}

/** Whether the session has received no message, and has no tasks, live or ended. */
function hasNothingToDo(session: SessionHandle): boolean {
  return session.contextUsage().tokens === 0 && session.tasks().length === 1;
}
