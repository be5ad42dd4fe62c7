import type { SessionHandle } from '../../../api/types.js';
import { statusFacts } from '../screen/status-facts.js';
import type { Terminal } from '../screen/terminal.js';

const STATUS_MS = 500;

/** Keep the status line and the rows of tool calls true: facts are read at most twice a second. */
export function createLiveStatus(
  terminal: Pick<Terminal, 'isLive' | 'run' | 'show'>,
  session: Parameters<typeof statusFacts>[0] & Pick<SessionHandle, 'events'>,
): { touch(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    terminal.show({ status: statusFacts(session) });
  };
  session.events.on('tool.running', (_, id) => terminal.run(id));
  return {
    touch() {
      if (terminal.isLive) timer ??= setTimeout(tell, STATUS_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
