import { types } from 'node:util';
import { z } from 'zod';
import { UsageError } from '../core/errors.js';
import { describeUnknownKey } from '../core/text/unknown-key.js';
import { describeValue } from '../core/text/describe-issue.js';
import { completeTool, type BuiltTool, type ToolDef } from './complete-tool.js';
import { checkToolName } from './tool-name.js';
import type { AnyObject, Tool, ToolInputJSONSchema, ToolProgressData } from './tool.js';

/** Members that no tool has: nothing would read them. */
type NoOtherMembers<Definition> = {
  readonly [Key in Exclude<keyof Definition, keyof ToolDef>]?: never;
};

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
  definition: Definition & ToolDef<Input, Output, P> & NoOtherMembers<Definition>,
): BuiltTool<Definition, Tool<Input, Output, P>> {
  checkDefinition(definition);
  return completeTool<Input, Output, P, Definition>(definition);
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
  if (types.isAsyncFunction(definition.description))
    throw new UsageError(
      `${place}: description must not be async: nothing waits for a line for people. Return the text itself.`,
    );
  if (typeof Object(definition.inputSchema).safeParse !== 'function')
    throw new UsageError(
      `${place}: inputSchema must be a zod schema of an object, such as z.object({ path: z.string() }), not ${describeValue(definition.inputSchema)}. A JSON schema goes into buildJsonSchemaTool.`,
    );
}
