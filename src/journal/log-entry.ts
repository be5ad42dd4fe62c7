import type { Envelope } from '../core/events.js';

/** Whose line it is. */
export type LogSpeaker = {
  readonly agentId: string;
  /** The agent's name, or its type where it has none. */
  readonly agent: string;
};

/** One thing that happened in a session. Times are epoch ms. */
export type LogEntry = { readonly at: number } & (
  | (LogSpeaker &
      (
        | { readonly type: 'started'; readonly agentType: string; readonly model: string }
        | { readonly type: 'resumed'; readonly model: string }
        /** It begins as a copy of the agent with the id `from`. */
        | { readonly type: 'forked'; readonly from: string }
        /** What was accepted for the agent: from `user`, or from an agent or a task. */
        | {
            readonly type: 'mail';
            readonly kind: Envelope['kind'];
            readonly from: string;
            readonly text: string;
          }
        | { readonly type: 'thinking'; readonly text: string }
        | { readonly type: 'text'; readonly text: string }
        | {
            readonly type: 'tool_use';
            readonly toolUseId: string;
            readonly tool: string;
            readonly input: unknown;
          }
        | {
            readonly type: 'tool_result';
            readonly toolUseId: string;
            readonly tool: string;
            readonly text: string;
            readonly isError: boolean;
          }
        | LogDecision
        /** The model could not answer. */
        | { readonly type: 'failure'; readonly code: string; readonly message: string }
        | { readonly type: 'ended'; readonly status: string }
        /** A message that it had not taken when it ended. */
        | { readonly type: 'unread'; readonly from: string; readonly text: string }
      ))
  /** A task that was live when its process ended. */
  | { readonly type: 'lost'; readonly taskId: string; readonly message: string }
  /** A line that cannot be read; its time is that of the line before it. */
  | {
      readonly type: 'damaged';
      readonly file: string;
      readonly line: number;
      readonly message: string;
    }
);

export type LogDecision = {
  readonly type: 'decision';
  readonly toolUseId: string;
  readonly tool: string;
  readonly behavior: string;
  /** Who decided: `rules` and modes, a person, a program, a policy. */
  readonly by: string;
  /** How long the ask waited. */
  readonly waitedMs?: number;
  readonly input: unknown;
};
