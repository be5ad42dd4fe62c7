import { TroupeError } from '../../core/errors.js';
import type { Environment } from '../../files/folders.js';

/** There is no key to sign requests with. */
export class ModelAuthMissingError extends TroupeError {
  override readonly name = 'ModelAuthMissingError';
  readonly code = 'MODEL_AUTH_MISSING';

  /**
   * @param instead alternatives without a key, in the words of a program or of the command line
   * @param helperWaitsIn file with the setting apiKeyHelper, if that waits until its folder is trusted
   */
  constructor(
    env: Environment = {},
    instead = 'give createOrchestrator a `model`',
    helperWaitsIn?: string,
  ) {
    const unused = env['CLAUDE_CODE_OAUTH_TOKEN']
      ? ' CLAUDE_CODE_OAUTH_TOKEN has no effect here: it belongs to Claude Code.'
      : '';
    const waits =
      helperWaitsIn === undefined
        ? ''
        : ` The setting apiKeyHelper of ${helperWaitsIn} waits until this folder is trusted: check it, then run "troupe trust".`;
    super(
      'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), ' +
        `or ${instead}.${unused}${waits}`,
      { recoverable: true },
    );
  }
}
