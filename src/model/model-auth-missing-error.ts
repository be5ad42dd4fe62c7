import { TroupeError } from '../core/errors.js';

/** There is nothing to sign requests with. */
export class ModelAuthMissingError extends TroupeError {
  override readonly name = 'ModelAuthMissingError';
  readonly code = 'MODEL_AUTH_MISSING';

  constructor(env: Readonly<Record<string, string | undefined>> = {}) {
    const unused = env['CLAUDE_CODE_OAUTH_TOKEN']
      ? ' CLAUDE_CODE_OAUTH_TOKEN has no effect here: it belongs to Claude Code.'
      : '';
    super(
      'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), ' +
        `or run without a network: --model scripted:FILE.${unused} The setting apiKeyHelper has no effect.`,
      { recoverable: true },
    );
  }
}
