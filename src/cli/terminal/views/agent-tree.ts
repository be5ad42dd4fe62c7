import { messageOf } from '../../../api/errors.js';
import {
  treeOf,
  viewSession,
  type SessionView,
  type ViewState,
} from '../../../api/sessions/session-view.js';
import { oneLine } from '../../../api/text.js';
import type { TaskStatus } from '../../../api/types.js';
import type { Key } from '../keys/keys.js';
import type { LiveScreen } from '../screen/terminal.js';
import { conversationLines, treeLines, treeRows, type TreeRow } from './tree-lines.js';

/** The tree of agents and tasks in the live part. */
export interface AgentTree {
  /** Open or close it. */
  toggle(): void;
  /** Send a typed text to the agent that was chosen for a message. @param images their number: they are not sent @returns true if there was one */
  takePrompt(text: string, images?: number): boolean;
}

/** The actions of the tree on a task. */
export type TreeTask = {
  readonly status: TaskStatus;
  send(text: string): Promise<void>;
  interrupt(): Promise<void> | void;
  background(): Promise<unknown>;
  kill(reason: string): Promise<unknown>;
};
/** The session that the tree shows: one of this process, or of another one. */
export type TreeSession = {
  /** The folder of its journal. */
  readonly directory: string;
  task(id: string): TreeTask | undefined;
};

type Tree = {
  readonly terminal: Pick<LiveScreen, 'show' | 'hint' | 'rows' | 'columns' | 'focus'>;
  readonly session: () => TreeSession;
  isOpen: boolean;
  timer: NodeJS.Timeout | undefined;
  source: { readonly session: TreeSession; readonly view: SessionView } | undefined;
  state: ViewState | undefined;
  rows: readonly TreeRow[];
  selected: number;
  /** The agent whose conversation is shown, and the number of lines below the shown ones. */
  opened: { readonly agentId: string; readonly back: number } | undefined;
  recipient: TreeTask | undefined;
  /** The task that another `k` kills. */
  condemned: string | undefined;
};

const REFRESH_MS = 500;
/** Rows of the screen that the tree leaves for everything else. */
const RESERVED = 8;

export function createAgentTree(terminal: Tree['terminal'], session: () => TreeSession): AgentTree {
  const tree: Tree = {
    terminal,
    session,
    isOpen: false,
    timer: undefined,
    source: undefined,
    state: undefined,
    rows: [],
    selected: 0,
    opened: undefined,
    recipient: undefined,
    condemned: undefined,
  };
  return {
    toggle() {
      if (tree.isOpen) return close(tree);
      tree.isOpen = true;
      terminal.focus((key) => takeKey(tree, key));
      void refresh(tree);
    },
    takePrompt(text, images = 0) {
      const { recipient } = tree;
      tree.recipient = undefined;
      if (recipient === undefined) return false;
      const done =
        images === 0 ? 'The message is sent.' : 'The message is sent without its images.';
      void say(tree, recipient.send(text), done);
      return true;
    },
  };
}

function close(tree: Tree): void {
  Object.assign(tree, { isOpen: false, opened: undefined });
  clearTimeout(tree.timer);
  tree.terminal.show({ tree: undefined });
  tree.terminal.focus(undefined);
}

/** Read what is new in the journal, and draw the tree. */
async function refresh(tree: Tree): Promise<void> {
  const session = tree.session();
  if (tree.source?.session !== session)
    tree.source = { session, view: viewSession(session.directory) };
  tree.state = await tree.source.view.next();
  tree.rows = treeRows(treeOf(tree.state));
  move(tree, 0);
  draw(tree);
  if (tree.isOpen) tree.timer = setTimeout(() => void refresh(tree), REFRESH_MS);
}

function draw({ isOpen, terminal, opened, state, rows, selected }: Tree): void {
  if (!isOpen) return;
  const { columns } = terminal;
  const height = Math.max(terminal.rows - RESERVED, 3);
  const agent = opened === undefined ? undefined : state?.agents.get(opened.agentId);
  const lines =
    agent === undefined || opened === undefined
      ? treeLines(rows, { selected, height, columns, now: Date.now() })
      : conversationLines(agent, { back: opened.back, height, columns });
  terminal.show({ tree: lines });
}

/** Take a key of the tree. @returns false for any other key */
function takeKey(tree: Tree, key: Key): boolean {
  if (key.ctrl || key.meta || !act(tree, key.name)) return false;
  draw(tree);
  return true;
}

function act(tree: Tree, key: string): boolean {
  const node = tree.rows[tree.selected]?.node;
  const found = node === undefined ? undefined : tree.session().task(node.task.state.id);
  const task = found?.status === 'running' ? found : undefined;
  const name = oneLine(node?.agent?.name ?? node?.task.state.description ?? '', 40);
  const { condemned } = tree;
  tree.condemned = undefined;
  switch (key) {
    case 'up':
      move(tree, -1);
      return true;
    case 'down':
      move(tree, 1);
      return true;
    case 'return':
      if (node?.agent !== undefined) tree.opened = { agentId: node.agent.id, back: 0 };
      return true;
    case 'escape':
      if (tree.opened === undefined) close(tree);
      tree.opened = undefined;
      return true;
    case 'm':
      tree.recipient = task;
      if (task !== undefined) close(tree);
      tree.terminal.hint(
        task === undefined
          ? 'This task has ended.'
          : `Type the message to ${name}, and press Enter.`,
      );
      return true;
    case 'b':
      if (task !== undefined) void say(tree, task.background(), `In the background: ${name}`);
      return true;
    case 'i':
      if (task !== undefined) void say(tree, interrupt(task), `Interrupted: ${name}`);
      return true;
    case 'k':
      if (task === undefined || node === undefined) return true;
      if (condemned === node.task.state.id)
        void say(tree, task.kill('the user killed it'), `Killed: ${name}`);
      else {
        tree.condemned = node.task.state.id;
        tree.terminal.hint(`k again kills ${name}, and everything below it.`);
      }
      return true;
    default:
      return false;
  }
}

function move(tree: Tree, by: number): void {
  const { opened, rows, selected } = tree;
  if (opened !== undefined) tree.opened = { ...opened, back: Math.max(opened.back - by, 0) };
  else tree.selected = Math.max(Math.min(selected + by, rows.length - 1), 0);
}

/** Interrupt a task; one of another process may refuse. */
async function interrupt(task: TreeTask): Promise<void> {
  await task.interrupt();
}

async function say({ terminal }: Tree, work: Promise<unknown>, done: string): Promise<void> {
  try {
    await work;
    terminal.hint(done);
  } catch (error) {
    terminal.hint(messageOf(error));
  }
}
