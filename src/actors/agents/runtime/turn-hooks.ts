import type { SessionHooks } from '../../hooks/session-hooks.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { createEndHooks, type EndHooks, type MemberOf } from './end-hooks.js';
import { createHookRuns } from './hook-runs.js';
import { createMailHooks, type MailHooks } from './mail-hooks.js';

/**
 * The hooks around an agent's turns. Each outcome is journaled once for its cause, before its effect: a resume runs no
 * hook again that has ended.
 */
export interface TurnHooks extends MailHooks, EndHooks {
  abort(): void;
}

export function createTurnHooks(
  parts: AgentParts,
  hooks: SessionHooks | undefined,
  memberOf: MemberOf,
): TurnHooks {
  if (hooks === undefined) return NO_HOOKS;
  const runs = createHookRuns(parts, hooks);
  const { startSession, admit } = createMailHooks(parts, hooks, runs);
  const end = createEndHooks(parts, hooks, runs, memberOf);
  return {
    startSession,
    admit,
    get mayContinue() {
      return end.mayContinue;
    },
    afterBatch: end.afterBatch,
    beforeEnd: end.beforeEnd,
    afterFailure: end.afterFailure,
    abort: runs.abort,
  };
}

const NO_HOOKS: TurnHooks = {
  startSession: () => undefined,
  admit: () => Promise.resolve(undefined),
  mayContinue: false,
  afterBatch: () => Promise.resolve({}),
  beforeEnd: () => Promise.resolve({}),
  afterFailure: () => Promise.resolve(),
  abort() {},
};
