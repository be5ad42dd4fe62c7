import type { ModelCall } from '../../../core/tasks/usage.js';
import type { CompactionResult } from '../../../core/agents/compaction.js';
import type { Failure } from '../../../core/failure.js';

/** The journaled outcome of a compaction. */
export type CompactionOutcome = { readonly calls: readonly ModelCall[] } & (
  { readonly result: CompactionResult; readonly summary: string } | { readonly failure: Failure }
);
