import { TroupeError } from '../../core/errors.js';

/** The model's endpoint redirects to another origin. The request has the conversation, so it does not follow. */
export class ModelRedirectedError extends TroupeError {
  override readonly name = 'ModelRedirectedError';
  readonly code = 'MODEL_REDIRECTED';
  readonly origin: string;
  readonly target: string;

  /** @param target origin of the address that the endpoint names */
  constructor(origin: string, target: string) {
    super(
      `The model's endpoint ${origin} redirects to another origin, ${target}, and Troupe does not send the ` +
        `conversation there. If you trust it, set ANTHROPIC_BASE_URL to ${target} and the path of its Messages API.`,
      { details: { origin, target } },
    );
    this.origin = origin;
    this.target = target;
  }
}
