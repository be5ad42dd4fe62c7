import type { Envelope } from '../core/events.js';

/** Whose line it is. */
export type LogSpeaker = {
  /** ID of the agent. */
  readonly agentId: string;
  /** The agent's name, or its type where it has none. */
  readonly agent: string;
};

/** One thing that happened in a session. Times are epoch ms. */
export type LogEntry = {
  /** When it happened, epoch ms. */
  readonly at: number;
} & (
  | (LogSpeaker &
      (
        | {
            readonly type: 'started';
            /** Type of the agent. */
            readonly agentType: string;
            /** Model of the agent. */
            readonly model: string;
          }
        | {
            readonly type: 'resumed';
            /** Model of the agent. */
            readonly model: string;
          }
        /** It begins as a copy of the agent with the id `from`. */
        | {
            readonly type: 'forked';
            /** Sender, or the agent that was copied. */
            readonly from: string;
          }
        /** What was accepted for the agent: from `user`, or from an agent or a task. */
        | {
            readonly type: 'mail';
            /** What kind of message it is. */
            readonly kind: Envelope['kind'];
            /** Sender, or the agent that was copied. */
            readonly from: string;
            /** The text. */
            readonly text: string;
          }
        | {
            readonly type: 'thinking';
            /** The text. */
            readonly text: string;
          }
        | {
            readonly type: 'text';
            /** The text. */
            readonly text: string;
          }
        | {
            readonly type: 'tool_use';
            /** ID of the tool call. */
            readonly toolUseId: string;
            /** Name of the tool. */
            readonly tool: string;
            /** Input of the call. */
            readonly input: unknown;
          }
        | {
            readonly type: 'tool_result';
            /** ID of the tool call. */
            readonly toolUseId: string;
            /** Name of the tool. */
            readonly tool: string;
            /** The text. */
            readonly text: string;
            /** Whether the call failed. */
            readonly isError: boolean;
          }
        | LogDecision
        /** The model could not answer. */
        | {
            readonly type: 'failure';
            /** Code of the failure. */
            readonly code: string;
            /** What happened, in words. */
            readonly message: string;
          }
        | {
            readonly type: 'ended';
            /** How it ended. */
            readonly status: string;
          }
        /** A message that it had not taken when it ended. */
        | {
            readonly type: 'unread';
            /** Sender, or the agent that was copied. */
            readonly from: string;
            /** The text. */
            readonly text: string;
          }
      ))
  /** A task that was live when its process ended. */
  | {
      readonly type: 'lost';
      /** ID of the task. */
      readonly taskId: string;
      /** What happened, in words. */
      readonly message: string;
    }
  /** A line that cannot be read; its time is that of the line before it. */
  | {
      readonly type: 'damaged';
      /** File that cannot be read. */
      readonly file: string;
      /** Line that cannot be read, from 1. */
      readonly line: number;
      /** What happened, in words. */
      readonly message: string;
    }
);

/** A permission decision in the log. */
export type LogDecision = {
  readonly type: 'decision';
  /** ID of the tool call. */
  readonly toolUseId: string;
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool: string;
  /** `allow`, `deny` or `ask`; `withdrawn` if the agent did not need the decision any more. */
  readonly behavior: string;
  /** Who decided: `rules` and modes, a person, a program, a policy. */
  readonly by: string;
  /** How long the ask waited. */
  readonly waitedMs?: number;
  /** Input of the call, as it was judged. */
  readonly input: unknown;
};
