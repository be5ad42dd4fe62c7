import { TroupeError } from '../../core/errors.js';

/** A requested sandbox does not work here. Nothing was started: no command runs without the sandbox. */
export class SandboxUnavailableError extends TroupeError {
  override readonly name = 'SandboxUnavailableError';
  readonly code = 'SANDBOX_UNAVAILABLE';

  constructor(mode: string, why: string, help: string) {
    super(`The sandbox "${mode}" does not work here: ${why}. ${help}`, { details: { mode } });
  }
}
