/** A tool call that would need a permission request, in the mode `auto`. */
export type ClassifierQuestion = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly toolName: string;
  /** Input of the tool, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The input in the words of the tool for classifiers; JSON if the tool has none. */
  readonly text: string;
  /** Why the call needs approval. */
  readonly message: string;
  /** Folder that the agent works in. */
  readonly cwd: string;
  /** Type of the agent that makes the call. */
  readonly agentType: string;
  /** Messages of the user and tool calls so far, the newest last, without results of tools. */
  readonly transcript: string;
};

/** Verdict of a classifier on a tool call. */
export type ClassifierVerdict = {
  /** `ask` leaves it to a person. */
  readonly behavior: 'allow' | 'deny' | 'ask';
  /** Why, in words for a person. */
  readonly reason: string;
};

/** The rest of what a classifier gets. */
export type ClassifyOptions = {
  /** Aborts when no verdict is needed any more, for example because a person has decided. */
  readonly signal: AbortSignal;
};

/**
 * Decides on tool calls in the mode `auto` that would otherwise become permission requests. It sees no call that a rule
 * denies or asks for, and no safety check. A failure, a late or an invalid verdict leaves the call to a person.
 */
export interface Classifier {
  /** Name in the audit; `classifier` if absent. */
  readonly name?: string;
  /** Judge one tool call. A rejection counts as no verdict: the call becomes a permission request. */
  classify(question: ClassifierQuestion, options: ClassifyOptions): Promise<ClassifierVerdict>;
}
