/**
 * The defaults of a tool. `buildTool` adds them to a tool of a program after it has checked its members; the compiler
 * checks those of the built-in tools.
 */
import type { ToolResultBlock } from '../core/messages.js';
import type { PermissionResult } from '../core/decision-types.js';
import type { AnyObject, Tool, ToolProgressData } from './tool.js';

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

/** Add the defaults, fail-closed, to a tool whose members are right. */
export function completeTool<
  Input extends AnyObject,
  Output,
  P extends ToolProgressData = ToolProgressData,
  const Definition extends ToolDef<Input, Output, P> = ToolDef<Input, Output, P>,
>(
  definition: Definition & ToolDef<Input, Output, P>,
): BuiltTool<Definition, Tool<Input, Output, P>> {
  return {
    ...TOOL_DEFAULTS,
    userFacingName: () => definition.name,
    description: () => definition.name,
    prompt: definition.description?.length === 0 ? definition.description : () => definition.name,
    maxResultSizeChars: 30_000,
    mapToolResultToToolResultBlockParam: toTextResult,
    ...definition,
  };
}

function toTextResult(output: unknown, toolUseId: string): ToolResultBlock {
  const content = typeof output === 'string' ? output : (JSON.stringify(output, null, 2) ?? '');
  return { type: 'tool_result', tool_use_id: toolUseId, content };
}
