import { TroupeError } from '../../core/errors.js';

/** The command of the setting `apiKeyHelper` gave no key. The message never has the command, which may contain one. */
export class ModelKeyHelperError extends TroupeError {
  override readonly name = 'ModelKeyHelperError';
  readonly code = 'MODEL_KEY_HELPER';

  constructor(why: string, options?: ErrorOptions) {
    super(
      `The command of the setting apiKeyHelper gave no key: ${why}. It must print only the key: run it yourself to see its output.`,
      { ...options, recoverable: true },
    );
  }
}
