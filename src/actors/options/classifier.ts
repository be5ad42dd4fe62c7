/** A use that would be asked for, in the mode `auto`. */
export type ClassifierQuestion = {
  /** Name of the tool. */
  readonly toolName: string;
  /** Input of the tool, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The input as the tool words it for a classifier; JSON where it says nothing. */
  readonly text: string;
  /** Why it would be asked for. */
  readonly message: string;
  /** Folder that the agent works in. */
  readonly cwd: string;
  /** Type of the agent that makes the call. */
  readonly agentType: string;
  /** What the user has said and what was done so far, the newest last. What tools returned is not in it. */
  readonly transcript: string;
};

/** What a classifier says of a tool call. */
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
 * Decides in the mode `auto` what would otherwise be asked for. It is never asked about what a rule denies or asks for,
 * nor about safety checks. One that fails, is late or says something else leaves it to a person.
 */
export interface Classifier {
  /** What the audit calls it; `classifier` where absent. */
  readonly name?: string;
  /** Judge one tool call. A rejection counts as no verdict: the call is asked for. */
  classify(question: ClassifierQuestion, options: ClassifyOptions): Promise<ClassifierVerdict>;
}
