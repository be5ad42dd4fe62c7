/** A web page as text. */
export type FetchedPage = {
  readonly type: 'page';
  /** The address that answered. */
  readonly url: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** As the server says; empty if it does not. */
  readonly contentType: string;
  /** Empty if the page has none. */
  readonly title: string;
  /** HTML as Markdown, other text as it is. */
  readonly text: string;
  /** The page has more text. */
  readonly isCut: boolean;
};

/** Pages that were fetched lately, by address. */
export interface PageCache {
  /** Return the page of an address, unless it is too old. */
  get(url: string): FetchedPage | undefined;
  /** Keep a page; others may have to go. */
  set(url: string, page: FetchedPage): void;
}

/** A question to the small model, beside the agent's conversation. */
export type HelperQuestion = {
  /** The system prompt. */
  readonly system: string;
  /** The question, and the text that it is about. */
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
};

/** The tool call that asks the small model, or a search provider. */
export type HelperCall = {
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal;
};

/** A search of the web. */
export type WebSearchQuery = {
  /** The words to search for. */
  readonly query: string;
  /** Only results from these domains and those below them. */
  readonly allowedDomains?: readonly string[];
  /** No results from these domains and those below them. */
  readonly blockedDomains?: readonly string[];
};

/** A page that a search has found. */
export type WebSearchResult = {
  /** Title of the page. */
  readonly title: string;
  /** Address of the page. */
  readonly url: string;
  /** The part of the page that fits the query. */
  readonly snippet?: string;
};

/** The answer of a search provider. */
export type WebSearchAnswer = {
  /** The pages, the best first. */
  readonly results: readonly WebSearchResult[];
  /** The provider's own words about the results. */
  readonly summary?: string;
};

/** Searches the web for the tool WebSearch. */
export interface WebSearchProvider {
  /** Search once. The message of a rejection is the tool's result. Filters are applied to the results again. */
  search(query: WebSearchQuery, call: HelperCall): Promise<WebSearchAnswer>;
}

/** The part of a tool's context about the web. All members are absent if a tool is called without an orchestrator. */
export type ToolUseWeb = {
  /** Pages that agents of the session have fetched. */
  readonly pages?: PageCache;
  /** Ask the small model, at the agent's expense. Rejects with the signal's reason if it is aborted. */
  readonly askHelper?: (question: HelperQuestion, call: HelperCall) => Promise<string>;
  /** Searches the web; absent if the session has no search. */
  readonly searchProvider?: WebSearchProvider;
};
