import { TroupeError } from '../core/errors.js';

/** There is nothing to sign requests with. */
export class ModelAuthMissingError extends TroupeError {
  override readonly name = 'ModelAuthMissingError';
  readonly code = 'MODEL_AUTH_MISSING';

  constructor() {
    super(
      'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), ' +
        'or run without a network: --model scripted:FILE.',
      { recoverable: true },
    );
  }
}
