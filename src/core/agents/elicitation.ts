/** A question of an MCP server for the person, made while a call of one of its tools runs. */
export type ElicitationRequest = {
  /** Key of the server in `mcpServers`. */
  readonly serverName: string;
  /** The question, in the words of the server. */
  readonly message: string;
  /** `form`: the fields of `requestedSchema`. `url`: a page that the person opens in a browser. */
  readonly mode: 'form' | 'url';
  /** The page, with mode `url`. */
  readonly url?: string;
  /** The server's own ID for the question, with mode `url`. */
  readonly elicitationId?: string;
  /** JSON schema of a flat object, with mode `form`. */
  readonly requestedSchema?: ElicitationSchema;
};

/** The fields of a form. */
export type ElicitationSchema = {
  readonly type: 'object';
  /** Schemas of the fields, by name: strings, numbers, booleans and choices. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Names of the fields that need a value. */
  readonly required?: readonly string[] | undefined;
  readonly [key: string]: unknown;
};

/** A value of a field. */
export type ElicitationValue = string | number | boolean | readonly string[];

/** The person's answer to a question of an MCP server. */
export type ElicitationResult = {
  /** `decline`: the person says no. `cancel`: the person does not answer. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Values of the fields, with `accept` to a form. */
  readonly content?: Readonly<Record<string, ElicitationValue>>;
};

/** The rest of a question that `onElicitation` answers. */
export type OnElicitationOptions = {
  /** Aborts when no answer is needed any more. */
  readonly signal: AbortSignal;
};

/**
 * Answers a question of an MCP server, as in the Claude Agent SDK. Without it, and without another approver, such
 * questions are declined. A rejection declines the question with the reason.
 */
export type OnElicitation = (
  request: ElicitationRequest,
  options: OnElicitationOptions,
) => Promise<ElicitationResult>;
