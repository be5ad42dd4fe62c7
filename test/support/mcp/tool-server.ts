/** The data that a tool call brings to its server. */
export type ToolCall = {
  readonly args: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
  /** Notify the client that the list of tools has changed. */
  changed(): Promise<void>;
};

/** Tools by name; a test may add and remove some. */
export type ToolServer = {
  readonly tools: Record<string, (call: ToolCall) => string | Promise<string>>;
};
