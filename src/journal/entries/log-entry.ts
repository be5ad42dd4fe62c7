import type { Envelope } from '../../core/events.js';

/** The agent of an entry. */
export type LogSpeaker = {
  /** ID of the agent's conversation, for messages and `resume`. */
  readonly agentId: string;
  /** Name of the agent, or its type if it has no name. */
  readonly agent: string;
};

/** An event of a session. Times are epoch ms. */
export type LogEntry = {
  /** When it happened, epoch ms. */
  readonly at: number;
} & (
  | (LogSpeaker &
      (
        | {
            readonly type: 'started';
            /** Name of the agent's definition, such as `worker`; `main` for a main agent without one. */
            readonly agentType: string;
            /** ID of the model, as requests have it. */
            readonly model: string;
            /** Path of the script of a main agent's scripted model. */
            readonly script?: string;
          }
        | {
            readonly type: 'resumed';
            /** ID of the model, as requests have it. */
            readonly model: string;
          }
        /** The agent begins as a copy of the agent with the ID `from`. */
        | {
            readonly type: 'forked';
            /** Sender, or the agent that was copied. */
            readonly from: string;
          }
        /** A message that was accepted for the agent: from `user`, or from an agent or a task. */
        | {
            readonly type: 'mail';
            /** Kind of the message. */
            readonly kind: Envelope['kind'];
            /** Sender, or the agent that was copied. */
            readonly from: string;
            /** Text of the message; images are left out. */
            readonly text: string;
          }
        | {
            readonly type: 'thinking';
            /** Text of the thinking, as the API returned it. */
            readonly text: string;
          }
        | {
            readonly type: 'text';
            /** Text of the block. */
            readonly text: string;
          }
        | {
            readonly type: 'tool_use';
            /** `id` of the `tool_use` block that made the call. */
            readonly toolUseId: string;
            /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
            readonly tool: string;
            /** Input as the model sent it. */
            readonly input: unknown;
          }
        | {
            readonly type: 'tool_result';
            /** `id` of the `tool_use` block that made the call. */
            readonly toolUseId: string;
            /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
            readonly tool: string;
            /** Text of the result, as the model read it. */
            readonly text: string;
            /** Whether the call failed. */
            readonly isError: boolean;
          }
        | LogDecision
        /** The model could not answer. */
        | {
            readonly type: 'failure';
            /** Stable code in upper snake case, such as `MODEL_OVERLOADED`. */
            readonly code: string;
            /** The event, in words for a person. */
            readonly message: string;
          }
        | {
            readonly type: 'ended';
            /** How it ended. */
            readonly status: string;
          }
        /** A message that the agent had not taken when it ended. */
        | {
            readonly type: 'unread';
            /** Sender, or the agent that was copied. */
            readonly from: string;
            /** Text of the message; images are left out. */
            readonly text: string;
          }
      ))
  /** A task that was live when its process ended. */
  | {
      readonly type: 'lost';
      /** ID of the task that was live. */
      readonly taskId: string;
      /** The event, in words for a person. */
      readonly message: string;
    }
  /** A line that cannot be read; its time is that of the line before it. */
  | {
      readonly type: 'damaged';
      /** File that cannot be read. */
      readonly file: string;
      /** Line that cannot be read, from 1. */
      readonly line: number;
      /** The event, in words for a person. */
      readonly message: string;
    }
);

/** A permission decision in the log. */
export type LogDecision = {
  readonly type: 'decision';
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool: string;
  /** `allow`, `deny` or `ask`; `withdrawn` if the agent did not need the decision any more. */
  readonly behavior: string;
  /** Who decided: `rules` and modes, the hook that denied or asked, a person, a program, a policy. */
  readonly by: string;
  /** The request was denied because nobody was there to approve it. */
  readonly isUnanswered?: true;
  /** How long the permission request waited. */
  readonly waitedMs?: number;
  /** Input of the call at the time of the decision. */
  readonly input: unknown;
};
