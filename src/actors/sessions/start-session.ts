import { createAnthropicModel } from '../../model/anthropic/anthropic-model.js';
import type { Model } from '../../model/model.js';
import type { Sandbox } from '../../processes/sandbox/sandbox.js';
import { beginSession, type SessionRoot } from './begin-session.js';
import { checkBudget } from '../agents/budgets.js';
import { createExitWarning } from './exit-warning.js';
import { maxTokensOf, withThinkingOf } from '../options/limits-from-environment.js';
import { createOldSessionSweep } from './old-sessions.js';
import { checkSession } from './session-schema.js';
import type { SessionHandle } from '../contract/handles.js';
import type { SessionStart } from '../contract/session-start.js';
import { definitionFor, withMode } from './resume/choose-for-session.js';
import { openSession } from './resume/open-session.js';
import type { SessionLock } from '../../journal/sessions/session-lock.js';
import { checkStart } from './resume/session-choices.js';
import type { SessionHome } from './session-home.js';

/** Start the sessions of an orchestrator, new and resumed. */
export function createSessionStarter(
  root: Omit<SessionRoot, 'isSandboxed'>,
  // undefined without a sandbox
  { home, sandbox }: { readonly home: SessionHome; readonly sandbox: () => Sandbox | undefined },
): (given: SessionStart) => SessionHandle {
  const { env, cwd, definitions, permissions, tools, maxTokens: most } = root.settings;
  const exitWarning = createExitWarning();
  const removeOld = createOldSessionSweep(root.settings.cleanupPeriodDays, root.shared.timers.now);
  let { model } = root.settings;
  let lock: SessionLock | undefined;
  const ownModel = (): Model => (model ??= createAnthropicModel({ env }));

  return (given) => {
    checkSession(given);
    checkBudget(given);
    const maxTokens = maxTokensOf(most, env);
    checkStart(given, { maxTokens });
    const start = withThinkingOf(env, given, maxTokens);
    const chosen = definitionFor(start, undefined, definitions, tools);
    if (start.hostsOnly !== true) ownModel();
    const isSandboxed = sandbox() !== undefined;
    const folder = home.pathFor(start);
    const opened = openSession(start, { home: folder, cwd, lock });
    lock = opened.lock;
    try {
      const { resumed } = opened;
      const session = beginSession(
        { ...root, isSandboxed },
        opened,
        start,
        resumed === undefined ? chosen : definitionFor(start, resumed, definitions, []),
        withMode(permissions, start, resumed),
        model ?? whenAsked(ownModel),
      );
      if (start.prompt === undefined) exitWarning.watch(session);
      removeOld(folder);
      root.shared.follower?.await(session);
      return session;
    } catch (error) {
      opened.lock.release();
      throw error;
    }
  };
}

/** A model that is made with its first request. */
function whenAsked(make: () => Model): Model {
  return { stream: async (request, options) => make().stream(request, options) };
}
