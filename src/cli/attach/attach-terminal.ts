import { setTimeout as wait } from 'node:timers/promises';
import { isInsideTroupe } from '../../api/control/inside-troupe.js';
import { messageOf } from '../../api/errors.js';
import { isTerminalTaskStatus } from '../../api/messages.js';
import type { ViewState } from '../../api/sessions/session-view.js';
import { oneLine, printable } from '../../api/text.js';
import type { Environment, PermissionRequest } from '../../api/types.js';
import type { Target } from '../control/find-target.js';
import type { SeenTroupe } from '../control/running.js';
import { askAtTerminal } from '../interactive/ask-at-terminal.js';
import { filesOf } from '../interactive/screen-facts.js';
import { agentLabel } from '../summaries/tool-subject.js';
import { openStdout } from '../output/output-writer.js';
import { createAgentTree, type AgentTree } from '../terminal/views/agent-tree.js';
import { openTerminal } from '../terminal/open-terminal.js';
import type { Terminal } from '../terminal/screen/terminal.js';
import { createConversation } from './follow-conversation.js';
import { findNode, liveFactsOf } from './live-facts.js';
import { followRequests } from './remote-requests.js';
import { openRemoteSession, VIEW_ONLY, type RemoteSession } from './remote-session.js';

/** The followed agent, and the process that it runs in. */
export type Attached = Target & {
  readonly sessionId: string;
  readonly agentId: string;
  readonly seen: SeenTroupe;
};

type Attachment = {
  readonly target: Attached;
  readonly session: RemoteSession;
  readonly terminal: Terminal;
  readonly isViewOnly: boolean;
  readonly tree: AgentTree;
  /** Leave: the session continues. */
  readonly leave: () => void;
};

const LOOK_MS = 200;
const HELP = [
  'Enter sends a message, Esc interrupts the agent, Ctrl-T shows the tree, Ctrl-O the whole of the newest result.',
  'Ctrl-C or Ctrl-D leaves: the session continues. Its commands, its mode and !commands are at its own terminal.',
].join('\n');

/**
 * Follow a running session or agent at a terminal: its conversation, the rows of its agents, its requests. Typed text is a
 * message to it. Resolve when it has ended, or when the person leaves.
 */
export async function attachTerminal(
  target: Attached,
  env: Environment,
  { isViewOnly }: { readonly isViewOnly: boolean },
): Promise<void> {
  const { troupe } = target;
  const left = new AbortController();
  const leave = (): void => left.abort();
  const session = openRemoteSession(target.sessionId, { troupe, env, canAct: !isViewOnly });
  const out = openStdout();
  const terminal: Terminal = await openTerminal({
    input: process.stdin,
    output: out,
    cwd: troupe.cwd,
    env,
    commands: () => [
      { value: 'help', hint: 'the keys' },
      { value: 'exit', hint: 'leaves; the session continues' },
    ],
    files: () => filesOf(troupe.cwd),
    onEscape: () => interrupt(attachment),
    onMode: () => terminal.hint('The mode is changed at the terminal of the session.'),
    onTree: () => tree.toggle(),
    onPrompt: (text) => submit(attachment, text),
    onInterrupt: (draft) => (draft.isEmpty ? leave() : draft.drop()),
    onBackground: () => moveToBackground(attachment),
    onEnd: leave,
  });
  const tree = createAgentTree(terminal, () => session);
  const attachment: Attachment = { target, session, terminal, isViewOnly, tree, leave };
  process.once('exit', terminal.close);
  await out.text(greeting(target, isViewOnly));
  try {
    terminal.start();
    const end = await follow(attachment, left.signal, canDecide(env, isViewOnly));
    terminal.close();
    await out.text(end ?? `It continues: troupe attach ${target.task}`);
  } finally {
    terminal.close();
    process.off('exit', terminal.close);
  }
}

/** An agent can start a terminal, and must not decide on its own requests there. */
function canDecide(env: Environment, isViewOnly: boolean): boolean {
  return !isViewOnly && !isInsideTroupe(env);
}

