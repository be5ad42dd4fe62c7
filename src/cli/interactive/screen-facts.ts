import type { AskHandler } from '../../api/types.js';
import type { Candidate } from '../terminal/popup.js';
import type { Terminal } from '../terminal/terminal.js';

/** Show how many requests wait. */
export function counted(ask: AskHandler, terminal: Pick<Terminal, 'show'>): AskHandler {
  let requests = 0;
  const change = (by: number): void => terminal.show({ requests: (requests += by) });
  return async (...request) => {
    change(1);
    try {
      return await ask(...request);
    } finally {
      change(-1);
    }
  };
}

/** Files that complete a word after `@`. */
export async function filesOf(cwd: string): Promise<readonly Candidate[]> {
  const { listFiles } = await import('../../api/list-files.js');
  const files = await listFiles(cwd, AbortSignal.timeout(LIST_MS));
  return files.map((value) => ({ value, hint: '' }));
}

const LIST_MS = 5_000;
