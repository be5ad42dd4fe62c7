/** A tool that the model must find before it sees its definition. */
export type DeferredTool = {
  /** Name of the tool, such as `mcp__server__tool`. */
  readonly name: string;
  /** Description for the model. */
  readonly description: string;
  /** Words that are not in the name. */
  readonly searchHint?: string;
};