function greeting({ troupe, kind, agentId }: Attached, isViewOnly: boolean): string {
  const what = kind === 'session' ? 'the session' : oneLine(agentLabel(agentId), 60);
  const how = isViewOnly ? 'Looking at' : 'Attached to';
  return `${how} ${what} in ${oneLine(troupe.cwd, Infinity)} · /help tells more`;
}

/** Show what is new until the task has ended or the person leaves. @returns how it ended; undefined if the person has left */
async function follow(
  { target, session, terminal }: Attachment,
  signal: AbortSignal,
  canAnswer: boolean,
): Promise<string | undefined> {
  const { seen, agentId, task } = target;
  let state: ViewState = await session.next();
  const asked = followRequests({
    seen,
    isOurs: ({ path, taskId }) => isBelow(state, task, [taskId, ...path.map(({ actor }) => actor)]),
    ask: canAnswer
      ? askAtTerminal(terminal, {
          folderFile: '',
          tasks: () => [...state.tasks.values()].map((one) => one.state),
        })
      : undefined,
    print: terminal.print,
  });
  const conversation = createConversation(terminal);
  let waiting: readonly PermissionRequest[] = [];
  let failure: unknown;
  try {
    for (;;) {
      const agent = state.agents.get(agentId);
      if (agent !== undefined) conversation.show(agent);
      const node = findNode(state, task);
      if (node !== undefined) terminal.show(liveFactsOf(node, waiting));
      const status = node?.task.state.status ?? 'running';
      if (isTerminalTaskStatus(status)) return `It has ended: ${status}.`;
      if (failure !== undefined)
        return `The session cannot be followed any more: ${messageOf(failure)}`;
      await wait(LOOK_MS, undefined, { signal });
      try {
        waiting = await asked.look(state);
        conversation.arrive(String(await seen.troupe.ask({ method: 'reply', task })));
      } catch (error) {
        failure = error; // the journal may have the end of the session
      }
      state = await session.next();
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    asked.close();
  }
}

/** Whether one of these actors is the task, or a task below it. */
function isBelow({ tasks }: ViewState, task: string, actors: readonly string[]): boolean {
  const parents = new Map<string, string | undefined>(
    [...tasks.values()].map(({ state }) => [state.id, state.parentId]),
  );
  const isIn = (id: string | undefined): boolean =>
    id !== undefined && (id === task || isIn(parents.get(id)));
  return actors.some(isIn);
}

function submit(
  { tree, session, target, terminal, isViewOnly, leave }: Attachment,
  text: string,
): void {
  if (tree.takePrompt(text)) return;
  const line = text.trim();
  if (['/exit', '/quit'].includes(line)) return leave();
  if (['/help', '/?', '?'].includes(line)) return terminal.print(HELP);
  if (isViewOnly) return terminal.hint(VIEW_ONLY);
  if (/^(?:!|\/[\w-]+(?:\s|$))/.test(line))
    return terminal.hint('Commands are typed at the terminal of the session.');
  void tell(terminal, session.task(target.task)?.send(text), '');
}

function interrupt({ session, target, terminal }: Attachment): void {
  void tell(terminal, session.task(target.task)?.interrupt(), '');
}

/** Move the tasks that the agent waits for to the background. */
async function backgroundAll({ session, target }: Attachment): Promise<void> {
  const { tasks } = session.state();
  const mine = [...tasks.values()].filter(
    ({ state: { parentId, status, isBackgrounded } }) =>
      parentId === target.task && status === 'running' && isBackgrounded === false,
  );
  for (const { state } of mine) await session.task(state.id)?.background();
}

function moveToBackground(attachment: Attachment): void {
  void tell(attachment.terminal, backgroundAll(attachment), 'In the background now.');
}

/** Say if an action has failed, and what it has done. */
async function tell(terminal: Terminal, work: Promise<void> | void, done: string): Promise<void> {
  try {
    await work;
    if (done !== '') terminal.hint(done);
  } catch (error) {
    terminal.print(printable(messageOf(error)));
  }
}
