import { resolve } from 'node:path';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import { textBlock } from '../../../core/messages.js';
import { getEmptyToolPermissionContext } from '../../../core/permission-types.js';
import { toPathRule } from '../../../permissions/path-rule.js';
import { compiledRules } from '../../../permissions/compiled-rules.js';
import { otherNamesOf } from '../../../permissions/other-names-of.js';
import type { Proposal } from '../../../permissions/proposal.js';
import { findStrictRule } from '../../../permissions/rule-match.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { gatherFacts } from '../../facts/gather-facts.js';
import { hookKey } from '../../../journal/entries/step-key.js';
import type { HookedCall, HookedUse } from '../../hooks/hook-cause.js';
import { hookSubject, type HookedAgent } from '../parts/hook-subject.js';
import { adviseByHooks, type EventHooks } from '../../hooks/session-hooks.js';
import type { Call } from '../calls/call.js';
import { readEditedInput } from '../calls/edited-input.js';
import type { PermissionServices } from './permission-services.js';

/** The result of the hooks for a tool call, before the rules judge it. */
export type UseAdvice =
  | { readonly status: 'continue'; readonly proposal?: Proposal | undefined }
  | { readonly status: 'stop'; readonly message: string }
  /** A hook rewrote the input to an invalid one. */
  | {
      readonly status: 'bad input';
      readonly message: string;
      readonly reason: Proposal['reason'];
    };

/** The tool call as hooks see it. */
export function hookedUse(
  caller: HookedAgent,
  { bashGrammar }: Pick<PermissionServices, 'bashGrammar'>,
  { tool, input, shownInput: shown }: Pick<Call, 'tool' | 'input' | 'shownInput'>,
  context: ToolUseContext,
): HookedUse {
  let facts: ReturnType<typeof gatherFacts> | undefined;
  const { name } = tool as Tool; // validated
  return {
    ...hookSubject(caller),
    matched: [name, ...otherNamesOf(tool as Tool)], // validated
    call: {
      toolName: name,
      toolUseId: context.call.toolUseId,
      input: tool?.mcpInfo === undefined ? withWholePaths(shown, context.files.cwd) : shown,
      async matchesRule(rule) {
        const only = {
          ...getEmptyToolPermissionContext(),
          alwaysDenyRules: { session: [toPathRule(rule, name)] },
        };
        const gather = () =>
          gatherFacts(tool as Tool, input, context, bashGrammar, { rules: only }); // validated
        const own = tool?.preparePermissionMatcher === undefined ? (facts ??= gather()) : gather();
        return findStrictRule(compiledRules(only).deny, await own) !== undefined;
      },
    },
  };
}

/** The fields of Troupe's tools that are the path of a file. */
const PATH_FIELDS = ['file_path', 'notebook_path'];

/** A hook that looks for a folder in a path finds it in any spelling of the path. */
function withWholePaths(input: HookedCall['input'], cwd: string): HookedCall['input'] {
  const paths = PATH_FIELDS.flatMap((field) => {
    const path = input[field];
    return typeof path === 'string' && path !== '' ? [[field, resolve(cwd, path)] as const] : [];
  });
  return paths.length === 0 ? input : { ...input, ...Object.fromEntries(paths) };
}

/**
 * Run the PreToolUse hooks of a tool call. A rewritten input replaces the call's, and is parsed and checked like any
 * other.
 */
export async function adviseUse(
  caller: HookedAgent & { readonly stepContext: AgentContext },
  services: Pick<PermissionServices, 'bashGrammar'>,
  hooks: EventHooks,
  call: Call,
  context: ToolUseContext,
): Promise<UseAdvice> {
  const tool = call.tool as Tool; // validated
  const use = hookedUse(caller, services, call, context);
  if (!hooks.has('PreToolUse', use)) return { status: 'continue' };
  const { signal } = context.call.abortController;
  const {
    proposal,
    updatedInput,
    context: texts,
    stops,
  } = await caller.stepContext.step(
    hookKey('PreToolUse', context.call.toolUseId),
    () => adviseByHooks(hooks, use, signal),
    { isHarmless: true },
  );
  call.extras = [...call.extras, ...texts.map(textBlock)];
  if (stops !== undefined) return { status: 'stop', message: stops.reason };
  if (updatedInput !== undefined) {
    const edited = await readEditedInput(tool, updatedInput.input, context);
    if (!edited.ok) {
      const message = `The hook ${updatedInput.by} rewrote the input to one that cannot be used. ${edited.message}`;
      const reason = { type: 'hook', hookName: updatedInput.by, reason: edited.message } as const;
      return { status: 'bad input', message, reason };
    }
    call.input = edited.input;
    call.shownInput = edited.shown;
  }
  return { status: 'continue', proposal };
}
