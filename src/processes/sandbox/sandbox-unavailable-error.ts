import { TroupeError } from '../../core/errors.js';

/** A sandbox was asked for and does not work here. Nothing was started, and nothing runs without it. */
export class SandboxUnavailableError extends TroupeError {
  override readonly name = 'SandboxUnavailableError';
  readonly code = 'SANDBOX_UNAVAILABLE';

  constructor(mode: string, why: string, help: string) {
    super(`The sandbox "${mode}" does not work here: ${why}. ${help}`, { details: { mode } });
  }
}
