import { textBlock } from '../../core/messages.js';
import { getEmptyToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../../permissions/compiled-rules.js';
import type { Proposal } from '../../permissions/proposal.js';
import { findStrictRule } from '../../permissions/rule-match.js';
import { parseToolInput } from '../../tools/parse-tool-input.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import { gatherFacts } from '../gather-facts.js';
import type { HookedUse } from '../hooks/session-hooks.js';
import type { AgentParts } from './agent-parts.js';
import type { Call } from './call.js';
import type { PermissionServices } from './permission-services.js';
import { shownInput } from './shown-input.js';

/** What the hooks make of a use, before any rule looks at it. */
export type UseAdvice =
  | { readonly status: 'go on'; readonly proposal?: Proposal }
  | { readonly status: 'stop'; readonly message: string }
  /** Rewritten to what cannot be used. */
  | { readonly status: 'bad input'; readonly message: string };

/** The use as hooks are told of it. */
export function hookedUse(
  { origin, type, depth, toolContext, permissionContext }: AgentParts,
  { bashGrammar }: Pick<PermissionServices, 'bashGrammar'>,
  { tool, input, shownInput: shown }: Pick<Call, 'tool' | 'input' | 'shownInput'>,
  context: ToolUseContext,
): HookedUse {
  let facts: ReturnType<typeof gatherFacts> | undefined;
  return {
    origin,
    agentType: type,
    isRoot: depth === 0,
    cwd: toolContext.cwd,
    mode: permissionContext().mode,
    toolName: (tool as Tool).name, // validated
    toolUseId: context.toolUseId,
    input: shown,
    async matchesRule(rule) {
      facts ??= gatherFacts(tool as Tool, input, context, bashGrammar); // validated
      const only = { ...getEmptyToolPermissionContext(), alwaysDenyRules: { session: [rule] } };
      return findStrictRule(compiledRules(only).deny, await facts) !== undefined;
    },
  };
}

/** Runs the PreToolUse hooks of a use. A rewritten input takes the place of the call's, parsed and checked as any. */
export async function adviseUse(
  parts: AgentParts,
  services: Pick<PermissionServices, 'bashGrammar' | 'hooks'>,
  call: Call,
  context: ToolUseContext,
): Promise<UseAdvice> {
  const { hooks } = services;
  const tool = call.tool as Tool; // validated
  if (hooks?.has('PreToolUse', tool.name) !== true) return { status: 'go on' };
  const { signal } = context.abortController;
  const use = hookedUse(parts, services, call, context);
  const { proposal, updatedInput, context: texts, stops } = await hooks.preToolUse(use, signal);
  call.extras = [...call.extras, ...texts.map(textBlock)];
  if (stops !== undefined) return { status: 'stop', message: stops.reason };
  if (updatedInput !== undefined) {
    const problem = await rewrite(tool, updatedInput.input, call, context);
    if (problem !== undefined) {
      const message = `The hook ${updatedInput.by} rewrote the input to one that cannot be used. ${problem}`;
      return { status: 'bad input', message };
    }
  }
  return { status: 'go on', ...(proposal === undefined ? {} : { proposal }) };
}

/** @returns why the input cannot be used */
async function rewrite(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  call: Call,
  context: ToolUseContext,
): Promise<string | undefined> {
  const parsed = await parseToolInput(tool, input);
  if (!parsed.ok) return parsed.message;
  const validity = await tool.validateInput?.(parsed.input, context);
  if (validity?.result === false) return validity.message;
  call.input = parsed.input;
  call.shownInput = await shownInput(tool, parsed.input, input);
  return undefined;
}
