import type { HookSubject } from '../../hooks/hook-cause.js';
import type { Caller } from './caller.js';

/** The agent as hooks see it. */
export function hookSubject({
  origin,
  type,
  depth,
  toolContext,
  judgingContext,
}: Pick<Caller, 'origin' | 'type' | 'depth' | 'toolContext' | 'judgingContext'>): HookSubject {
  return {
    origin,
    agentType: type,
    isRoot: depth === 0,
    cwd: toolContext.files.cwd,
    mode: judgingContext().mode,
  };
}
