/** The contents of the live part of the terminal, below the finished lines. */
import type { LayLines } from '../../approval/ask-place.js';
import type { MenuState } from '../../approval/menu.js';
import type { StyledLine } from '../../output/output-writer.js';
import type { AgentColor } from '../lines/agent-colors.js';
import { EMPTY_EDITOR, type EditorState } from '../editor/editor.js';
import type { Line } from '../lines/line.js';
import type { Popup } from '../editor/popup.js';
import type { VimState } from '../vim/vim-state.js';

/** A tool call that runs, or an agent at work. Times are epoch ms. */
export type LiveCall = {
  readonly id: string;
  /** The tool call that started an agent: the row of the agent stands for both. */
  readonly toolUseId?: string | undefined;
  readonly text: string;
  /** Color of the text, for an agent whose definition names one. */
  readonly color?: AgentColor | undefined;
  /** The call waits for its turn or for a decision. */
  readonly isWaiting?: boolean;
  /** The newest progress. */
  readonly progress?: string | undefined;
  readonly since: number;
};

export type TodoItem = {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
};

/** Facts of the session for the status line. */
export type StatusFacts = {
  readonly mode: string;
  readonly model: string;
  /** Percent of the context window that is left; undefined before the first request. */
  readonly contextLeft: number | undefined;
  readonly tokens: number;
  readonly costUsd: number | undefined;
  readonly agents: number;
};

/** Facts that the session tells the screen; each is replaced as a whole. */
export type LiveFacts = {
  /** Since when the agent works; undefined while it waits for a prompt. */
  readonly workingSince: number | undefined;
  /** Progress message of the command that the agent works on; undefined without one. */
  readonly doing: string | undefined;
  readonly queued: readonly string[];
  /** Sub-agents at work. */
  readonly agents: readonly LiveCall[];
  readonly todos: readonly TodoItem[];
  readonly status: StatusFacts | undefined;
  /** Number of permission requests that wait for the person. */
  readonly requests: number;
  /** IDs of the tool calls and of the agents' tasks whose requests these are. */
  readonly waiting: ReadonlySet<string>;
  /** The lines of the user's own status command; they replace the status line. */
  readonly ownStatus: readonly string[] | undefined;
  /** Lines of the tree of agents; undefined if it is closed. */
  readonly tree: readonly Line[] | undefined;
};

export type ScreenState = LiveFacts & {
  /** Lines of the text that is arriving. */
  readonly tail: readonly Line[];
  readonly calls: readonly LiveCall[];
  readonly editor: EditorState;
  /** The state of vim's keys, if the person uses them. */
  readonly vim: VimState | undefined;
  readonly popup: Popup | undefined;
  readonly dialog: Dialog | undefined;
  /** A short message to the person, until the next key. */
  readonly notice: string;
};

/** A permission request or a question. */
export type Dialog = {
  readonly lines: readonly StyledLine[];
  readonly editor: EditorState;
  /** The choices among the lines, for the arrow keys. */
  readonly menu?: MenuState | undefined;
  /** Lays out the lines for another width; absent if a part of them is finished. */
  readonly lay?: LayLines | undefined;
};

export const NO_FACTS: LiveFacts = {
  workingSince: undefined,
  doing: undefined,
  queued: [],
  agents: [],
  todos: [],
  status: undefined,
  requests: 0,
  waiting: new Set(),
  ownStatus: undefined,
  tree: undefined,
};

export const EMPTY_SCREEN: ScreenState = {
  ...NO_FACTS,
  tail: [],
  calls: [],
  editor: EMPTY_EDITOR,
  vim: undefined,
  popup: undefined,
  dialog: undefined,
  notice: '',
};
