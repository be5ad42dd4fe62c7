import type { ModelCall } from '../../../core/tasks/usage.js';
import type { CompactionResult } from '../../../core/agents/compaction.js';
import type { Failure } from '../../../core/failure.js';

/** How a compaction went, as it is journaled. */
export type CompactionOutcome = { readonly calls: readonly ModelCall[] } & (
  { readonly result: CompactionResult; readonly summary: string } | { readonly failure: Failure }
);
