import type { AskPlace } from '../../approval/ask-place.js';
import type { StyledLine } from '../../output/output-writer.js';
import type { Key } from '../keys/keys.js';
import type { Candidate } from '../editor/popup.js';
import type { ComingPicture, PromptImage } from '../editor/prompt-images.js';
import type { LiveFacts } from './screen-state.js';

/** The finished lines of a terminal. */
export interface TerminalLines {
  /** Show text of the main agent as it arrives. */
  write(text: string): void;
  /** Finish the text that `write` has begun, if there is any. */
  endLine(): void;
  /** Add one or several finished lines. */
  print(text: string | readonly StyledLine[]): void;
  /** Add a prompt or command to the finished lines. */
  echo(text: string, origin: PromptOrigin): void;
  /** Keep the whole of a shortened text: a key of the live screen prints the newest one. */
  keep(whole: () => readonly StyledLine[]): void;
}

/** The tool calls that a terminal shows. */
export interface TerminalCalls {
  /** Show a tool call, which waits for its turn and for decisions at first. */
  begin(id: string, line: string): void;
  /** The call runs. */
  run(id: string): void;
  /** Show the newest progress of a call. */
  progress(id: string, text: string): void;
  /** The call has ended: its line is finished. */
  end(id: string): void;
}

/** The part of a terminal that shows what happens now, and takes keys. */
export interface LiveScreen {
  /** True if the terminal shows facts that change. */
  readonly isLive: boolean;
  /** Show these facts until they change. */
  show(facts: Partial<LiveFacts>): void;
  /** Say something that only counts now. */
  hint(text: string): void;
  /** Put a text into the line that the person types, in place of the text there. */
  fill(text: string, images?: readonly PromptImage[]): void;
  /**
   * Let Ink draw a node of React until `ended` resolves or the person presses Ctrl-C.
   *
   * @throws UsageError if the terminal draws nothing
   */
  draw(node: unknown, ended: Promise<unknown>): Promise<void>;
  /** Give the keys to a view; undefined gives them back to the editor. */
  focus(takeKey: ((key: Key) => boolean) | undefined): void;
  /** Present height of the terminal. */
  readonly rows: number;
  /** Present width of the terminal. */
  readonly columns: number;
}

/** The terminal of a session: finished lines, what happens now, and the text that the person types. */
export interface Terminal extends AskPlace, TerminalLines, TerminalCalls, LiveScreen {
  /** Draw the prompt, and take keys. */
  start(): void;
  /** Restore the terminal. A second call does nothing. */
  close(): void;
}

/** The origin of a prompt: the command line, the keys or the queue. */
export type PromptOrigin = 'given' | 'typed' | 'queued';

/** Listeners to the keys of a person. */
export type TerminalEvents = {
  /** A typed prompt. Never called while a request is open. */
  readonly onPrompt: (text: string, images?: readonly ComingPicture[]) => void;
  /** Ctrl-C; `drop` discards the typed text. */
  readonly onInterrupt: (draft: { readonly isEmpty: boolean; drop(): void }) => void;
  /** Ctrl-B. */
  readonly onBackground: () => void;
  /** Ctrl-D on an empty line, or the terminal is gone. */
  readonly onEnd: () => void;
};

/** Listeners and completions that only the live screen has. */
export type ScreenEvents = TerminalEvents & {
  /** Escape while the agent works, or without typed text. */
  readonly onEscape: () => void;
  /** Ctrl-T. */
  readonly onTree: () => void;
  /** Whether prompts may have images. */
  readonly takesImages?: boolean;
  /** Whether the keys are those of vim. */
  readonly isVim?: () => boolean;
  /** Shift-Tab. */
  readonly onMode: () => void;
  /** Completions after `/`. */
  readonly commands: () => readonly Candidate[];
  /** Completions after `@`. */
  readonly files: () => Promise<readonly Candidate[]>;
};
