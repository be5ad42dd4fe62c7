import type { KeyboardInput } from '../plain/line-editor.js';
import type { Environment } from '../../../api/types.js';
import { BRACKETED_PASTE } from '../keys/key-filter.js';
import { keyCodesOf } from '../keys/plain-codes.js';
import type { OutputWriter } from '../../output/output-writer.js';
import { createKeyReader, type Key } from '../keys/keys.js';

/** Hold the terminal in raw mode. */
export function holdTerminal(
  {
    input,
    output,
    env,
    onEnd,
  }: {
    readonly input: KeyboardInput;
    readonly output: Pick<OutputWriter, 'control' | 'stream'>;
    readonly env: Environment;
    readonly onEnd: () => void;
  },
  { onKey, isClosed }: { readonly onKey: (key: Key) => void; readonly isClosed: () => boolean },
) {
  const read = createKeyReader((key) => {
    if (!isClosed()) onKey(key);
  });
  const codes = keyCodesOf(env);
  let isHeld = false;
  const onGone = (): void => {
    if (!isClosed()) onEnd();
  };
  return {
    take(): void {
      if (isHeld) return;
      isHeld = true;
      // The terminal is gone. The listeners stay: to restore it fails then too.
      if (!input.listeners('error').includes(onGone)) {
        input.on('error', onGone);
        output.stream.on('error', onGone);
      }
      input.setRawMode?.(true);
      void output.control(BRACKETED_PASTE.on + codes.on);
    },
    /** Keys typed before wait in the terminal. */
    listen(): void {
      input.on('data', read);
      input.on('end', onGone);
      input.resume(); // an earlier question may have paused it
    },
    giveBack(): void {
      input.off('data', read);
      input.off('end', onGone);
      input.pause();
      if (!isHeld) return;
      isHeld = false;
      input.setRawMode?.(false);
      void output.control(codes.off + BRACKETED_PASTE.off);
    },
  };
}
