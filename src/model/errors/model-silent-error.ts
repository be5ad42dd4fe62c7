import { TroupeError } from '../../core/errors.js';

/** A stream that stays open without any event, not even a ping. */
export class ModelSilentError extends TroupeError {
  override readonly name = 'ModelSilentError';
  readonly code = 'MODEL_SILENT';
  readonly silentMs: number;

  constructor(silentMs: number, hasBegun: boolean) {
    const seconds = Math.round(silentMs / 1_000);
    super(
      hasBegun
        ? `The model's answer stopped: nothing has arrived for ${seconds} s.`
        : `The model has not begun to answer within ${seconds} s.`,
      { retryable: true, details: { silentMs } },
    );
    this.silentMs = silentMs;
  }
}
