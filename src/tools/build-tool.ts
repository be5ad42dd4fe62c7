import { z } from 'zod';
import { UsageError } from '../core/errors.js';
import type { ToolResultBlock } from '../core/messages.js';
import type { PermissionResult } from '../core/decision-types.js';
import { describeUnknownKey } from '../core/text/unknown-key.js';
import { describeValue } from '../core/text/describe-issue.js';
import type { AnyObject, Tool, ToolInputJSONSchema, ToolProgressData } from './tool.js';

const NO_OPINION: Promise<PermissionResult> = Promise.resolve({ behavior: 'passthrough' });

/** The permission check of a tool without its own. */
export const passThrough = (): Promise<PermissionResult> => NO_OPINION;

/** Fail-closed: not concurrency-safe, not read-only, and decided by the general permission rules. */
const TOOL_DEFAULTS = {
  isEnabled: (): boolean => true,
  isConcurrencySafe: (): boolean => false,
  isReadOnly: (): boolean => false,
  isDestructive: (): boolean => false,
  checkPermissions: passThrough,
  toAutoClassifierInput: (): string => '',
};
type DefaultableToolKey = keyof typeof TOOL_DEFAULTS | 'userFacingName';

/** Members that a small tool may leave out. They follow from its name and its result. */
type OptionalToolKey =
  'description' | 'prompt' | 'maxResultSizeChars' | 'mapToolResultToToolResultBlockParam';

/** A tool without the members that {@link buildTool} completes. */
export type ToolDef<
  Input extends AnyObject = AnyObject,
  Output = unknown,
  P extends ToolProgressData = ToolProgressData,
> = Omit<Tool<Input, Output, P>, DefaultableToolKey | OptionalToolKey> &
  Partial<Pick<Tool<Input, Output, P>, DefaultableToolKey | OptionalToolKey>>;

/** A complete tool that keeps the exact types of its definition, such as its name. */
export type BuiltTool<Definition, Completed extends Tool = Tool> = Definition & Completed;

/**
 * Completes a tool with fail-closed defaults. The input schema is a zod schema; a tool that only has a JSON schema
 * gives `inputJSONSchema` and `z.looseObject({})`, see `buildJsonSchemaTool`.
 *
 * @example
 * const Add = buildTool({
 *   name: 'Add',
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   isReadOnly: () => true,
 *   isConcurrencySafe: () => true,
 *   call: async ({ a, b }) => ({ data: a + b }),
 * })
 */
export function buildTool<
  Input extends AnyObject,
  Output,
  P extends ToolProgressData = ToolProgressData,
  const Definition extends ToolDef<Input, Output, P> = ToolDef<Input, Output, P>,
>(
  definition: Definition & ToolDef<Input, Output, P>,
): BuiltTool<Definition, Tool<Input, Output, P>> {
  checkDefinition(definition);
  return {
    ...TOOL_DEFAULTS,
    userFacingName: () => definition.name,
    description: () => definition.name,
    prompt: () => definition.name,
    maxResultSizeChars: 30_000,
    mapToolResultToToolResultBlockParam: toTextResult,
    ...definition,
  };
}

/** A tool whose input is described by a JSON schema instead of a zod schema. */
export type JsonSchemaToolDef<Output> = Omit<
  ToolDef<AnyObject, Output>,
  'inputSchema' | 'inputJSONSchema'
> & {
  /** Schema of the input: the model gets it as it is, and inputs are validated by it. */
  readonly inputJSONSchema: ToolInputJSONSchema;
};

/** Make a tool from a JSON schema of its input. A JSON-schema validator rejects invalid input. */
export function buildJsonSchemaTool<Output>(
  definition: JsonSchemaToolDef<Output>,
): Tool<AnyObject, Output> {
  return buildTool({ ...definition, inputSchema: z.looseObject({}) });
}

/** The names that the Messages API accepts. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** @throws UsageError for a name that the API rejects */
export function checkToolName(name: unknown, place: string): void {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return;
  const given = typeof name === 'string' ? JSON.stringify(name) : String(name);
  throw new UsageError(
    `${place}: ${given} is not a valid name for a tool. The API takes 1 to 128 of the characters A-Z, a-z, 0-9, _ and -.`,
  );
}

const FUNCTIONS = [
  'call',
  'checkPermissions',
  'description',
  'interruptBehavior',
  'isConcurrencySafe',
  'isDestructive',
  'isEnabled',
  'isReadOnly',
  'mapToolResultToToolResultBlockParam',
  'permissionTarget',
  'preparePermissionMatcher',
  'present',
  'requestDetails',
  'prompt',
  'requiresUserInteraction',
  'toAutoClassifierInput',
  'userFacingName',
  'validateInput',
] as const satisfies readonly (keyof ToolDef)[];
const VALUES = [
  'aliases',
  'alwaysLoad',
  'askKind',
  'inputJSONSchema',
  'inputSchema',
  'maxResultSizeChars',
  'mcpInfo',
  'name',
  'outputSchema',
  'searchHint',
  'shouldDefer',
] as const satisfies readonly (keyof ToolDef)[];
const MEMBERS: ReadonlySet<string> = new Set([...FUNCTIONS, ...VALUES]);

/** Checked by hand, because every start checks all tools. @throws UsageError */
function checkDefinition(given: unknown): void {
  const definition = Object(given) as Partial<Record<keyof ToolDef, unknown>>; // a program may pass anything
  checkToolName(definition.name, 'buildTool');
  const place = `buildTool: ${String(definition.name)}`;
  const stranger = Object.keys(definition).find((key) => !MEMBERS.has(key));
  if (stranger !== undefined)
    throw new UsageError(`${place}: ${describeUnknownKey(stranger, [...MEMBERS], 'member')}`);
  const wrong = FUNCTIONS.find(
    (key) =>
      typeof definition[key] !== 'function' && (key === 'call' || definition[key] !== undefined),
  );
  if (wrong !== undefined)
    throw new UsageError(
      `${place}: ${wrong} must be a function, not ${describeValue(definition[wrong])}.`,
    );
  if (typeof Object(definition.inputSchema).safeParse !== 'function')
    throw new UsageError(
      `${place}: inputSchema must be a zod schema of an object, such as z.object({ path: z.string() }), not ${describeValue(definition.inputSchema)}. A JSON schema goes into buildJsonSchemaTool.`,
    );
}

function toTextResult(output: unknown, toolUseId: string): ToolResultBlock {
  const content = typeof output === 'string' ? output : (JSON.stringify(output, null, 2) ?? '');
  return { type: 'tool_result', tool_use_id: toolUseId, content };
}
