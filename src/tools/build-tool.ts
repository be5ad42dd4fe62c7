import { z } from 'zod';
import type { ToolResultBlock } from '../core/messages.js';
import type { PermissionResult } from '../core/permission-types.js';
import type { AnyObject, Tool, ToolInputJSONSchema, ToolProgressData } from './tool.js';

/** Fail-closed: not safe to run beside others, not read-only, and left to the general permission rules. */
const TOOL_DEFAULTS = {
  isEnabled: (): boolean => true,
  isConcurrencySafe: (): boolean => false,
  isReadOnly: (): boolean => false,
  isDestructive: (): boolean => false,
  checkPermissions: (): Promise<PermissionResult> => Promise.resolve({ behavior: 'passthrough' }),
  toAutoClassifierInput: (): string => '',
};
type DefaultableToolKey = keyof typeof TOOL_DEFAULTS | 'userFacingName';

/** Members that say little for a small tool: filled in from its name and its result. */
type OptionalToolKey =
  'description' | 'prompt' | 'maxResultSizeChars' | 'mapToolResultToToolResultBlockParam';

/** A tool without the members that {@link buildTool} completes. */
export type ToolDef<
  Input extends AnyObject = AnyObject,
  Output = unknown,
  P extends ToolProgressData = ToolProgressData,
> = Omit<Tool<Input, Output, P>, DefaultableToolKey | OptionalToolKey> &
  Partial<Pick<Tool<Input, Output, P>, DefaultableToolKey | OptionalToolKey>>;

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
>(definition: ToolDef<Input, Output, P>): Tool<Input, Output, P> {
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

/** A tool from a program that describes its input by a JSON schema. Bad input is refused by a JSON-schema validator. */
export function buildJsonSchemaTool<Output>(
  definition: Omit<ToolDef<AnyObject, Output>, 'inputSchema' | 'inputJSONSchema'> & {
    readonly inputJSONSchema: ToolInputJSONSchema;
  },
): Tool<AnyObject, Output> {
  return buildTool({ ...definition, inputSchema: z.looseObject({}) });
}

function toTextResult(output: unknown, toolUseId: string): ToolResultBlock {
  const content = typeof output === 'string' ? output : (JSON.stringify(output, null, 2) ?? '');
  return { type: 'tool_result', tool_use_id: toolUseId, content };
}
