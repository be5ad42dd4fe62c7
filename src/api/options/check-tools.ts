import { messageOf, UsageError } from '../../core/errors.js';
import { baseToolNames, getAllBaseTools } from '../../tools/pool/base-tools.js';
import { checkToolName } from '../../tools/tool-name.js';
import { inputSchemaOf } from '../../tools/pool/input-schema.js';
import type { Tool } from '../../tools/tool.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';

const PLACE = 'createOrchestrator';
const METHODS = ['call', 'prompt', 'isEnabled', 'isReadOnly', 'checkPermissions'] as const;

type ToolOptions = Pick<OrchestratorOptions, 'builtInTools' | 'tools'>;

/**
 * Check the tools of a program: each must be a tool, with a name that the API accepts and no other tool has.
 *
 * @returns every name that a rule may use for a tool, also of all built-in tools
 * @throws UsageError
 */
export function checkTools({ tools = [], builtInTools }: ToolOptions): readonly string[] {
  if (!isList(tools)) throw new UsageError(`${PLACE}: tools must be an array of tools.`);
  if (builtInTools !== undefined && !isList(builtInTools))
    throw new UsageError(`${PLACE}: builtInTools must be an array of names, such as ["Read"].`);
  const kept = builtInTools === undefined ? undefined : new Set(baseToolNames(builtInTools));
  const owners = new Map<string, string>();
  const builtIn = getAllBaseTools();
  for (const tool of builtIn)
    if (kept === undefined || kept.has(tool.name))
      for (const name of namesOf(tool)) owners.set(name, `the built-in tool ${tool.name}`);
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`;
    checkTool(tool, at);
    for (const name of namesOf(tool)) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new UsageError(
          `${PLACE}: ${at}: ${owner} has the name "${name}" already. Choose another name${owner.startsWith('the') ? ', or leave the built-in tool out by builtInTools' : ''}.`,
        );
    }
    for (const name of namesOf(tool)) owners.set(name, at);
  }
  return [...builtIn, ...tools].flatMap(namesOf);
}

function checkTool(tool: Tool, at: string): void {
  const given = Object(tool) as Partial<Tool>; // a program can pass anything
  if (METHODS.some((method) => typeof given[method] !== 'function'))
    throw new UsageError(
      `${PLACE}: ${at} is not a tool: give the result of defineTool, buildTool or buildJsonSchemaTool. Tools made by tool(…) belong in createSdkMcpServer.`,
    );
  for (const name of namesOf(tool)) checkToolName(name, `${PLACE}: ${at}`);
  try {
    inputSchemaOf(tool);
  } catch (error) {
    throw new UsageError(`${PLACE}: ${at}: ${messageOf(error)}`, {}, { cause: error });
  }
}

function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases];
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}
