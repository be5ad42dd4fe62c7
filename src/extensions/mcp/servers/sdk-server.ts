import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../../core/time/duration.js';
import { UsageError } from '../../../core/errors.js';
import { checkToolName } from '../../../tools/tool-name.js';
import { requireTexts } from '../../../core/text/require-text.js';
import { given } from '../../../core/json/given.js';

/** One end of a connection between an MCP client and a server: the `Transport` of the MCP SDK. */
export interface McpTransport {
  /** Begin to receive messages. */
  start(): Promise<void>;
  /** Send one JSON-RPC message. */
  send(message: object): Promise<void>;
  /** End the connection. */
  close(): Promise<void>;
}

/** An MCP server that can be connected: one of `createSdkMcpServer`, or an `McpServer` of the MCP SDK. */
export interface SdkMcpServerInstance {
  /** Serve one client over this connection. */
  connect(transport: McpTransport): Promise<void>;
}

/** A program's policy for calls of one tool of an MCP server. */
export type McpServerToolPolicy = {
  /** Name that the server gives the tool. */
  readonly name: string;
  /**
   * Deny the calls or ask for each; an unknown policy asks. Only `setMcpServers` of a query may allow them, for a server at
   * an address. Absent: rules decide.
   */
  readonly permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
};

/** A server inside the program. */
export type McpSdkServerConfig = {
  readonly type: 'sdk';
  /** Name that the server gives itself; rules use its key in `mcpServers`. */
  readonly name: string;
  /** Server for each connection: `createSdkMcpServer` makes one, and an `McpServer` of the MCP SDK is one. */
  readonly instance: SdkMcpServerInstance;
  /** Policies of its tools in `query()`. */
  readonly tools?: readonly McpServerToolPolicy[];
  /** How long a call may take, ms; without limit if absent, for a tool of the program may wait for a person. */
  readonly timeout?: number;
};

/** Whether a value from JavaScript is such a server. */
export function isSdkServer(value: unknown): value is McpSdkServerConfig {
  const { type, instance, timeout } = Object(value) as Partial<McpSdkServerConfig>;
  const hasTimeout =
    timeout === undefined ||
    (Number.isInteger(timeout) && timeout > 0 && timeout <= LONGEST_TIMER_MS);
  return type === 'sdk' && typeof instance?.connect === 'function' && hasTimeout;
}

/** The rest of what the handler of a tool gets. */
export type ToolHandlerExtra = {
  /** Aborts when the result is not needed any more. */
  readonly signal: AbortSignal;
};

/** Fields of a tool's input, each a zod schema. */
export type AnyZodRawShape = z.ZodRawShape;
/** Input of a tool with these fields. */
export type InferShape<Shape extends AnyZodRawShape> = z.infer<z.ZodObject<Shape>>;

/** A tool of such a server, as {@link tool} makes it. */
export type SdkMcpToolDefinition<Shape extends AnyZodRawShape = AnyZodRawShape> = {
  /** The model sees it as `mcp__server__name`. */
  readonly name: string;
  /** Description for the model: effect of the tool, and when to use it. */
  readonly description: string;
  /** Fields of the input, each a zod schema. */
  readonly inputSchema: Shape;
  // a method, so that a list can have tools of different shapes
  /** Run the tool. What it throws is an error for the model. */
  handler(args: InferShape<Shape>, extra: ToolHandlerExtra): Promise<CallToolResult>;
  /** Hints for clients, such as `readOnlyHint`. */
  readonly annotations?: ToolAnnotations;
};

/** Further facts of a tool for clients. */
export type SdkToolOptions = {
  /** Hints such as `readOnlyHint`. No permission depends on them. */
  readonly annotations?: ToolAnnotations;
};

/**
 * Make a tool that runs in the program itself.
 *
 * @param inputSchema the fields of its input, each a zod schema
 * @param handler gets checked input; what it throws is an error for the model
 * @throws UsageError for an invalid name of a tool, and for parts of the wrong type
 */
export function tool<Shape extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Shape,
  handler: SdkMcpToolDefinition<Shape>['handler'],
  { annotations }: SdkToolOptions = {},
): SdkMcpToolDefinition<Shape> {
  checkTool(name, { description, inputSchema, handler });
  return {
    name,
    description,
    inputSchema,
    handler,
    ...given({ annotations }),
  };
}

/** @throws UsageError */
function checkTool(
  name: unknown,
  {
    description,
    inputSchema,
    handler,
  }: { readonly description: unknown; readonly inputSchema: unknown; readonly handler: unknown },
): void {
  checkToolName(name, 'tool');
  const place = `tool: ${String(name)}`;
  if (typeof description !== 'string')
    throw new UsageError(`${place}: the description for the model must be a text.`);
  const fields = Object.entries(Object(inputSchema) as object);
  const isSchema = typeof Object(inputSchema).safeParse === 'function';
  const stranger = fields.find(([, field]) => typeof Object(field).safeParse !== 'function');
  if (isSchema || typeof inputSchema !== 'object' || inputSchema === null || stranger !== undefined)
    throw new UsageError(
      `${place}: the input schema must be an object of fields, each a zod schema: write { path: z.string() }${isSchema ? ', not z.object({ path: z.string() })' : ''}.`,
    );
  if (typeof handler !== 'function')
    throw new UsageError(`${place}: the handler must be a function.`);
}

/** A server in the program: its name and its tools. */
export type SdkServerOptions = {
  /** Name that the server gives itself; rules use its key in `mcpServers`. */
  readonly name: string;
  /** Version that the server gives itself; `1.0.0` if absent. */
  readonly version?: string;
  /** Results of {@link tool}, with different names. None if absent. */
  readonly tools?: readonly SdkMcpToolDefinition[];
};

/**
 * Make a server in the program itself, for `mcpServers`: its tools are called `mcp__<key in mcpServers>__<tool>`. Any
 * number of queries may use it at the same time.
 *
 * @example const clock = createSdkMcpServer({ name: 'clock', tools: [tool('now', 'Tells the time.', {}, async () => ({
 * content: [{ type: 'text', text: new Date().toISOString() }] }))], }) query({ prompt: 'What time is it?', options: {
 * mcpServers: { clock }, allowedTools: ['mcp__clock__now'] } })
 */
export function createSdkMcpServer(options: SdkServerOptions): McpSdkServerConfig {
  const {
    name,
    version = '1.0.0',
    tools = [],
  } = requireTexts('createSdkMcpServer', options, ['name']);
  const names = new Set<string>();
  for (const [index, one] of tools.entries()) {
    checkTool(one.name, one);
    if (names.has(one.name))
      throw new UsageError(
        `createSdkMcpServer: tools[${index}]: there are two tools called "${one.name}".`,
      );
    names.add(one.name);
  }
  return {
    type: 'sdk',
    name,
    instance: {
      async connect(transport) {
        const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js'); // loading it takes a while
        const server = new McpServer({ name, version });
        for (const one of tools) {
          const { description, inputSchema, annotations } = one;
          server.registerTool(
            one.name,
            { description, inputSchema, ...given({ annotations }) },
            (args, extra) => one.handler(args, extra),
          );
        }
        await server.connect(transport);
      },
    },
  };
}
