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
