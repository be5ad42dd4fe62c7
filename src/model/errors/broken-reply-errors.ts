import { TroupeError } from '../../core/errors.js';

/**
 * The model's endpoint sent an event that the Messages API does not allow there; `eventType` names it. The stream
 * counts as broken: another attempt may get a complete one.
 */
export class ModelBadAnswerError extends TroupeError {
  override readonly name = 'ModelBadAnswerError';
  readonly code = 'MODEL_BAD_ANSWER';
  readonly eventType: string;

  constructor(eventType: string, problem: string, options?: ErrorOptions) {
    super(
      `The model's answer is invalid: ${eventType} ${problem}. ` +
        'Check that ANTHROPIC_BASE_URL points to an endpoint that speaks the Messages API.',
      { ...options, retryable: true, details: { eventType } },
    );
    this.eventType = eventType;
  }
}

/** A reply ended without `message_stop`: the connection was closed cleanly, but too soon. */
export class ModelEndedEarlyError extends TroupeError {
  override readonly name = 'ModelEndedEarlyError';
  readonly code = 'MODEL_ENDED_EARLY';

  constructor() {
    super("The model's answer ended before its message_stop event.", { retryable: true });
  }
}

/** The endpoint answered with 200, but not with a stream of events: with a web page, for example. */
export class ModelNotAStreamError extends TroupeError {
  override readonly name = 'ModelNotAStreamError';
  readonly code = 'MODEL_NOT_A_STREAM';
  readonly contentType: string;

  constructor(contentType: string) {
    super(
      `The model's endpoint answered with "${contentType}" instead of a stream of events. ` +
        'Check that ANTHROPIC_BASE_URL points to an endpoint that speaks the Messages API.',
      { details: { contentType } },
    );
    this.contentType = contentType;
  }
}

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
