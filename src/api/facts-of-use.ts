import { gatherFacts } from '../actors/facts/gather-facts.js';
import type { Environment } from '../files/folders.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import type { ToolFacts } from '../permissions/facts.js';
import { readWebTarget } from '../permissions/web/web-fact.js';
import { createFileStateCache } from '../tools/file-state-cache.js';
import { createBashGrammar } from '../tools/shell/bash-grammar.js';
import { waysOutOf } from '../processes/sandbox.js';
import type { SandboxOptions } from './types.js';
import type { Tool, ToolUseContext } from '../tools/tool.js';

/** One tool call, with the input that the tool's schema returns. */
export type ToolUse = { readonly tool: Tool; readonly input: Readonly<Record<string, unknown>> };

/** The facts of one tool call for rules. Reads files and links; runs nothing. */
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
    permissions: { current: () => toolPermissionContext },
    session: {
      tools: [],
      mainLoopModel: '',
      agentDefinitions: [],
      verbose: false,
      env,
      ...(isTrusted ? {} : { isUntrusted: true }),
      ...(sandbox === undefined ? {} : { sandbox: waysOutOf(sandbox) }),
    },
  };
  const facts = await gatherFacts(tool, input, context, createBashGrammar());
  const { url } = input;
  if (facts.target !== undefined || tool.name !== 'WebFetch' || typeof url !== 'string')
    return facts;
  return { ...facts, isReadOnly: true, target: { kind: 'web', request: readWebTarget(url) } };
}
