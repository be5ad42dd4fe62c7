/**
 * Messages as the Messages API has them, and nothing else: what stands here is sent, journaled and compared byte for
 * byte.
 */
export type TextBlock = { readonly type: 'text'; readonly text: string };
export type ThinkingBlock = {
  readonly type: 'thinking';
  readonly thinking: string;
  /** Opaque; sent back unchanged. */
  readonly signature: string;
};
export type RedactedThinkingBlock = { readonly type: 'redacted_thinking'; readonly data: string };
export type ImageBlock = {
  readonly type: 'image';
  readonly source: {
    readonly type: 'base64';
    readonly media_type: string;
    readonly data: string;
  };
};
export type ToolUseBlock = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};
export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly is_error?: boolean;
};
/** A block of a kind that Troupe does not know (a server tool's, say): kept as it came and sent back as `raw`. */
export type OpaqueBlock = {
  readonly type: 'opaque';
  readonly raw: Readonly<Record<string, unknown>>;
};

export type AssistantBlock =
  TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | OpaqueBlock;
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type ContentBlock = AssistantBlock | UserBlock;

export type UserMessage = { readonly role: 'user'; readonly content: readonly UserBlock[] };
export type AssistantMessage = {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
};
export type Message = UserMessage | AssistantMessage;

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | (string & {});

/**
 * How a reply that is not at its end is gone on with. `cut`: it ran out of room, and is asked to go on where it stopped.
 * `paused`: it is sent back as it stands, and the model goes on.
 */
export type Continuation = 'cut' | 'paused';

export function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

/** All text of a message, blocks joined by nothing: how the API splits text carries no meaning. */
export function textOf(message: Message): string {
  let text = '';
  for (const block of message.content) if (block.type === 'text') text += block.text;
  return text;
}

export function toolUsesOf(message: AssistantMessage): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}
