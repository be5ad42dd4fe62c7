import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../../core/time/duration.js';
import type { McpSdkServerConfig } from './sdk-server.js';
import { toToolNamePart } from './tool-names.js';

/** An MCP server that is a program, connected over its stdin and stdout. Unknown fields are kept, without effect. */
export type McpStdioServerConfig = {
  /** The transport; may be left out. */
  readonly type?: 'stdio' | undefined;
  /** The program to start: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  /** Arguments of the program; none if absent. */
  readonly args?: readonly string[] | undefined;
  /** Variables in addition to those of shells. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True: the tools of the server are in every first request, whatever ToolSearch could find. */
  readonly alwaysLoad?: boolean | undefined;
  /** How long a tool call may go without a result or news of its progress, ms; 60,000 if absent. */
  readonly timeout?: number | undefined;
  /** How long a tool call may take in all, ms, whatever its progress; an hour, or `timeout` if that is longer, if absent. */
  readonly maxTotalTimeout?: number | undefined;
  readonly [field: string]: unknown;
};

/** How to get tokens for an MCP server at an address. Unknown fields are kept, without effect. */
export type McpOAuthConfig = {
  /** A client that is registered at the authorization server. If absent, each login registers one. */
  readonly clientId?: string | undefined;
  /** The secret of the client, if it has one. */
  readonly clientSecret?: string | undefined;
  /** The only authorization server that the client is sent to; the one that the MCP server names if absent. */
  readonly issuer?: string | undefined;
  /** The https address of a client ID metadata document, used as ID if the authorization server accepts such. */
  readonly clientMetadataUrl?: string | undefined;
  /** The port of the redirect address; any free one if absent. */
  readonly callbackPort?: number | undefined;
  /** Scopes to ask for, separated by spaces; those that the server names if absent. */
  readonly scopes?: string | undefined;
  /**
   * With `client_credentials` the client gets its tokens by itself, and nobody logs in. With `cross_app_access` it gets
   * them for the user of an ID token (enterprise-managed authorization).
   */
  readonly grant?: 'client_credentials' | 'cross_app_access' | undefined;
  /** The identity provider that vouches for the user, with the grant `cross_app_access`. */
  readonly identityProvider?:
    | {
        /** The address that exchanges tokens. */
        readonly tokenEndpoint: string;
        /** The client of the ID token. */
        readonly clientId: string;
        /** The secret of that client, if it has one. */
        readonly clientSecret?: string | undefined;
        /** The ID token of the user. */
        readonly idToken: string;
      }
    | undefined;
  /** A private key as PEM (PKCS #8) instead of a `clientSecret`, with `grant`. */
  readonly privateKey?: string | undefined;
  /** The algorithm of the private key; `ES256` if absent. */
  readonly algorithm?: string | undefined;
  readonly [field: string]: unknown;
};

/** An MCP server at an address. Unknown fields are kept, without effect. */
type McpRemoteServerConfig = {
  /** An http or https address. A redirect to another origin is not followed. */
  readonly url: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A shell command that prints more headers as a JSON object. It runs before each connection. */
  readonly headersHelper?: string | undefined;
  /** How to get tokens, unless `headers` have an `Authorization`. */
  readonly oauth?: McpOAuthConfig | undefined;
  /** True: the tools of the server are in every first request, whatever ToolSearch could find. */
  readonly alwaysLoad?: boolean | undefined;
  /** How long a tool call may go without a result or news of its progress, ms; 60,000 if absent. */
  readonly timeout?: number | undefined;
  /** How long a tool call may take in all, ms, whatever its progress; an hour, or `timeout` if that is longer, if absent. */
  readonly maxTotalTimeout?: number | undefined;
  readonly [field: string]: unknown;
};

/** An MCP server that speaks streamable HTTP. */
export type McpHttpServerConfig = McpRemoteServerConfig & {
  /** The transport; both names mean streamable HTTP. */
  readonly type: 'http' | 'streamable-http';
};

/** An MCP server that speaks the older transport over HTTP with server-sent events. */
export type McpSSEServerConfig = McpRemoteServerConfig & {
  /** The transport. */
  readonly type: 'sse';
};

/** An MCP server of a file. */
export type McpFileServerConfig = McpStdioServerConfig | McpHttpServerConfig | McpSSEServerConfig;

/** An MCP server: a program, a server at an address, or a server inside the program. */
export type McpServerConfig = McpFileServerConfig | McpSdkServerConfig;

