import type { Failure } from './failure.js';

/** How bad an error is for the person who runs Troupe; `fatal` ends the process. */
export type ErrorSeverity = 'info' | 'warning' | 'error' | 'fatal';

/** Facts of an error besides its message. */
export type TroupeErrorOptions = ErrorOptions & {
  /** Facts of the error, by name. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Place of the error: IDs, paths, names. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** `error` if absent. */
  readonly severity?: ErrorSeverity;
  /** Whether the caller can continue in another way; false if absent. */
  readonly recoverable?: boolean;
  /** Whether the same call may succeed later; false if absent. */
  readonly retryable?: boolean;
};

/**
 * The base class of all errors. `code` is stable and documented; the message says what happened and what would work. A
 * subclass is beside the code that throws it.
 */
export abstract class TroupeError extends Error {
  /** Name of the class. */
  abstract override readonly name: string;
  /** Stable code of the error, listed in `docs/reference/errors.md`. */
  abstract readonly code: string;
  /** How bad the error is. */
  readonly severity: ErrorSeverity;
  /** Whether the caller can continue in another way: with other input or another tool. */
  readonly recoverable: boolean;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** Facts of the error, by name. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Place of the error: IDs, paths, names. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Epoch ms. */
  readonly timestamp: number = Date.now();

  constructor(message: string, options: TroupeErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.severity = options.severity ?? 'error';
    this.recoverable = options.recoverable ?? false;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
    this.context = options.context ?? {};
  }
}

const FACTS = ['code', 'severity', 'recoverable', 'retryable'];

/** Whether Troupe threw the error, or it has the same facts: another copy of the package has other classes. */
export function isTroupeError(error: unknown): error is TroupeError {
  return (
    error instanceof TroupeError ||
    (typeof error === 'object' && error !== null && FACTS.every((fact) => fact in error))
  );
}

/** Whether the caller can continue in another way. */
export function isRecoverableError(error: unknown): boolean {
  return isTroupeError(error) && error.recoverable;
}

/** Whether the same call may succeed later. */
export function isRetryableError(error: unknown): boolean {
  return isTroupeError(error) && error.retryable;
}

const UNTELLABLE = 'The thrown value cannot be turned into text.';

/** Return the message of a thrown value. Never throws: a program can throw anything. */
export function messageOf(error: unknown): string {
  return textOfThrown(() => (error instanceof Error ? error.message : error));
}

/** The same with the name of the error in front. */
export function nameAndMessageOf(error: unknown): string {
  return textOfThrown(() => error);
}

function textOfThrown(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return UNTELLABLE;
  }
}

/** Return the thrown value, or an Error in its place if it cannot be read: a proxy whose traps throw, for example. */
export function toReadable(error: unknown): unknown {
  try {
    String(error instanceof Error ? error.message : error);
    return error;
  } catch {
    return new Error(UNTELLABLE);
  }
}

/** Turn an error into data, for an outcome, an event or a journal line. Never throws. */
export function toFailure(error: unknown): Failure {
  const message = messageOf(error);
  try {
    if (isTroupeError(error)) {
      const { code, details = {} } = error; // an error of another program may have none
      return Object.keys(details).length === 0 ? { code, message } : { code, message, details };
    }
    if (error instanceof Error && 'code' in error && typeof error.code === 'string')
      return { code: error.code, message };
  } catch {
    // an unreadable value has no code
  }
  return { code: 'UNEXPECTED', message };
}

/** The failure of an outcome as an error, for a promise that rejects. */
export class TaskFailedError extends TroupeError {
  override readonly name = 'TaskFailedError';
  /** Stable code in upper snake case, such as `MODEL_OVERLOADED`. */
  readonly code: string;

  constructor(failure: Failure) {
    super(failure.message, failure.details === undefined ? {} : { details: failure.details });
    this.code = failure.code;
  }
}

/** The place of a fault in a file. */
export type FaultPlace = {
  /** File that has the fault. */
  readonly file?: string;
  /** Line of the fault, from 1. */
  readonly line?: number;
  /** Column of the fault, from 1. */
  readonly column?: number;
};

/** An invalid flag, setting, file or option. The command exits with 2. */
export class UsageError extends TroupeError {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
  /** File that has the fault. */
  readonly file: string | undefined;
  /** Line of the fault, from 1. */
  readonly line: number | undefined;
  /** Column of the fault, from 1. */
  readonly column: number | undefined;

  /** @param place shown in front of the message as `file:line:column` */
  constructor(message: string, place: FaultPlace = {}, options?: TroupeErrorOptions) {
    const at = [place.file, place.line, place.column].filter((part) => part !== undefined);
    super(at.length === 0 ? message : `${at.join(':')}: ${message}`, options);
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
  }
}

/** The recipient does not exist or has ended. The message names the recipients that exist. */
export class UnknownRecipientError extends TroupeError {
  override readonly name = 'UnknownRecipientError';
  readonly code = 'UNKNOWN_RECIPIENT';
  /** Name or ID that was addressed. */
  readonly recipient: string;

  constructor(recipient: string, why: string) {
    super(`The message was not sent: ${why}`, { recoverable: true, details: { recipient } });
    this.recipient = recipient;
  }
}
