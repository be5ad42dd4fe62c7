import { hookKey } from '../../../journal/entries/step-key.js';
import type { HookEvent } from '../../../settings/schema/hook-events.js';
import type { HookCause } from '../../hooks/hook-cause.js';
import { mergeVerdict, type HookVerdict } from '../../hooks/hook-verdict.js';
import type { OwnFields, EventHooks } from '../../hooks/session-hooks.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import { hookCause, type HookedAgent } from '../parts/hook-subject.js';

/** The runs of hooks around the turns of one agent. */
export interface HookRuns {
  run<Event extends HookEvent>(
    event: Event,
    own: OwnFields<Event>,
    matched?: HookCause['matched'],
  ): Promise<HookVerdict>;
  /** Journal an outcome once for its cause. */
  once<T>(event: HookEvent, cause: string, ask: () => Promise<T>): Promise<T>;
  /** The signal of the runs that begin now. */
  readonly signal: AbortSignal;
  /** Forget an earlier abort. */
  renew(): void;
  abort(): void;
}

export function createHookRuns(
  parts: HookedAgent & { readonly stepContext: AgentContext },
  hooks: EventHooks | undefined,
): HookRuns {
  let controller = new AbortController();
  return {
    get signal() {
      return controller.signal;
    },
    renew: () => void (controller = new AbortController()),
    abort: () => controller.abort(new DOMException('The agent was stopped.', 'AbortError')),
    async run(event, own, matched = []) {
      if (hooks?.hasAny(event) !== true) return mergeVerdict([]);
      const cause = hookCause(parts, matched);
      return mergeVerdict(await hooks.run(event, cause, own, controller.signal));
    },
    once: (event, cause, ask) =>
      parts.stepContext.step(hookKey(event, cause), ask, { isHarmless: true }),
  };
}
