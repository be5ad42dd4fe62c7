import { TroupeError } from '../../core/errors.js';

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
