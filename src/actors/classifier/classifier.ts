/** A use that would be asked for, in the mode `auto`. */
export type ClassifierQuestion = {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input as the tool words it for a classifier; JSON where it says nothing. */
  readonly text: string;
  /** Why it would be asked for. */
  readonly message: string;
  readonly cwd: string;
  readonly agentType: string;
  /** What the user has said and what was done so far, the newest last. What tools returned is not in it. */
  readonly transcript: string;
};

export type ClassifierVerdict = {
  /** `ask` leaves it to a person. */
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly reason: string;
};

/**
 * Decides in the mode `auto` what would otherwise be asked for. It is never asked about what a rule denies or asks for,
 * nor about safety checks. One that fails, is late or says something else leaves it to a person.
 */
export interface Classifier {
  /** What the audit calls it; `classifier` where absent. */
  readonly name?: string;
  classify(
    question: ClassifierQuestion,
    options: { readonly signal: AbortSignal },
  ): Promise<ClassifierVerdict>;
}
