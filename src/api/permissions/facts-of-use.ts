import { gatherFacts } from '../../actors/facts/gather-facts.js';
import type { Environment } from '../../files/folders.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import { createFileStateCache } from '../../tools/capabilities/file-state-cache.js';
import { createBashGrammar } from '../../tools/shell/bash-grammar.js';
import { activeSandbox } from '../../processes/sandbox/sandbox.js';
import type { SandboxOptions } from '../types.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';

/** One tool call, with the input that the tool's schema returns. */
export type ToolUse = { readonly tool: Tool; readonly input: Readonly<Record<string, unknown>> };

/** The facts of one tool call for rules. Reads files and links; runs nothing, and looks no name up. */
export async function factsOfUse(
  { tool, input }: ToolUse,
  toolPermissionContext: ToolPermissionContext,
  {
    cwd,
    env,
    sandbox,
    isTrusted,
  }: {
    readonly cwd: string;
    readonly env: Environment;
    readonly sandbox?: SandboxOptions | undefined;
    readonly isTrusted: boolean;
  },
): Promise<ToolFacts> {
  const context: ToolUseContext = {
    call: { toolUseId: '', abortController: new AbortController(), messages: [] },
    files: { cwd, projectRoot: cwd, readFileState: createFileStateCache() },
    tasks: {},
    web: {},
    permissions: { current: () => toolPermissionContext },
    session: {
      tools: [],
      mainLoopModel: '',
      agentDefinitions: [],
      verbose: false,
      env,
      ...(isTrusted ? {} : { isUntrusted: true }),
      ...(sandbox === undefined ? {} : { sandbox: activeSandbox(sandbox) }),
    },
  };
  return gatherFacts(tool, input, context, createBashGrammar(), { resolve: lookNothingUp });
}

const lookNothingUp = (): Promise<readonly string[]> => Promise.resolve([]);
