import { TroupeError } from '../../core/errors.js';

/** The endpoint answered with 200 and something that is no stream of events: a web page, say. */
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
