/** Messages in the shape of the Messages API. They are sent, journaled and compared byte for byte. */
export type TextBlock = {
  readonly type: 'text';
  /** Text as the user, the model or a tool wrote it. */
  readonly text: string;
};
/** Thinking of the model. */
export type ThinkingBlock = {
  readonly type: 'thinking';
  /** Text of the thinking, as the API returned it; may be empty. */
  readonly thinking: string;
  /** Opaque; sent back unchanged. */
  readonly signature: string;
};
/** Thinking that the API has encrypted. */
export type RedactedThinkingBlock = {
  readonly type: 'redacted_thinking';
  /** Opaque; sent back unchanged. */
  readonly data: string;
};
/** An image. */
export type ImageBlock = {
  readonly type: 'image';
  /** The image itself. */
  readonly source: {
    readonly type: 'base64';
    /** Type of the image, such as `image/png`. */
    readonly media_type: string;
    /** The image in base64. */
    readonly data: string;
  };
};
/** A deferred tool that ToolSearch has found: the model sees its definition from here on. */
export type ToolReferenceBlock = {
  readonly type: 'tool_reference';
  /** Name of the tool. */
  readonly tool_name: string;
};
/** A tool call. */
export type ToolUseBlock = {
  readonly type: 'tool_use';
  /** ID of the tool call. */
  readonly id: string;
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly name: string;
  /** Input as the model gave it, not checked. */
  readonly input: unknown;
};
/** Result of a tool call. */
export type ToolResultBlock = {
  readonly type: 'tool_result';
  /** ID of the tool call that the result belongs to. */
  readonly tool_use_id: string;
  /** Text and images that the model reads as the result, and tools that it has found. */
  readonly content: string | readonly (TextBlock | ImageBlock | ToolReferenceBlock)[];
  /** Whether the call failed. */
  readonly is_error?: boolean;
};
/** A block of an unknown kind (of a server tool, for example): kept unchanged and sent back as `raw`. */
export type OpaqueBlock = {
  readonly type: 'opaque';
  /** The block as the API sent it. */
  readonly raw: Readonly<Record<string, unknown>>;
};

export type AssistantBlock =
  TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | OpaqueBlock;
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
/** A part of a message. */
export type ContentBlock = AssistantBlock | UserBlock;

/** A message to the model: a prompt, or results of tools. */
export type UserMessage = {
  readonly role: 'user';
  /** Results of tools, text and images, in their order. */
  readonly content: readonly UserBlock[];
};
/** A message of the model. */
export type AssistantMessage = {
  readonly role: 'assistant';
  /** Text, thinking and tool calls, in their order. */
  readonly content: readonly AssistantBlock[];
};
/** A message of a conversation. */
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
 * How an incomplete reply is continued. `cut`: it reached the output limit, and the model is asked to continue.
 * `paused`: it is sent back unchanged, and the model continues.
 */
export type Continuation = 'cut' | 'paused';

export function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

/** All text of a message, blocks joined by nothing: the API's split into blocks has no meaning. */
export function textOf(message: Message): string {
  let text = '';
  for (const block of message.content) if (block.type === 'text') text += block.text;
  return text;
}

/** The text of a result, a line for each part: a tool that was found is its name, and an image is `image`. */
export function resultText({ content }: ToolResultBlock, image = ''): string {
  if (typeof content === 'string') return content;
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'tool_reference' ? part.tool_name : image;
  });
  return parts.join('\n');
}

export function toolUsesOf(message: AssistantMessage): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}