/** Servers by name. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

const limits = {
  alwaysLoad: z.boolean().optional(),
  timeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
  maxTotalTimeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
};
const oauth = z.lazy(() =>
  z
    .looseObject({
      clientId: z.string().min(1).optional(),
      clientSecret: z.string().min(1).optional(),
      issuer: z.url().optional(),
      clientMetadataUrl: z.url({ protocol: /^https$/ }).optional(),
      callbackPort: z.int().min(1).max(65_535).optional(),
      scopes: z.string().optional(),
      grant: z.enum(['client_credentials', 'cross_app_access']).optional(),
      identityProvider: z
        .object({
          tokenEndpoint: z.url(),
          clientId: z.string().min(1),
          clientSecret: z.string().min(1).optional(),
          idToken: z.string().min(1),
        })
        .optional(),
      privateKey: z.string().min(1).optional(),
      algorithm: z.string().min(1).optional(),
    })
    .refine(
      ({ grant, clientId, clientSecret, privateKey }) =>
        grant !== 'client_credentials' ||
        (clientId !== undefined && (clientSecret !== undefined || privateKey !== undefined)),
      'with "grant" give "clientId", and "clientSecret" or "privateKey"',
    )
    .refine(
      ({ grant, clientId, clientSecret, identityProvider }) =>
        grant !== 'cross_app_access' ||
        [clientId, clientSecret, identityProvider].every((one) => one !== undefined),
      'with "grant" "cross_app_access" give "clientId", "clientSecret" and "identityProvider"',
    ),
) satisfies z.ZodType<McpOAuthConfig>;
const remote = {
  url: z
    .string('must be the address of the server')
    .refine(isHttpAddress, 'write an address that begins with http:// or https://'),
  headers: z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      for (const name of unsendable(headers))
        context.addIssue({ code: 'custom', path: [name], message: 'cannot be sent as a header' });
    })
    .optional(),
  headersHelper: z.string().min(1, 'must be a command').optional(),
  oauth: oauth.optional(),
  ...limits,
};

export const McpStdioServerConfig = z.lazy(() =>
  z.looseObject({
    type: z.literal('stdio').optional(),
    command: z.string('must be the program to start').min(1, 'must be the program to start'),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    ...limits,
  }),
) satisfies z.ZodType<McpStdioServerConfig>;
const McpHttpServerConfig = z.lazy(() =>
  z.looseObject({
    type: z.enum(['http', 'streamable-http']),
    ...remote,
  }),
) satisfies z.ZodType<McpHttpServerConfig>;
const McpSSEServerConfig = z.lazy(() =>
  z.looseObject({
    type: z.literal('sse'),
    ...remote,
  }),
) satisfies z.ZodType<McpSSEServerConfig>;

/** A server as files have it. */
export const McpFileServerConfig = z.lazy(() =>
  z.discriminatedUnion('type', [McpStdioServerConfig, McpHttpServerConfig, McpSSEServerConfig], {
    error: ({ input }) =>
      typeof input === 'object' && input !== null
        ? 'must be "stdio", "http", "streamable-http" or "sse"'
        : undefined,
  }),
) satisfies z.ZodType<McpFileServerConfig>;

/** The fields of a server of this type that have an effect. */
export function fieldsOfServer(type: unknown): readonly string[] {
  const isRemote = type === 'http' || type === 'streamable-http' || type === 'sse';
  return Object.keys((isRemote ? McpHttpServerConfig : McpStdioServerConfig).unwrap().shape);
}

/** Whether the server is at an address. */
export function isRemoteServer(
  config: McpServerConfig,
): config is McpHttpServerConfig | McpSSEServerConfig {
  return config.type === 'http' || config.type === 'streamable-http' || config.type === 'sse';
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** The names of the headers that cannot be sent. */
export function unsendable(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    try {
      new Headers({ [name]: value });
      return [];
    } catch {
      return [name];
    }
  });
}

/** Kinds of servers that other programs know and Troupe does not: named in a warning instead of an error. */
export const OTHER_SERVER_TYPES: readonly string[] = ['ws', 'sdk'];

/**
 * Why a server's name is invalid; undefined if it is valid. A rule `mcp__a` covers all tools that begin with
 * `mcp__a__`, so no name may look like the beginning of another one.
 */
export function problemOfServerName(name: string, others: Iterable<string>): string | undefined {
  const part = toToolNamePart(name);
  if (!/[0-9A-Za-z]/.test(name))
    return `"${name}" is not a valid name of a server: it needs a letter or digit`;
  if (part.includes('__') || part.endsWith('_') || part.startsWith('_'))
    return `"${name}" is not a valid name of a server: in names of tools it would be "${part}", which begins or ends with "_" or contains "__"`;
  for (const other of others)
    if (other !== name && toToolNamePart(other) === part)
      return `the servers "${other}" and "${name}" would both be "${part}" in names of tools. Rename one`;
  return undefined;
}
