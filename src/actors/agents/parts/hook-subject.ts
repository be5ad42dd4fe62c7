import type { HookCause, HookSubject } from '../../hooks/hook-cause.js';
import type { Caller } from './caller.js';

/** An agent that hooks hear of. */
export type HookedAgent = Pick<
  Caller,
  'activeSkills' | 'depth' | 'effort' | 'judgingContext' | 'origin' | 'toolContext' | 'type'
>;

/** The agent as hooks see it. */
export function hookSubject({
  origin,
  type,
  depth,
  toolContext,
  judgingContext,
  activeSkills,
  effort,
}: HookedAgent): HookSubject {
  return {
    origin,
    agentType: type,
    isRoot: depth === 0,
    cwd: toolContext.files.cwd,
    mode: judgingContext().mode,
    effort: activeSkills.effort() ?? effort,
  };
}

/** The agent as the reason why hooks run. */
export function hookCause(agent: HookedAgent, matched: HookCause['matched'] = []): HookCause {
  return { ...hookSubject(agent), matched };
}
