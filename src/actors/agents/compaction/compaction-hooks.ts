import type { CompactionTrigger } from '../../../core/agents/compaction.js';
import type { Failure } from '../../../core/failure.js';
import { textBlock } from '../../../core/messages.js';
import { mergeVerdict, type HookVerdict } from '../../hooks/hook-verdict.js';
import type { OwnFields, EventHooks } from '../../hooks/session-hooks.js';
import type { CompactionOutcome } from '../conversation/compaction-outcome.js';
import { hookCause, type HookedAgent } from '../parts/hook-subject.js';

type CompactionEvent = 'PreCompact' | 'PostCompact' | 'SessionStart';

/** The result of hooks before a compaction. */
export type CompactionAdvice =
  { readonly failure: Failure } | { readonly instructions: string | undefined };

/** The hooks around a compaction. Their effects are a part of its journaled outcome. */
export interface CompactionHooks {
  /** Hooks may prevent the compaction, and add to its instructions. */
  before(instructions: string | undefined): Promise<CompactionAdvice>;
  /** Hooks may add texts for the model to the new beginning. */
  after(outcome: CompactionOutcome): Promise<CompactionOutcome>;
}

export function createCompactionHooks(
  parts: HookedAgent & { readonly model: string },
  hooks: EventHooks | undefined,
  asked: CompactionTrigger,
  signal: AbortSignal,
): CompactionHooks {
  const trigger = asked === 'manual' ? 'manual' : 'auto';

  const run = async <Event extends CompactionEvent>(
    event: Event,
    matched: string,
    own: OwnFields<Event>,
  ): Promise<HookVerdict | undefined> => {
    if (hooks?.hasAny(event) !== true) return undefined;
    const cause = hookCause(parts, [matched]);
    return mergeVerdict(await hooks.run(event, cause, own, signal));
  };

  return {
    async before(instructions) {
      const own = { trigger, custom_instructions: instructions ?? null } as const;
      const said = await run('PreCompact', trigger, own);
      if (said === undefined) return { instructions };
      const { objections, context, stops } = said;
      const why = [...objections, ...(stops === undefined ? [] : [stops])];
      if (why.length > 0)
        return { failure: { code: 'COMPACTION_BLOCKED', message: why.join(' ') } };
      const wishes = [instructions, ...context].filter((text) => text !== undefined);
      return { instructions: wishes.length === 0 ? undefined : wishes.join('\n') };
    },
    async after(outcome) {
      if ('failure' in outcome) return outcome;
      await run('PostCompact', trigger, { trigger, compact_summary: outcome.summary });
      if (parts.depth > 0) return outcome;
      const said = await run('SessionStart', 'compact', { source: 'compact', model: parts.model });
      if (said === undefined || said.context.length === 0) return outcome;
      const message = { role: 'user', content: said.context.map(textBlock) } as const;
      return { ...outcome, result: { ...outcome.result, hookResults: [message] } };
    },
  };
}
