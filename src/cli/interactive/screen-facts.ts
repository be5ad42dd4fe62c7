import type { AskHandler, PermissionRequest, SessionHandle } from '../../api/types.js';
import type { AgentTree } from '../terminal/views/agent-tree.js';
import type { askAtTerminal } from './ask-at-terminal.js';
import type { Candidate } from '../terminal/editor/popup.js';
import type { LiveScreen, Terminal } from '../terminal/screen/terminal.js';

/** Show how many requests wait, and which calls and agents wait for them. */
export function counted(ask: AskHandler, terminal: Pick<LiveScreen, 'show'>): AskHandler {
  const open = new Set<PermissionRequest>();
  const tell = (): void =>
    terminal.show({
      requests: open.size,
      waiting: new Set([...open].flatMap(({ toolUseId, taskId }) => [toolUseId, taskId])),
    });
  return async (request, options) => {
    open.add(request);
    tell();
    try {
      return await ask(request, options);
    } finally {
      open.delete(request);
      tell();
    }
  };
}

/** Ask the person at the terminal, by code that is loaded with the first request. */
export function lazyAsk(...given: Parameters<typeof askAtTerminal>): AskHandler {
  let handler: Promise<AskHandler> | undefined;
  const load = async (): Promise<AskHandler> => {
    const { askAtTerminal } = await import('./ask-at-terminal.js');
    return askAtTerminal(...given);
  };
  return async (...asked) => (await (handler ??= load()))(...asked);
}

/** Files that complete a word after `@`. */
export async function filesOf(cwd: string): Promise<readonly Candidate[]> {
  const { listFiles } = await import('../../api/files/list-files.js');
  const files = await listFiles(cwd, AbortSignal.timeout(LIST_MS));
  return files.map((value) => ({ value, hint: '' }));
}

const LIST_MS = 5_000;

/** The tree of agents, whose code is loaded when it is first opened. */
export function lazyTree(terminal: Terminal, session: () => SessionHandle | undefined): AgentTree {
  let tree: AgentTree | undefined;
  const toggle = async (): Promise<void> => {
    const first = session();
    if (first === undefined) return;
    const { createAgentTree } = await import('../terminal/views/agent-tree.js');
    tree ??= createAgentTree(terminal, () => session() ?? first);
    tree.toggle();
  };
  return {
    toggle: () => void toggle(),
    takePrompt: (text, images) => tree?.takePrompt(text, images) ?? false,
  };
}

type Resumption = { readonly resume?: string; readonly continues?: boolean };

function isResumed({ resume, continues }: Resumption): boolean {
  return resume !== undefined || continues === true;
}

/** Show the last prompt of a resumed session, and its answer. */
export async function recall(
  start: Resumption,
  { directory }: Pick<SessionHandle, 'directory'>,
  terminal: Terminal,
): Promise<void> {
  if (!terminal.isLive || !isResumed(start)) return;
  const { readLastExchange } = await import('../terminal/views/last-exchange.js');
  const last = await readLastExchange(directory).catch(() => undefined); // the session says what is wrong
  if (last === undefined) return;
  terminal.echo(last.prompt, 'typed');
  terminal.write(last.answer);
  terminal.endLine();
}
