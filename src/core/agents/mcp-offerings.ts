/** A resource that an MCP server offers. */
export type McpResource = {
  /** Address of the resource, such as `file:///notes.txt` or `issues://42`. */
  readonly uri: string;
  /** Name for people. */
  readonly name: string;
  /** Description in the words of the server. */
  readonly description?: string | undefined;
  /** Media type of the content. */
  readonly mimeType?: string | undefined;
};

/** A pattern for addresses of resources that an MCP server offers. */
export type McpResourceTemplate = Omit<McpResource, 'uri'> & {
  /** Pattern of the addresses (RFC 6570), such as `issues://{number}`. */
  readonly uriTemplate: string;
};

/** A part of the content of a resource: text, or data in base64. */
export type McpResourceContent = {
  /** Address of this part. */
  readonly uri: string;
  /** Media type of the part. */
  readonly mimeType?: string | undefined;
} & (
  | {
      /** The text. */
      readonly text: string;
    }
  | {
      /** The data in base64. */
      readonly blob: string;
    }
);
