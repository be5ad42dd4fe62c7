import { isDeepStrictEqual } from 'node:util';
import type { PreparedRun } from '../run/prepare-run.js';
import type { Terminal } from '../terminal/screen/terminal.js';
import type { StatusLine } from './status-line.js';

/** The line of a command of the user, by the present settings. A session without one loads no code for it. */
export function followStatusLine(
  { followed, options: { context, env = {} } }: Pick<PreparedRun, 'followed' | 'options'>,
  cwd: string,
  terminal: Pick<Terminal, 'isLive' | 'print' | 'show'>,
): Pick<StatusLine, 'update'> {
  let setting: typeof followed.statusLine;
  let line: StatusLine | undefined;
  const print = (text: string): void =>
    terminal.isLive ? terminal.show({ ownStatus: text.split('\n') }) : terminal.print(text);

  const renew = async (): Promise<void> => {
    line?.stop();
    line = undefined;
    setting = followed.statusLine;
    const { type, command = '', padding = 0, refreshInterval } = setting ?? {};
    if (type !== 'command' || command === '') {
      if (terminal.isLive) terminal.show({ ownStatus: setting && [] });
      return;
    }
    const { createStatusLine } = await import('./status-line.js');
    const style = context?.outputStyle?.name;
    line = createStatusLine({ command, padding, refreshInterval }, { cwd, env, style, print });
  };
  return {
    async update(session) {
      if (!isDeepStrictEqual(setting, followed.statusLine)) await renew();
      line?.update(session);
    },
  };
}
