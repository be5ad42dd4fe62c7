import { UsageError } from '../../core/errors.js';
import { requireSendable } from './require-sendable.js';
import { ModelKeyHelperError } from '../errors/model-key-helper-error.js';
import type { Environment } from '../../files/folders.js';

/** Prints a key, as the command of the setting `apiKeyHelper` does. */
export type PrintKey = {
  (signal: AbortSignal): Promise<string>;
  /** The command at present; a key of another one is not used any more. */
  readonly command?: string | undefined;
  /** The environment at present, which says how long a key holds. */
  readonly env?: Environment | undefined;
};

/** The key of a helper, for as long as it is valid. */
export interface KeyCache {
  /** Run the helper if no key is known. Concurrent callers share its key. */
  get(signal: AbortSignal): Promise<string>;
  /** The endpoint has refused this key: the next caller gets a new one. */
  drop(key: string): void;
}

const DEFAULT_TTL_MS = 300_000;
const TTL_VARIABLE = 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS';

/**
 * @param ttlMs returns how long a key holds, ms; called at each use
 * @param now ms of a monotonic clock
 */
export function createKeyCache(
  print: PrintKey,
  ttlMs: () => number,
  now: () => number = () => performance.now(),
): KeyCache {
  let kept: (Pick<PrintKey, 'command'> & { readonly key: string; readonly at: number }) | undefined;
  let running: { readonly key: Promise<string>; readonly signal: AbortSignal } | undefined;

  const run = async (signal: AbortSignal): Promise<string> => {
    const { command } = print;
    const key = (await print(signal)).trim();
    if (key === '') throw new ModelKeyHelperError('it printed nothing');
    requireSendable(key, () => new ModelKeyHelperError(UNSENDABLE));
    kept = { key, command, at: now() };
    return key;
  };

  return {
    async get(signal) {
      for (;;) {
        signal.throwIfAborted();
        if (kept !== undefined && now() < kept.at + ttlMs() && kept.command === print.command)
          return kept.key;
        if (running === undefined) {
          const key = run(signal).finally(() => (running = undefined));
          running = { key, signal };
          return key;
        }
        const other = running;
        try {
          return await other.key;
        } catch (error) {
          if (!other.signal.aborted) throw error; // otherwise the helper was ended for that caller alone
        }
      }
    },
    drop(key) {
      if (kept?.key === key) kept = undefined;
    },
  };
}

const UNSENDABLE = 'it printed more than one line, or a character that a header cannot have';

/** How long a key is valid, ms: five minutes, or the value of the environment. @throws UsageError */
export function keyTtlMs(env: Environment): number {
  const text = env[TTL_VARIABLE];
  if (!text) return DEFAULT_TTL_MS;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(
    `${TTL_VARIABLE} is "${text}": set a number of milliseconds, such as 300000.`,
  );
}
