import type { SessionFiles } from '../../../journal/journal.js';
import type { Settings } from '../../options/settings.js';
import type { Model } from '../../../model/model.js';
import type { RateLimits } from '../../../model/errors/rate-limits.js';
import type { ToolReferences } from '../../../model/choice/tool-references.js';
import type { RequestBudgets } from '../../../usage/usage-ledger.js';
import type { EventSink } from '../../services/event-bus.js';
import type { Timers } from '../../services/timers.js';

/** The services for an agent's requests. */
export type SamplingServices = {
  readonly model: Model;
  /** Fallback models while an agent's own model is overloaded, in order. */
  readonly fallbackModels: readonly string[];
  readonly maxTokens: number;
  readonly settings: Settings;
  readonly timers: Timers;
  readonly ledger: RequestBudgets;
  readonly rateLimits: RateLimits;
  readonly toolReferences: ToolReferences;
  readonly bus: EventSink;
  readonly journal: SessionFiles;
};
